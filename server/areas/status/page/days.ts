/** Days and months in the time zone of the status page. */

const DAYS_SHOWN = 90

/** The day of a time, such as `2026-11-03`. */
export function dayOf(time: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()
}

/** The last 90 days, today included, oldest first. */
export function lastDays(now: Date, zone: string): string[] {
  const today = Temporal.PlainDate.from(dayOf(now, zone))
  return Array.from({ length: DAYS_SHOWN }, (_, index) =>
    today.subtract({ days: DAYS_SHOWN - 1 - index }).toString(),
  )
}

/** The times at which a day begins and ends. */
export function boundsOf(day: string, zone: string): { from: Date; to: Date } {
  const date = Temporal.PlainDate.from(day)
  const startOf = (one: Temporal.PlainDate) => new Date(one.toZonedDateTime(zone).epochMilliseconds)
  return { from: startOf(date), to: startOf(date.add({ days: 1 })) }
}
