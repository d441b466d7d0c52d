/**
 * Times as fields of browsers send them: `2026-11-22T10:30` and `10:30`, on the clock of whoever
 * filled them in. The formats `date-time` and `time` of JSON Schema have a zone (RFC 3339), so they
 * get the one that the form names.
 */

export interface Moment {
  /** Of the form: an IANA name, or whatever else was sent as one. */
  timezone: string
  now_ms: number
}

const dateTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/
const timePattern = /^\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/

/** `2026-11-22T09:30:00Z` and `10:30:00+01:00`; a text that is no such time stays as it is. */
export function zonedTime(text: string, format: unknown, { timezone, now_ms }: Moment): string {
  try {
    if (format === 'date-time' && dateTimePattern.test(text)) {
      const time = Temporal.PlainDateTime.from(text).toZonedDateTime(timezone)
      return time.toInstant().toString()
    }
    if (format === 'time' && timePattern.test(text)) {
      const now = Temporal.Instant.fromEpochMilliseconds(now_ms).toZonedDateTimeISO(timezone)
      return Temporal.PlainTime.from(text).toString() + now.offset
    }
  } catch {
    // There is no such day or zone: the schema then says what is wrong with the text.
  }
  return text
}
