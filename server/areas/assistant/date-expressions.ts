/**
 * Parses date expressions: "tomorrow", "on Saturday", "25 December", "at Easter". Pure: language
 * and current date are parameters. Names of weekdays and months come from Intl, other words from
 * the phrase catalogue.
 */
import type { FeastWords, Language } from '../../providers/model/language/language.ts'
import { phrases } from '../../providers/model/language/phrases.ts'
import {
  fold,
  findEntries,
  containsEntry,
  removeEntries,
} from '../../providers/model/language/words.ts'

const DATES_MAX = 4

/** Returns the dates that a text mentions, in order, none in the past. */
export function findDates(text: string, language: Language, today: Temporal.PlainDate): string[] {
  const { days } = phrases[language]
  const folded = fold(text)
  // "The day after tomorrow", "heute Morgen" and "guten Morgen" must not be read as tomorrow.
  const later = removeEntries(folded, days.day_after_tomorrow)
  const rest = removeEntries(later, days.today, phrases[language].cues.greeting)
  const found = [
    ...(containsEntry(folded, days.today) ? [today] : []),
    ...(containsEntry(rest, days.tomorrow) ? [today.add({ days: 1 })] : []),
    ...(later === folded ? [] : [today.add({ days: 2 })]),
    // "Lundi de Pâques" (Easter Monday) mentions no other Monday.
    ...weekdaysIn(removeEntries(folded, feastNamesOf(days.feasts)), language, today),
    ...feastsIn(folded, days.feasts, today),
    ...calendarDatesIn(folded, language, today),
  ]
  const dates = new Set(found.toSorted(Temporal.PlainDate.compare).map(String))
  return [...dates].slice(0, DATES_MAX)
}

function weekdaysIn(folded: string, language: Language, today: Temporal.PlainDate) {
  const named = weekdaysOf(language).flatMap((names, index) =>
    containsEntry(folded, names) ? [index + 1] : [],
  )
  const is_weekend = containsEntry(folded, phrases[language].days.weekend)
  return [...named, ...(is_weekend ? [6, 7] : [])].map((day) =>
    today.add({ days: (day - today.dayOfWeek + 7) % 7 }),
  )
}

function feastsIn(folded: string, words: FeastWords, today: Temporal.PlainDate) {
  const easter = comingEaster(today)
  const feasts: [readonly string[], Temporal.PlainDate][] = [
    [words.christmas_eve, coming(12, 24, today)],
    [words.christmas, coming(12, 25, today)],
    [words.boxing_day, coming(12, 26, today)],
    [words.new_years_eve, coming(12, 31, today)],
    [words.new_years_day, coming(1, 1, today)],
    [words.easter, easter],
    [words.easter_monday, easter.add({ days: 1 })],
  ]
  const named = findEntries(folded, feastNamesOf(words))
  return feasts
    .filter(([names]) => names.some((name) => named.includes(fold(name))))
    .map(([, date]) => date)
}

const feastNames = new Map<FeastWords, readonly string[]>()

/** Cached per language, so that its pattern is compiled once. */
function feastNamesOf(words: FeastWords): readonly string[] {
  const names = feastNames.get(words) ?? Object.values(words).flat()
  feastNames.set(words, names)
  return names
}

function calendarDatesIn(folded: string, language: Language, today: Temporal.PlainDate) {
  const found: Temporal.PlainDate[] = []
  for (const [index, names] of monthsOf(language).entries()) {
    const name = names.join('|')
    const before = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th|er|e)? (?:of |de |di )?(?:${name})\\b`)
    const after = new RegExp(`\\b(?:${name}) (?:the )?(\\d{1,2})(?:st|nd|rd|th)?\\b`)
    const day = Number(before.exec(folded)?.[1] ?? after.exec(folded)?.[1] ?? 0)
    if (isDay(index + 1, day)) found.push(coming(index + 1, day, today))
  }
  return found
}

function isDay(month: number, day: number): boolean {
  return day >= 1 && day <= new Temporal.PlainYearMonth(2028, month).daysInMonth
}

/**
 * Returns the next occurrence of a date, today included. 29 February becomes the last day of
 * February in other years.
 */
function coming(month: number, day: number, today: Temporal.PlainDate): Temporal.PlainDate {
  const on = (year: number) => Temporal.PlainDate.from({ year, month, day })
  const this_year = on(today.year)
  return Temporal.PlainDate.compare(this_year, today) < 0 ? on(today.year + 1) : this_year
}

/** On Easter Monday, this year's Easter is not past yet. */
function comingEaster(today: Temporal.PlainDate): Temporal.PlainDate {
  const this_year = easterOf(today.year)
  const is_past = Temporal.PlainDate.compare(this_year.add({ days: 1 }), today) < 0
  return is_past ? easterOf(today.year + 1) : this_year
}

/** Easter Sunday by the anonymous Gregorian computus. */
function easterOf(year: number): Temporal.PlainDate {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const leap_shift = Math.floor((century + 8) / 25)
  const moon_shift = Math.floor((century - leap_shift + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - moon_shift + 15) % 30
  const in_century = year % 100
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(in_century / 4) - epact - (in_century % 4)) % 7
  const correction = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * correction + 114
  return new Temporal.PlainDate(year, Math.floor(days / 31), (days % 31) + 1)
}

const weekdayNames = new Map<Language, string[][]>()
const monthNames = new Map<Language, string[][]>()

/** Names of the weekdays from Monday on, in the singular and the plural. */
function weekdaysOf(language: Language): string[][] {
  const names = weekdayNames.get(language) ?? namesOf(language, weekdaysOf2024, { weekday: 'long' })
  weekdayNames.set(language, names)
  return names
}

function monthsOf(language: Language): string[][] {
  const names = monthNames.get(language) ?? namesOf(language, monthsOf2024, { month: 'long' })
  monthNames.set(language, names)
  return names
}

// 1 January 2024 was a Monday.
const weekdaysOf2024 = Array.from({ length: 7 }, (_, index) => Date.UTC(2024, 0, index + 1))
const monthsOf2024 = Array.from({ length: 12 }, (_, index) => Date.UTC(2024, index, 15))

function namesOf(
  language: Language,
  moments: readonly number[],
  options: Intl.DateTimeFormatOptions,
): string[][] {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  return moments.map((moment) => {
    const name = fold(format.format(moment))
    return [name, `${name}s`, `${name}en`]
  })
}
