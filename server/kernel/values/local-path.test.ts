/** Tests of paths that stay on their host, and addresses that do not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { localPath } from './local-path.ts'

const kept = [
  ['/', '/'],
  ['/a?b#c', '/a?b#c'],
  ['/../a', '/a'],
  ['/a//b', '/a//b'],
] as const

for (const [text, path] of kept) {
  test(`normalises ${text} to ${path}`, () => assert.equal(localPath(text), path))
}

const refused = ['', 'a', '//b.example', '/\\b.example', '/.//b.example', '/a/..//b.example']

for (const text of [...refused, '/%2E//b.example', '/\t/b.example', 'https://b.example/']) {
  test(`refuses ${JSON.stringify(text)}`, () => assert.equal(localPath(text), null))
}

test('returns only paths that every browser resolves to the same host', () => {
  const piece = fc.constantFrom('/', '.', '..', '\\', '%2e', '\t', '\n', 'b.example', '@', '?', '#')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = localPath(`/${pieces.join('')}`)
      if (path !== null) assert.equal(new URL(path, 'https://a.example').host, 'a.example')
    }),
  )
})
