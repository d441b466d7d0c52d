/**
 * Parses numbers, dates and booleans in the notation of a country: `1.234,56`, `31-12-2024`,
 * `WAAR`. Ambiguous text is refused until a locale or other values of the file determine the
 * notation. Pure functions.
 */

import { INEXACT_NUMBER, isExactNumber } from '../values/exact-number.ts'
import {
  clockOf,
  expandYear,
  isoDay,
  readLocalClock,
  readLocalTime,
  withAsciiDigits,
} from './local-dates.ts'
import { keyOf, localeTextsOf, type LocaleTexts } from './locale-texts.ts'

export interface Notation {
  /** Null: not known. */
  decimal: '.' | ',' | null
  order: 'day-first' | 'month-first' | null
  /** The locale of the request; other notations are then refused. */
  locale: LocaleTexts | null
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
export function notationOf(tag: string): Pick<Notation, 'decimal' | 'order' | 'locale'> | null {
  const locale = localeTextsOf(tag)
  if (locale === null) return null
  const [first] = locale.order
  const order = first === 'day' ? 'day-first' : first === 'month' ? 'month-first' : null
  return { decimal: locale.decimal, order, locale }
}

/** Longer text is never a number, date or boolean. */
const VALUE_CHARACTERS_MAX = 400

/** `€`, `US$`, `$ US`: symbols that need no locale, and names that some programs write. */
const symbol = /^(?:[A-Z]{1,3} ?)?\p{Sc}(?: ?[A-Z]{2,3})?$/u
const currencyNames = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...'kr kr. zł Kč Ft Fr. SFr. TL lei'.split(' '),
])
/** A text before the first digit, and after the last one. */
const around = /^(\D*)(\d(?:.*\d)?)(\D*)$/s
const minus = /[-−–﹣－]/g
/** Digits, or a number with an exponent, whose decimal mark is always a point. */
const plainNumber = /^(?:\d+|\d+(?:\.\d*)?e[+-]?\d+)$/i
const singleMark = /^(\d+)([.,])(\d+)$/
const grouped = /^(\d{1,3}(?:([.,' ])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/
/** India writes `12,34,567.50`. */
const groupedInIndia = /^(\d{1,2}(?:,\d\d)+,\d{3})(?:\.(\d+))?$/

/** Numbers as JavaScript writes them, because a double may round them. */
type NumberText = { is_money: boolean } & (
  | { is: 'clear'; plain: string; decimal: '.' | ',' | null }
  /** Ambiguous text such as `1.234`: decimal mark or thousands separator. */
  | { is: 'either'; mark: '.' | ','; whole: string; broken: string }
)

function numberIn(text: string, locale: LocaleTexts | null): NumberText | null {
  if (text.length > VALUE_CHARACTERS_MAX) return null
  const plain = withAsciiDigits(text, locale)
  const zero = zeroAmount(plain, locale)
  if (zero) return zero
  const [, before = '', digits = '', after = ''] = around.exec(plain) ?? []
  const signed = signOf(before, after)
  if (digits === '' || signed === null) return null
  const { sign, affixes } = signed
  if (!affixes.every((affix) => affix === '' || isCurrency(affix, locale))) return null
  const is_money = affixes.some((affix) => affix !== '')
  const bare = digits.replaceAll(/[’ʼ]/g, "'")
  if (plainNumber.test(bare)) return { is: 'clear', plain: sign + bare, decimal: null, is_money }
  const read = withOneMark(bare, sign) ?? withGroups(bare, sign)
  return read && { ...read, is_money }
}

/** Spreadsheets write an amount of zero as `€ -` in their format for accounting. */
function zeroAmount(text: string, locale: LocaleTexts | null): NumberText | null {
  const [, before = '', after = ''] = /^([^-]*)-([^-]*)$/.exec(text) ?? []
  const is_zero = before.trim() !== '' && after.trim() === '' && isCurrency(before.trim(), locale)
  return is_zero ? { is: 'clear', plain: '0', decimal: null, is_money: true } : null
}

const signTexts = new Map([
  ['', ''],
  ['+', ''],
  ['-', '-'],
  ['()', '-'],
])

/** Takes one sign, or the brackets of a negative amount, from the texts around the digits. */
function signOf(before: string, after: string): { sign: string; affixes: string[] } | null {
  const [left, right] = [trimSigns(before), trimSigns(after)]
  const signs = left.signs + right.signs
  const affixes = [left.rest, right.rest]
  const sign = signTexts.get(signs)
  const is_open = signs === '()' && (!before.includes('(') || !after.includes(')'))
  return sign === undefined || is_open ? null : { sign, affixes }
}

/** Takes signs, brackets and spaces from both ends. */
function trimSigns(text: string): { signs: string; rest: string } {
  const plain = text.replaceAll(minus, '-')
  const isEdge = (character: string | undefined) => /^[-+()\s]$/.test(character ?? '')
  let [start, end] = [0, plain.length]
  while (start < end && isEdge(plain[start])) start += 1
  while (end > start && isEdge(plain[end - 1])) end -= 1
  const signs = (plain.slice(0, start) + plain.slice(end)).replaceAll(/\s/g, '')
  return { signs, rest: plain.slice(start, end) }
}

function isCurrency(text: string, locale: LocaleTexts | null): boolean {
  if (symbol.test(text) || currencyNames.has(text)) return true
  return locale !== null && locale.currencies.has(keyOf(text, locale.tag))
}

type BareNumber =
  | Omit<Extract<NumberText, { is: 'clear' }>, 'is_money'>
  | Omit<Extract<NumberText, { is: 'either' }>, 'is_money'>

function withOneMark(bare: string, sign: string): BareNumber | null {
  const [, before = '', mark, after = ''] = singleMark.exec(bare) ?? []
  if (mark !== '.' && mark !== ',') return null
  const broken = `${sign}${before}.${after}`
  const is_decimal = after.length !== 3 || before.length > 3 || before.startsWith('0')
  if (is_decimal) return { is: 'clear', plain: broken, decimal: mark }
  return { is: 'either', mark, whole: sign + before + after, broken }
}

const otherMark: Readonly<Record<string, '.' | ','>> = { '.': ',', ',': '.' }

function withGroups(bare: string, sign: string): BareNumber | null {
  const [, indian, part = '0'] = groupedInIndia.exec(bare) ?? []
  if (indian !== undefined) {
    return { is: 'clear', plain: `${sign}${indian.replaceAll(',', '')}.${part}`, decimal: '.' }
  }
  const [, digits = '', group = '', point, fraction = '0'] = grouped.exec(bare) ?? []
  if (digits === '' || group === point) return null
  const plain = `${sign}${digits.replaceAll(/\D/g, '')}.${fraction}`
  const written = point === '.' || point === ',' ? point : null
  return { is: 'clear', plain, decimal: written ?? otherMark[group] ?? null }
}

/** Parses `12,50`, `1.234,56`, `-€ 12,50`, `($45.00)`, `12,50-` and similar. */
export function readNumber(text: string, notation: Notation): ReadResult {
  const { locale, json_numbers } = notation
  const read = numberIn(text, locale)
  if (read === null) return null
  const decimal = locale && read.is_money ? locale.money_decimal : notation.decimal
  if (read.is === 'clear') {
    const is_other = locale !== null && read.decimal !== null && read.decimal !== decimal
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

const clockText = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?: ?([ap])\.?m\.?)?`
const dayPattern = new RegExp(
  String.raw`^(\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d\d)(?:,?[ T]+${clockText})?$`,
  'i',
)
const isoLocal = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?$/
const clockPattern = new RegExp(`^${clockText}$`, 'i')

/** Parses `31-12-2024`, `31.12.2024 14:30`, `12/31/24, 3:45 PM`, `9:00` and similar into the format. */
export function readTime(
  text: string,
  format: 'date' | 'date-time' | 'time',
  notation: Notation,
): ReadResult {
  if (text.length > VALUE_CHARACTERS_MAX) return null
  const { locale } = notation
  const plain = withAsciiDigits(text, locale)
  if (format === 'time') return timeOfDay(plain, notation)
  const [, iso, time] = isoLocal.exec(plain) ?? []
  if (iso !== undefined) return timeFrom({ day: iso, clock: time ?? null }, format, notation)
  const found = dayPattern.exec(plain)
  if (found && !needsLocale(found, locale)) {
    const day = dayOf(found, notation)
    const clock = clockIn(found.slice(5))
    if (typeof day !== 'string') return day
    return clock === undefined ? null : timeFrom({ day, clock }, format, notation)
  }
  const { day, clock } = (locale && readLocalTime(plain, locale)) ?? {}
  return day && clock !== undefined ? timeFrom({ day, clock }, format, notation) : null
}

/** Whether the locale decides where the year is, or which calendar it is of. */
function needsLocale(found: RegExpExecArray, locale: LocaleTexts | null): boolean {
  if (locale === null) return false
  return locale.calendar !== 'gregory' || (found[4]?.length === 2 && locale.order[0] === 'year')
}

/** Returns a time of 24 hours, null if there is none, and undefined if it is invalid. */
function clockIn(parts: readonly (string | undefined)[]): string | null | undefined {
  if (parts[0] === undefined) return null
  const half = parts[4]?.toLowerCase()
  return clockOf(parts.slice(0, 4), half === 'a' ? 'am' : half === 'p' ? 'pm' : null) ?? undefined
}

function timeOfDay(plain: string, notation: Notation): ReadResult {
  const { locale } = notation
  const found = clockPattern.exec(plain)
  const clock = found ? clockIn(found.slice(1)) : locale && readLocalClock(plain, locale)
  return clock ? zoned(notation, (zone) => zonedClock(clock, zone)) : null
}

/** Returns an ISO 8601 date, or why it is not known. */
function dayOf(found: RegExpExecArray, { order, locale }: Notation): string | ReadResult {
  const [, first = '', , second = '', short = ''] = found
  if (locale === null && short.length === 2) {
    const refused = 'has a year of two digits; choose with locale, such as nl-NL or en-US'
    return { refused, is_ambiguous: true }
  }
  const year = expandYear(short)
  const sure = impliedOrder(found)
  if (locale !== null && sure !== null && order !== sure) {
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

function timeFrom(
  { day, clock }: { day: string; clock: string | null },
  format: 'date' | 'date-time',
  notation: Notation,
): ReadResult {
  if (format === 'date') {
    return clock === null || /^0?0:00(?::00(?:\.0+)?)?$/.test(clock) ? { value: day } : null
  }
  return zoned(notation, ({ timezone }) => {
    const time = Temporal.PlainDateTime.from(`${day}T${clock ?? '00:00'}`)
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
    const read = numberIn(text, null)
    return read?.is === 'clear' && read.decimal !== null ? { decimal: read.decimal } : {}
  }
  const found = dayPattern.exec(withAsciiDigits(text, null))
  const order = found?.[4]?.length === 4 ? impliedOrder(found) : null
  return order ? { order } : {}
}
