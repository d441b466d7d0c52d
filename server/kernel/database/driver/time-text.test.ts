/** Times are written as JavaScript itself writes them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { timeText } from './time-text.ts'

test('a time is written as toISOString() does, in any year and over days without number', () =>
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (time) => {
      assert.equal(timeText(time.getTime()), time.toISOString())
    }),
    { numRuns: 5000 },
  ))

test('and so are the first and the last moment of a day', () => {
  for (const text of ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'])
    assert.equal(timeText(Date.parse(text)), text)
})
