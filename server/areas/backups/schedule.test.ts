/** Tests when scheduled backups are due. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lastScheduledAt, nextScheduledAt } from './schedule.ts'

const schedule = { time: '02:30', timezone: 'Europe/Amsterdam' }
const times = (now: string) => {
  const at = new Date(now)
  return [lastScheduledAt(at, schedule), nextScheduledAt(at, schedule)].map((one) =>
    one.toISOString(),
  )
}

describe('the schedule', () => {
  it('returns the last and the next time of day in the time zone', () => {
    const expected = ['2026-11-26T01:30:00.000Z', '2026-11-27T01:30:00.000Z']
    assert.deepEqual(times('2026-11-26T01:30:00Z'), expected)
    assert.deepEqual(times('2026-11-27T01:29:59Z'), expected)
  })

  it('has one time on a day whose clock skips or repeats it', () => {
    assert.deepEqual(times('2026-03-29T12:00:00Z'), [
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
    assert.deepEqual(times('2026-10-25T12:00:00Z'), [
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
  })
})
