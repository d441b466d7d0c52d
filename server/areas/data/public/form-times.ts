/**
 * Adds a zone to the local times that browsers submit (`2026-11-22T10:30`, `10:30`), because the
 * formats `date-time` and `time` of JSON Schema require one (RFC 3339).
 */
import { zonedClock } from '../../../kernel/tables/notation.ts'

export interface FormTime {
  /** IANA name from the form, not validated; null if no zone is known. */
  timezone: string | null
  now_ms: number
}

const dateTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/
const timePattern = /^\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/

/**
 * Returns for example `2026-11-22T09:30:00Z` or `10:30:00+01:00`; any other text unchanged. Returns
 * null for a local time if no zone is known.
 */
export function zonedTime(
  text: string,
  format: unknown,
  { timezone, now_ms }: FormTime,
): string | null {
  const is_day = format === 'date-time' && dateTimePattern.test(text)
  const is_clock = format === 'time' && timePattern.test(text)
  if (!is_day && !is_clock) return text
  if (timezone === null) return null
  try {
    if (is_clock) return zonedClock(text, { timezone, now_ms })
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).toInstant().toString()
  } catch {
    // The date or zone does not exist; validation reports the text.
    return text
  }
}
