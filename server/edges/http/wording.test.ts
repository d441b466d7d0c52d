/** Tests of the language selection for visitors, and of the completeness of translations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { selectLanguage, writeProblemReason, pageWords } from './wording.ts'

const choices = [
  [undefined, 'en'],
  ['', 'en'],
  ['nl', 'nl'],
  ['NL-be', 'nl'],
  ['de-CH, fr;q=0.9', 'de'],
  ['en;q=0.5, fr', 'fr'],
  ['pt, es;q=0.8, en;q=0.7', 'es'],
  ['fr;q=0, de;q=0.1', 'de'],
  ['*', 'en'],
  ['zh-Hant', 'en'],
  ['nl;q=abc, de', 'de'],
] as const

for (const [header, language] of choices) {
  test(`the header ${header} selects ${language}`, () =>
    assert.equal(selectLanguage(header), language))
}

test('every header selects a supported language', () => {
  fc.assert(fc.property(fc.string(), (header) => assert.ok(selectLanguage(header) in pageWords)))
})

test('every phrase is translated into every language', () => {
  const all = Object.values(pageWords)
  for (const one of all) {
    for (const text of Object.values(one)) assert.ok(text.trim() !== '' && text.length < 120)
    assert.deepEqual(Object.keys(one), Object.keys(pageWords.en))
  }
  for (const key of ['thanks', 'received', 'back', 'fields', 'wait', 'failed'] as const)
    assert.equal(new Set(all.map((one) => one[key])).size, all.length)
})

test('errors that visitors cannot fix are shown as faults of the site', () => {
  assert.equal(writeProblemReason('origin_not_allowed', 'en'), pageWords.en.set_up)
  assert.equal(writeProblemReason('schema_mismatch', 'nl'), pageWords.nl.fields)
})
