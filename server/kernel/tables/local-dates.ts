/**
 * Parses dates and times as a locale writes them: `31. Dezember 2024`, `12/31/24, 3:45 PM`,
 * `2024年12月31日`, `31.12.2024 klo 15.45`. Pure functions.
 */
import { keyOf, wordsIn, type LocaleTexts, type Word } from './locale-texts.ts'

export interface LocalTime {
  /** An ISO 8601 date that may not exist. */
  day: string
  /** Null if the text has only a date. */
  clock: string | null
}

const colonClock = /(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?/
const betweenPattern = /^[\s\p{P}]*$/u

/** Returns null if the text is no date of the locale. */
export function readLocalTime(text: string, locale: LocaleTexts): LocalTime | null {
  const parts = partsOfText(text, locale)
  if (parts === null) return null
  const { month, half, numbers, colons } = parts
  // The numbers of a date precede those of a time without colons.
  const day = dayOf(numbers.splice(0, month === null ? 3 : 2), month, locale)
  if (day === null) return null
  if (numbers.length === 0 && colons === null) return half === null ? { day, clock: null } : null
  const clock = clockOfParts(parts)
  return clock === null ? null : { day, clock }
}

/** Returns a time of 24 hours; null if the text is no time of the locale. */
export function readLocalClock(text: string, locale: LocaleTexts): string | null {
  const parts = partsOfText(text, locale)
  return parts && parts.month === null ? clockOfParts(parts) : null
}

interface TextParts {
  month: number | null
  half: 'am' | 'pm' | null
  numbers: string[]
  /** The numbers of a time with colons. */
  colons: (string | undefined)[] | null
}

function partsOfText(text: string, locale: LocaleTexts): TextParts | null {
  const [clock = '', ...colons] = colonClock.exec(text) ?? []
  const rest = text.replace(clock, ' ')
  const words = meaningOf(wordsIn(rest), locale)
  if (words === null || !betweenPattern.test(withoutWords(rest))) return null
  return { ...words, numbers: rest.match(/\d+/g) ?? [], colons: clock === '' ? null : colons }
}

function clockOfParts({ numbers, colons, half }: TextParts): string | null {
  return colons === null || numbers.length === 0 ? clockOf(colons ?? numbers, half) : null
}

function withoutWords(text: string): string {
  return text.replaceAll(/[\p{L}\p{M}\u200c\d]+/gu, '')
}

/** Replaces the digits and number marks of the locale, and removes marks of direction. */
export function withAsciiDigits(text: string, locale: LocaleTexts | null): string {
  const plain = text
    .replaceAll(/[\u061c\u200e\u200f\u2066-\u2069]/g, '')
    .replaceAll(/\p{Zs}/gu, ' ')
    .trim()
  if (locale === null || locale.digits.size === 0) return plain
  const marks: Record<string, string> = {
    '٫': locale.decimal,
    '٬': locale.decimal === '.' ? ',' : '.',
  }
  return Array.from(plain, (sign) => locale.digits.get(sign) ?? marks[sign] ?? sign).join('')
}

interface Meaning {
  month: number | null
  half: 'am' | 'pm' | null
}

/** Returns null if a word is unknown, or if two contradict each other. */
function meaningOf(words: readonly string[], locale: LocaleTexts): Meaning | null {
  const parts: Word[] = []
  for (const word of words) {
    const read = partsOf(word, locale) ?? splitAtDots(word, locale)
    if (read === null) return null
    parts.push(...read)
  }
  const months = parts.flatMap((part) => (part !== 'other' && 'month' in part ? part.month : []))
  const halves = parts.flatMap((part) => (part !== 'other' && 'half' in part ? part.half : []))
  if (months.length > 1 || halves.length > 1) return null
  return { month: months[0] ?? null, half: halves[0] ?? null }
}

function splitAtDots(word: string, locale: LocaleTexts): Word[] | null {
  const pieces = word.split('.').map((piece) => partsOf(piece.trim(), locale))
  return pieces.every((piece) => piece !== null) ? pieces.flat() : null
}

/** The meanings of a word, which may be two words without a space: `日火曜日`, `בדצמבר`. */
function partsOf(word: string, { words, tag }: LocaleTexts): Word[] | null {
  const key = keyOf(word, tag)
  const whole = words.get(key)
  if (whole) return [whole]
  for (let at = 1; at < key.length; at += 1) {
    const [before, after] = [words.get(key.slice(0, at)), words.get(key.slice(at))]
    if (before && after) return [before, after]
  }
  return null
}

/** Returns null if the numbers are no date of the locale. */
function dayOf(
  numbers: readonly string[],
  named: number | null,
  locale: LocaleTexts,
): string | null {
  const order = orderOf(numbers, named, locale)
  if (order === null) return null
  const part = (name: string) => numbers[order.indexOf(name)] ?? ''
  const month = named ?? Number(part('month'))
  return isoDate({ day: Number(part('day')), month, year: part('year') }, locale)
}

/** Four digits are the year, wherever the locale has it; a year at the end is never first. */
function orderOf(
  numbers: readonly string[],
  named: number | null,
  { order }: LocaleTexts,
): readonly string[] | null {
  const own = named === null ? order : order.filter((name) => name !== 'month')
  if (numbers.length !== own.length) return null
  const long = numbers.flatMap((number, at) => (number.length > 2 ? [at] : []))
  if (long.length === 0 || (long.length === 1 && own[long[0] ?? 0] === 'year')) return own
  if (long.length > 1) return null
  if (long[0] === 0) return named === null ? ['year', 'month', 'day'] : ['year', 'day']
  return named !== null ? ['day', 'year'] : null
}

/** Years of two digits from here on are of the last century, as in spreadsheets. */
const PIVOT = 30

interface Numbers {
  day: number
  month: number
  year: string
}

/** A year of a usual length of time is Gregorian, also in a locale with another calendar. */
function isoDate({ day, month, year }: Numbers, { calendar }: LocaleTexts): string | null {
  const whole = Number(year)
  const is_gregorian = calendar === 'gregory' || (whole >= 1800 && whole <= 2200)
  if (year.length !== 4 && (year.length !== 2 || calendar !== 'gregory')) return null
  if (is_gregorian) return isoDay(expandYear(year), String(month), String(day))
  try {
    const date = Temporal.PlainDate.from(
      { year: whole, month, day, calendar },
      { overflow: 'reject' },
    )
    return date.withCalendar('iso8601').toString()
  } catch {
    return null
  }
}

/** Returns `2024` for `24`, and a year of four digits as it is. */
export function expandYear(year: string): string {
  if (year.length !== 2) return year
  return (Number(year) < PIVOT ? '20' : '19') + year
}

export function isoDay(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Returns a time of 24 hours; null if the numbers are no time of this half of the day. */
export function clockOf(
  [hour = '', minute = '', second = '00', fraction]: readonly (string | undefined)[],
  half: 'am' | 'pm' | null,
): string | null {
  if (!/^\d{1,2} \d\d \d\d$/.test(`${hour} ${minute} ${second}`)) return null
  const hours = half === null ? Number(hour) : hourOfHalf(Number(hour), half)
  if (hours === null) return null
  const clock = `${String(hours).padStart(2, '0')}:${minute}:${second}`
  return fraction === undefined ? clock : `${clock}.${fraction}`
}

function hourOfHalf(hour: number, half: 'am' | 'pm'): number | null {
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}
