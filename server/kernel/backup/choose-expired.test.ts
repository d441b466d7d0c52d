/** Tests of the retention of backups. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseExpired } from './choose-expired.ts'
import { nameAt } from './target.ts'

const keep = { daily: 7, weekly: 4, timezone: 'Europe/Amsterdam' }

function backupAt(time: string) {
  const created_at = new Date(time)
  return { name: nameAt(created_at, '000000'), bytes: 1, created_at }
}

/** Backups at 02:00 UTC of `count` days up to 2026-11-27, a Friday; newest first. */
function daily(count: number) {
  const last_ms = Date.parse('2026-11-27T02:00:00Z')
  return Array.from({ length: count }, (_, days) =>
    backupAt(new Date(last_ms - days * 86_400_000).toISOString()),
  )
}

describe('chooseExpired', () => {
  it('keeps the newest of seven days and of four weeks', () => {
    const all = daily(60)
    const expired = new Set(chooseExpired(all, keep))
    const kept = all.filter((one) => !expired.has(one))
    assert.deepEqual(
      kept.map(({ created_at }) => created_at.toISOString().slice(5, 10)),
      ['11-27', '11-26', '11-25', '11-24', '11-23', '11-22', '11-21', '11-15', '11-08'],
    )
  })

  it('keeps a backup of each of the last days that have one, however old they are', () => {
    assert.deepEqual(chooseExpired([backupAt('2020-01-01T00:00:00Z')], keep), [])
  })

  it('deletes all but the newest backup of a day in the time zone of the installation', () => {
    const newest = backupAt('2026-11-27T22:30:00Z')
    const older = backupAt('2026-11-26T23:30:00Z')
    const before = backupAt('2026-11-26T22:30:00Z')
    assert.deepEqual(chooseExpired([newest, older, before], keep), [older])
  })
})
