/** Tests that generated curl commands are quoted correctly for a shell. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { writeCurl, writeCurlFor } from './curl.ts'
import { get, list, order, put, sink, weather } from '../test-operations.ts'

const base_url = 'https://home.test/api/v1'

/** Returns the arguments that a shell passes to curl. */
function wordsOf(command: string, environment: Record<string, string> = {}): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const { stdout, stderr } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...environment },
  })
  assert.equal(stderr, '', command)
  return stdout.split('\0').slice(0, -1)
}

describe('the command for an operation', () => {
  test('contains the key as a shell variable', () => {
    assert.deepEqual(wordsOf(writeCurlFor(list, base_url), { HOMEPORT_KEY: 'hm_test_x' }), [
      `${base_url}/boats`,
      '-H',
      'Authorization: Bearer hm_test_x',
    ])
  })

  test('contains no key for a public operation', () => {
    assert.deepEqual(wordsOf(writeCurlFor(weather, base_url)), [`${base_url}/weather`])
  })

  test('contains an id in its path', () => {
    const [address = ''] = wordsOf(writeCurlFor(get, base_url))
    assert.match(address, /\/boats\/[0-9a-f-]{36}$/)
  })

  test('contains method, media type and a quoted body', () => {
    const words = wordsOf(writeCurlFor(put, base_url))
    assert.deepEqual(words.slice(0, 2), ['-X', 'PUT'])
    assert.ok(words.includes('Content-Type: application/json'))
    assert.deepEqual(JSON.parse(words.at(-1) ?? ''), { name: "Queen's Pride" })
  })

  test('contains a required Idempotency-Key, and no optional header', () => {
    assert.ok(
      wordsOf(writeCurlFor(order, base_url)).some((word) => word.startsWith('Idempotency-Key: ')),
    )
    assert.ok(!writeCurlFor(put, base_url).includes('If-Match'))
  })

  test('has no body if the operation takes none', () => {
    assert.ok(!wordsOf(writeCurlFor(sink, base_url)).includes('-d'))
  })

  test('has one option per line', () => {
    assert.equal(writeCurlFor(list, base_url).split(' \\\n').length, 2)
  })
})

describe('a command', () => {
  test('expands a variable in a URL and in a body', () => {
    const command = writeCurl({
      method: 'POST',
      url: `${base_url}/boats/$BOAT_ID`,
      headers: [],
      body: { id: '$BOAT_ID' },
    })
    const words = wordsOf(command, { BOAT_ID: 'a b' })
    assert.deepEqual(words.slice(0, 3), ['-X', 'POST', `${base_url}/boats/a b`])
    assert.deepEqual(JSON.parse(words.at(-1) ?? ''), { id: 'a b' })
  })

  test('preserves any text in a body', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((one) => !one.includes('\0'))
    const lower = text.map((one) => one.replaceAll(/\$[A-Z_]+/g, '$'))
    fc.assert(
      fc.property(lower, (said) => {
        const command = writeCurl({ method: 'POST', url: base_url, headers: [], body: { said } })
        assert.deepEqual(JSON.parse(wordsOf(command).at(-1) ?? ''), { said })
      }),
      { numRuns: 40 },
    )
  })
})
