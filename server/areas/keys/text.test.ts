/** The text of a key: its form, and that what was not made here is refused without a lookup. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isKeyText, newKeyText, startOf } from './text.ts'

test('is a prefix and 32 letters and digits', () => {
  assert.match(newKeyText('live'), /^hm_live_[0-9A-Za-z]{32}$/)
  assert.match(newKeyText('test'), /^hm_test_[0-9A-Za-z]{32}$/)
})

test('is recognised as one, a thousand times', () => {
  for (let count = 0; count < 1000; count++)
    assert.ok(isKeyText(newKeyText(count % 2 ? 'live' : 'test')))
})

test('is never the same twice', () => {
  assert.equal(new Set(Array.from({ length: 1000 }, () => newKeyText('test'))).size, 1000)
})

test('with any one character changed it is none', () => {
  const key = newKeyText('test')
  for (let index = 0; index < key.length; index++) {
    const other = key[index] === '0' ? '1' : '0'
    assert.equal(isKeyText(key.slice(0, index) + other + key.slice(index + 1)), false)
  }
})

test('any other text is none', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(isKeyText(text), false)))
  fc.assert(
    fc.property(fc.stringMatching(/^hm_(live|test)_[0-9A-Za-z]{32}$/), (text) => {
      // One in 2^32 random ones passes the check; a lookup then refuses it.
      assert.equal(isKeyText(text), false)
    }),
  )
})

test('its start tells the mode and little else', () => {
  assert.match(startOf(newKeyText('live')), /^hm_live_[0-9A-Za-z]{4}$/)
})
