/**
 * Parses numbers, dates and booleans in the notation of a country: `1.234,56`, `31-12-2024`,
 * `WAAR`. Ambiguous text is refused until a locale or other values of the file determine the
 * notation. Pure functions.
 */

import { INEXACT_NUMBER, isExactNumber } from '../values/exact-number.ts'

export interface Notation {
  /** Null: not known. */
  decimal: '.' | ',' | null
  order: 'day-first' | 'month-first' | null
  /** Whether the request names a locale; other notations are then refused. */
  is_given: boolean
  /** Accepts 1.234 as a JSON number while `decimal` is null. */
  json_numbers: boolean
  /** Zone of times without one; null refuses them. */
  zone: TimeZone | null
}

export interface TimeZone {
  /** IANA name. */
  timezone: string
  /** Determines the offset of a time without a date. */
  now_ms: number
}

/** A value, or why the text is refused; null if it is not of the kind. */
export type ReadResult = { value: unknown } | { refused: string; is_ambiguous?: true } | null

/** Returns the notation of a BCP 47 tag such as nl-NL; null if the tag is invalid or unknown. */
export function notationOf(locale: string): Pick<Notation, 'decimal' | 'order'> | null {
  try {
    if (Intl.NumberFormat.supportedLocalesOf(locale).length === 0) return null
  } catch {
    return null
  }
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5)
  const dates = new Intl.DateTimeFormat(locale, { calendar: 'gregory' }).formatToParts(0)
  const [first] = dates.flatMap(({ type }) => (type === 'literal' ? [] : [type]))
  const order = first === 'day' ? 'day-first' : first === 'month' ? 'month-first' : null
  return { decimal: parts.some(({ value }) => value === ',') ? ',' : '.', order }
}

/** Longer text is never a number, date or boolean. */
const VALUE_CHARACTERS_MAX = 400

const currency = /^(?:€|EUR|\$|USD|£|GBP|CHF)|(?:€|EUR|\$|USD|£|GBP|CHF)$/g
/** Digits, or a number with an exponent, whose decimal mark is always a point. */
const plainNumber = /^[+-]?(?:\d+|(?:\d+(?:\.\d*)?|\.\d+)e[+-]?\d+)$/i
const singleMark = /^([+-]?)(\d+)([.,])(\d+)$/
const grouped = /^([+-]?)(\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3})(?:\3\d{3})*)(?:([.,])(\d+))?$/

/** Numbers as JavaScript writes them, because a double may round them. */
type NumberText =
  | { is: 'clear'; plain: string; decimal: '.' | ',' | null }
  /** Ambiguous text such as `1.234`: decimal mark or thousands separator. */
  | { is: 'either'; mark: '.' | ','; whole: string; broken: string }

function numberIn(text: string): NumberText | null {
  if (text.length > VALUE_CHARACTERS_MAX) return null
  const bare = text.trim().replaceAll(currency, '').trim()
  if (plainNumber.test(bare)) return { is: 'clear', plain: bare, decimal: null }
  return withOneMark(bare) ?? withGroups(bare)
}

function withOneMark(bare: string): NumberText | null {
  const [, sign = '', before = '', mark, after = ''] = singleMark.exec(bare) ?? []
  if (mark !== '.' && mark !== ',') return null
  const broken = `${sign}${before}.${after}`
  const is_decimal = after.length !== 3 || before.length > 3 || before.startsWith('0')
  if (is_decimal) return { is: 'clear', plain: broken, decimal: mark }
  return { is: 'either', mark, whole: sign + before + after, broken }
}

const otherMark: Readonly<Record<string, '.' | ','>> = { '.': ',', ',': '.' }

function withGroups(bare: string): NumberText | null {
  const [, sign = '', digits = '', group = '', point, fraction = '0'] = grouped.exec(bare) ?? []
  if (digits === '' || group === point) return null
  const plain = `${sign}${digits.replaceAll(/\D/g, '')}.${fraction}`
  const written = point === '.' || point === ',' ? point : null
  return { is: 'clear', plain, decimal: written ?? otherMark[group] ?? null }
}

/** Parses `12,50`, `1.234,56`, `€ 12,50` and similar. */
export function readNumber(text: string, notation: Notation): ReadResult {
  const { decimal, is_given, json_numbers } = notation
  const read = numberIn(text)
  if (read === null) return null
  if (read.is === 'clear') {
    const is_other = is_given && read.decimal !== null && read.decimal !== decimal
    const expected = `does not match the number notation of the locale, whose decimal mark is "${decimal}"`
    return is_other ? { refused: expected } : exactly(read.plain)
  }
  const { mark, whole, broken } = read
  if (decimal !== null) return exactly(mark === decimal ? broken : whole)
  if (mark === '.' && json_numbers) return exactly(broken)
  const refused = `could be ${Number(whole)} or ${Number(broken)}; choose with locale, such as nl-NL or en-US`
  return { refused, is_ambiguous: true }
}

function exactly(plain: string): ReadResult {
  return isExactNumber(plain) ? { value: Number(plain) } : { refused: INEXACT_NUMBER }
}

