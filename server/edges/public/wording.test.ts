/** Language selection for visitors, and completeness of translations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { languageFor, reasonOf, words } from './wording.ts'

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
  test(`${header} is answered in ${language}`, () => assert.equal(languageFor(header), language))
}

test('selects a supported language for any header', () => {
  fc.assert(fc.property(fc.string(), (header) => assert.ok(languageFor(header) in words)))
})

test('translates every phrase in every language', () => {
  const all = Object.values(words)
  for (const one of all) {
    for (const text of Object.values(one)) assert.ok(text.trim() !== '' && text.length < 120)
    assert.deepEqual(Object.keys(one), Object.keys(words.en))
  }
  for (const key of ['thanks', 'received', 'back', 'fields', 'wait', 'failed'] as const)
    assert.equal(new Set(all.map((one) => one[key])).size, all.length)
})

test('words errors that visitors cannot fix as faults of the site', () => {
  assert.equal(reasonOf('origin_not_allowed', 'en'), words.en.set_up)
  assert.equal(reasonOf('schema_mismatch', 'nl'), words.nl.fields)
})
