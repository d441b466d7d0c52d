/** Computes when scheduled backups are due. Pure. */

export interface Schedule {
  /** Time of day, such as 03:00. */
  time: string
  timezone: string
}

/** The last time of the schedule that is not after `now`. */
export function lastScheduledAt(now: Date, schedule: Schedule): Date {
  const today = atDay(now, schedule, 0)
  return today <= now ? today : atDay(now, schedule, -1)
}

/** The first time of the schedule after `now`. */
export function nextScheduledAt(now: Date, schedule: Schedule): Date {
  const today = atDay(now, schedule, 0)
  return today > now ? today : atDay(now, schedule, 1)
}

function atDay(now: Date, { time, timezone }: Schedule, days: number): Date {
  const day = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .add({ days })
  const moment = day.toZonedDateTime({
    timeZone: timezone,
    plainTime: Temporal.PlainTime.from(time),
  })
  return new Date(moment.epochMilliseconds)
}
