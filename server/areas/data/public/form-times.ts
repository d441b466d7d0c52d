/**
 * Adds a zone to the local times that browsers submit (`2026-11-22T10:30`, `10:30`), because the
 * formats `date-time` and `time` of JSON Schema require one (RFC 3339).
 */

export interface FormTime {
  /** IANA name from the form, not validated. */
  timezone: string
  now_ms: number
}

const dateTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/
const timePattern = /^\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/

/** Returns for example `2026-11-22T09:30:00Z` or `10:30:00+01:00`; any other text unchanged. */
export function zonedTime(text: string, format: unknown, { timezone, now_ms }: FormTime): string {
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
    // The date or zone does not exist; validation reports the text.
  }
  return text
}
