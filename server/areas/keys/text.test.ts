/**
 * Tests of the text of a key: its format, and the rejection of other texts without a database
 * lookup.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isKeyText, newKeyText, tokenStart } from './text.ts'

test('is a prefix and 32 letters and digits', () => {
  assert.match(newKeyText('live'), /^hm_live_[0-9A-Za-z]{32}$/)
  assert.match(newKeyText('test'), /^hm_test_[0-9A-Za-z]{32}$/)
})

test('is recognized, in a thousand attempts', () => {
  for (let count = 0; count < 1000; count++)
    assert.ok(isKeyText(newKeyText(count % 2 ? 'live' : 'test')))
})

test('is unique', () => {
  assert.equal(new Set(Array.from({ length: 1000 }, () => newKeyText('test'))).size, 1000)
})

test('is not recognized with any one character changed', () => {
  const key = newKeyText('test')
  for (let index = 0; index < key.length; index++) {
    const other = key[index] === '0' ? '1' : '0'
    assert.equal(isKeyText(key.slice(0, index) + other + key.slice(index + 1)), false)
  }
})

test('is not recognized in any other text', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(isKeyText(text), false)))
  fc.assert(
    fc.property(fc.stringMatching(/^hm_(live|test)_[0-9A-Za-z]{32}$/), (text) => {
      // One in 2^32 random texts passes the checksum; the database lookup then rejects it.
      assert.equal(isKeyText(text), false)
    }),
  )
})

test('starts with the mode and reveals little else', () => {
  assert.match(tokenStart(newKeyText('live')), /^hm_live_[0-9A-Za-z]{4}$/)
})
