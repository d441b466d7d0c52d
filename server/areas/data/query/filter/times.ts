/**
 * Times in filters and in data. A string counts as a time if it is exactly an ISO 8601 date or
 * date-time. JavaScript and SQL use the same pattern, so PostgreSQL never fails to cast a match.
 */
import type { FilterTime } from './filter.ts'

const year = String.raw`\d{4}`
const leapYear = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)`
const date = [
  String.raw`${year}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])`,
  String.raw`${year}-(?:0[469]|11)-(?:0[1-9]|[12]\d|30)`,
  String.raw`${year}-02-(?:0[1-9]|1\d|2[0-8])`,
  `${leapYear}-02-29`,
].join('|')
const clockTime = String.raw`[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?`
// No zone is further from UTC than 14 hours, and PostgreSQL accepts at most 16.
const zone = String.raw`(?:[Zz]|[+-](?:0\d|1[0-4]):[0-5]\d)`

/** A time with a zone. The year 0000 must be excluded. */
export const zonedTimePattern = `^(?:${date})${clockTime}${zone}$`
/** A date or date-time without a zone, read in the time zone of the request. */
export const localTimePattern = `^(?:${date})(?:${clockTime})?$`

const zoned = new RegExp(zonedTimePattern)
const local = new RegExp(localTimePattern)

/** Returns milliseconds since the epoch; null if the text is not a time in the years 1 to 9999. */
export function timeOf(text: string, timezone: string): number | null {
  // PostgreSQL has no year 0.
  if (text.startsWith('0000')) return null
  const time_ms = momentOf(text, timezone)
  return time_ms !== null && time_ms >= FIRST_MS && time_ms <= LAST_MS ? time_ms : null
}

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

function momentOf(text: string, timezone: string): number | null {
  // Temporal accepts at most nine fractional digits.
  const read = text.replace(/(\.\d{9})\d+/, '$1')
  if (zoned.test(text)) return Temporal.Instant.from(read).epochMilliseconds
  return local.test(text) ? inZone(Temporal.PlainDateTime.from(read), timezone) : null
}

/** Resolves a time in a clock change to the later of its two moments, as PostgreSQL does. */
function inZone(time: Temporal.PlainDateTime, timezone: string): number {
  return time.toZonedDateTime(timezone, { disambiguation: 'later' }).epochMilliseconds
}

const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
}

const spanPattern = /^(\d{1,9})([smhdwy])$/

/** Parses a duration such as `7d` to milliseconds; null if invalid. */
export function spanOf(text: string): number | null {
  const [, amount, unit = ''] = spanPattern.exec(text) ?? []
  const seconds = unitSeconds[unit]
  return amount === undefined || seconds === undefined ? null : Number(amount) * seconds * 1000
}

/** Returns the start of the day, which is the moment of its date as text. */
export function startOfDay({ now_ms, timezone }: FilterTime): number {
  const now = Temporal.Instant.fromEpochMilliseconds(now_ms).toZonedDateTimeISO(timezone)
  return inZone(now.toPlainDate().toPlainDateTime(), timezone)
}

/** Returns whether a name is a time zone that PostgreSQL interprets in the same way. */
export function isTimezone(name: string): boolean {
  // PostgreSQL inverts the sign of offsets such as +02:00, so only names are accepted.
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}
