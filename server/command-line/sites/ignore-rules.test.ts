/** Tests of matching .gitignore rules, compared with git. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isIgnored, readIgnoreRules } from './ignore-rules.ts'

/** [rules, path, ignored]; a path that ends in a slash is a folder. */
const cases: [rules: string, path: string, ignored: boolean][] = [
  ['notes', 'notes', true],
  ['notes', 'a/b/notes', true],
  ['notes', 'notes.txt', false],
  ['notes/', 'notes/', true],
  ['notes/', 'notes', false],
  ['/notes', 'notes', true],
  ['/notes', 'a/notes', false],
  ['a/notes', 'a/notes', true],
  ['a/notes', 'b/a/notes', false],
  ['*.map', 'a.js.map', true],
  ['*.map', 'a/b.map', true],
  ['*.map', 'map', false],
  ['a/*.js', 'a/b.js', true],
  ['a/*.js', 'a/b/c.js', false],
  ['a/**/c.js', 'a/c.js', true],
  ['a/**/c.js', 'a/b/b/c.js', true],
  ['**/tmp', 'a/b/tmp', true],
  ['**/tmp', 'tmp', true],
  ['a/**', 'a/b/c', true],
  ['a/**', 'a', false],
  ['?.txt', 'a.txt', true],
  ['?.txt', 'ab.txt', false],
  ['*.map\n!keep.map', 'keep.map', false],
  ['!keep.map\n*.map', 'keep.map', true],
  ['# notes\n\n  ', 'notes', false],
  ['a.b+(c)', 'a.b+(c)', true],
  ['a.b', 'axb', false],
  ['[draft]', '[draft]', true],
  ['', 'a', false],
]

describe('rules of .gitignore', () => {
  for (const [rules, path, ignored] of cases) {
    it(`${JSON.stringify(rules)} ${ignored ? 'ignore' : 'do not ignore'} ${path}`, () => {
      const is_folder = path.endsWith('/')
      const found = isIgnored(readIgnoreRules(rules), path.replace(/\/$/, ''), is_folder)
      assert.equal(found, ignored)
    })
  }
})
