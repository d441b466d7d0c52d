/** Retention of backups. Pure. */
import type { StoredBackup } from './target.ts'

export interface Keep {
  daily: number
  weekly: number
  timezone: string
}

/**
 * Returns the backups that are neither the newest of one of the last `daily` days that have a backup,
 * nor of one of the last `weekly` such weeks. Weeks begin on Monday.
 */
export function chooseExpired(
  newest_first: readonly StoredBackup[],
  { daily, weekly, timezone }: Keep,
): StoredBackup[] {
  const days = new Set<string>()
  const weeks = new Set<string>()
  return newest_first.filter(({ created_at }) => {
    const date = Temporal.Instant.fromEpochMilliseconds(created_at.getTime())
      .toZonedDateTimeISO(timezone)
      .toPlainDate()
    const isDaily = isFirstOf(days, date.toString(), daily)
    const week = `${date.yearOfWeek}-${date.weekOfYear}`
    const isWeekly = isFirstOf(weeks, week, weekly)
    return !isDaily && !isWeekly
  })
}

function isFirstOf(seen: Set<string>, period: string, count_max: number): boolean {
  if (seen.has(period) || seen.size >= count_max) return false
  seen.add(period)
  return true
}