const dayPattern =
  /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})(?:[ T]+(\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?))?$/
const isoLocal = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?$/

const clockPattern = /^\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?$/

/** Parses `31-12-2024`, `31.12.2024 14:30`, `9:00` and similar into the format. */
export function readTime(
  text: string,
  format: 'date' | 'date-time' | 'time',
  notation: Notation,
): ReadResult {
  if (text.length > VALUE_CHARACTERS_MAX) return null
  const trimmed = text.trim()
  if (format === 'time') {
    return clockPattern.test(trimmed) ? zoned(notation, (zone) => zonedClock(trimmed, zone)) : null
  }
  const [, iso, clock] = isoLocal.exec(trimmed) ?? []
  if (iso !== undefined) return timeFrom({ day: iso, clock }, format, notation)
  const found = dayPattern.exec(trimmed)
  if (!found) return null
  const day = dayOf(found, notation)
  return typeof day === 'string' ? timeFrom({ day, clock: found[5] }, format, notation) : day
}

/** Returns an ISO 8601 date, or why it is not known. */
function dayOf(found: RegExpExecArray, { order, is_given }: Notation): string | ReadResult {
  const [, first = '', , second = '', year = ''] = found
  const sure = impliedOrder(found)
  if (is_given && sure !== null && order !== sure) {
    return { refused: `does not match the date notation of the locale: it is ${sure}` }
  }
  const [day_first, month_first] = [isoDay(year, second, first), isoDay(year, first, second)]
  const known = sure ?? order
  if (known === null && day_first !== month_first) {
    const both = `could be ${day_first} or ${month_first}`
    return { refused: `${both}; choose with locale, such as nl-NL or en-US`, is_ambiguous: true }
  }
  return known === 'month-first' ? month_first : day_first
}

/** Returns the order that a date implies, or null. Dates with dots are never month-first. */
function impliedOrder([, first, mark, second]: RegExpExecArray):
  | 'day-first'
  | 'month-first'
  | null {
  if (mark === '.' || Number(first) > 12) return 'day-first'
  return Number(second) > 12 ? 'month-first' : null
}

function isoDay(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function timeFrom(
  { day, clock }: { day: string; clock: string | undefined },
  format: 'date' | 'date-time',
  notation: Notation,
): ReadResult {
  if (format === 'date') {
    return clock === undefined || /^0?0:00(?::00(?:\.0+)?)?$/.test(clock) ? { value: day } : null
  }
  return zoned(notation, ({ timezone }) => {
    const time = Temporal.PlainDateTime.from(`${day}T${fullClock(clock ?? '00:00')}`)
    return time.toZonedDateTime(timezone).toInstant().toString()
  })
}

function zoned({ zone }: Notation, read: (zone: TimeZone) => string): ReadResult {
  if (zone === null) {
    return { refused: 'has no time zone; set timezone, such as Europe/Amsterdam' }
  }
  try {
    return { value: read(zone) }
  } catch {
    return { refused: 'is not a valid date or time' }
  }
}

/** Returns for example `10:30:00+01:00`, with the present offset. Throws if the time does not exist. */
export function zonedClock(clock: string, { timezone, now_ms }: TimeZone): string {
  const now = Temporal.Instant.fromEpochMilliseconds(now_ms).toZonedDateTimeISO(timezone)
  return Temporal.PlainTime.from(fullClock(clock)).toString() + now.offset
}

/** Returns `09:00` for `9:00`. */
function fullClock(clock: string): string {
  return clock.indexOf(':') === 1 ? `0${clock}` : clock
}

const yes = 'true yes 1 waar ja wahr vrai oui verdadero si sí vero prawda tak verdadeiro sim'
const no = 'false no 0 onwaar nee falsch nein faux non falso fałsz nie não'
const booleans = new Map([
  ...yes.split(' ').map((word) => [word, true] as const),
  ...no.split(' ').map((word) => [word, false] as const),
])

export function readBoolean(text: string): ReadResult {
  if (text.length > VALUE_CHARACTERS_MAX) return null
  const value = booleans.get(text.trim().toLowerCase())
  return value === undefined ? null : { value }
}

const dayFirstWords = /^(?:waar|onwaar|nee|wahr|falsch|nein|vrai|faux|oui|non|verdadero|vero)$/i

/** What a text implies about the notation of its file. */
export interface Evidence {
  decimal?: '.' | ','
  order?: 'day-first' | 'month-first'
}

export function evidenceOf(text: string, kind: 'number' | 'boolean' | 'time'): Evidence {
  if (text.length > VALUE_CHARACTERS_MAX) return {}
  if (kind === 'boolean') return dayFirstWords.test(text.trim()) ? { order: 'day-first' } : {}
  if (kind === 'number') {
    const read = numberIn(text)
    return read?.is === 'clear' && read.decimal !== null ? { decimal: read.decimal } : {}
  }
  const found = dayPattern.exec(text.trim())
  const order = found && impliedOrder(found)
  return order ? { order } : {}
}
