/**
 * Times in filters and in data. A text of the data counts as a time when it is an ISO 8601 date or
 * date and time and nothing else; the same pattern decides here and in SQL, so that no text can be
 * one there that PostgreSQL refuses to read.
 */
import type { Moment } from './filter.ts'

const year = String.raw`\d{4}`
const leapYear = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)`
const date = [
  String.raw`${year}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])`,
  String.raw`${year}-(?:0[469]|11)-(?:0[1-9]|[12]\d|30)`,
  String.raw`${year}-02-(?:0[1-9]|1\d|2[0-8])`,
  `${leapYear}-02-29`,
].join('|')
const clockTime = String.raw`[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?`
// No place on earth is further from UTC, and PostgreSQL reads no more than 16 hours.
const zone = String.raw`(?:[Zz]|[+-](?:0\d|1[0-4]):[0-5]\d)`

/** With its zone, so it is one moment wherever it is read. The year 0000 is to be kept out. */
export const zonedTimePattern = `^(?:${date})${clockTime}${zone}$`
/** A date, or a date and time without a zone: read in the time zone of the request. */
export const localTimePattern = `^(?:${date})(?:${clockTime})?$`

const zoned = new RegExp(zonedTimePattern)
const local = new RegExp(localTimePattern)

/** The moment that a text says, or null when it is no time, or not one of the years 1 to 9999. */
export function timeOf(text: string, timezone: string): number | null {
  // There is no year 0 in the calendar of PostgreSQL.
  if (text.startsWith('0000')) return null
  const time_ms = momentOf(text, timezone)
  return time_ms !== null && time_ms >= FIRST_MS && time_ms <= LAST_MS ? time_ms : null
}

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

function momentOf(text: string, timezone: string): number | null {
  // Temporal takes no more than nine digits after the point.
  const read = text.replace(/(\.\d{9})\d+/, '$1')
  if (zoned.test(text)) return Temporal.Instant.from(read).epochMilliseconds
  return local.test(text) ? inZone(Temporal.PlainDateTime.from(read), timezone) : null
}

/**
 * A time that clocks show twice, or never because they jump over it, is the later one of the two
 * moments that it may be, because PostgreSQL reads the texts of the data so.
 */
function inZone(time: Temporal.PlainDateTime, timezone: string): number {
  return time.toZonedDateTime(timezone, { disambiguation: 'later' }).epochMilliseconds
}

const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
}

const spanPattern = /^(\d{1,9})([smhdw])$/

/** The length of `7d` and the like in milliseconds; null when it is none. */
export function spanOf(text: string): number | null {
  const [, amount, unit = ''] = spanPattern.exec(text) ?? []
  const seconds = unitSeconds[unit]
  return amount === undefined || seconds === undefined ? null : Number(amount) * seconds * 1000
}

/** When the day of a moment began: the moment that its date says as a text. */
export function startOfDay({ now_ms, timezone }: Moment): number {
  const now = Temporal.Instant.fromEpochMilliseconds(now_ms).toZonedDateTimeISO(timezone)
  return inZone(now.toPlainDate().toPlainDateTime(), timezone)
}

/** Whether a name is that of a time zone, which PostgreSQL reads alike. */
export function isTimezone(name: string): boolean {
  // A fixed offset such as +02:00 is turned round by PostgreSQL, so only names are taken.
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}
