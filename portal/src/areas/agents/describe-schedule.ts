/** Recognizes common schedules, to describe them in words. Pure. */

/** The values for the description; null for a schedule that is shown as cron. */
export type ScheduleWords =
  | { kind: 'hourly' }
  | { kind: 'daily' | 'workdays'; time: string }
  | { kind: 'weekly'; time: string; weekday: number }
  | { kind: 'monthly'; time: string; day: number }
  | null

/** Reads the five fields of a cron schedule. Weekdays count from Sunday, 0. */
export function describeSchedule(cron: string): ScheduleWords {
  const [minute = '', hour = '', day, month, weekday = ''] = cron.trim().split(/\s+/)
  const days = [day, month, weekday].join(' ')
  if (days === '* * *' && hour === '*') return Number(minute) === 0 ? { kind: 'hourly' } : null
  if (!/^\d+$/.test(minute) || !/^\d+$/.test(hour)) return null
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (days === '* * *') return { kind: 'daily', time }
  if (days === '* * 1-5') return { kind: 'workdays', time }
  if (/^\* \* [0-7]$/.test(days)) return { kind: 'weekly', time, weekday: Number(weekday) % 7 }
  return /^\d+ \* \*$/.test(days) ? { kind: 'monthly', time, day: Number(day) } : null
}
