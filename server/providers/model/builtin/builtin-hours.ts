/**
 * Answers about opening hours from precomputed data. Only selects the relevant days and formats
 * days and times.
 */
import type { DayKnowledge, HoursKnowledge } from './knowledge.ts'
import type { Language } from '../language/language.ts'
import { phrases } from '../language/phrases.ts'
import { capitalise, fillTemplate } from '../language/speech.ts'
import { containsEntry, fold } from '../language/words.ts'
import { classify, isClassified, topicNames } from '../understanding/topics.ts'

/** Probability of the topic that is enough, and that confirms a word for opening hours. */
const HOURS_SURE = 0.5
const HOURS_LIKELY = 0.1

/** Whether a text asks for opening hours. */
export function asksForHours(said: string, language: Language, names_day: boolean): boolean {
  const folded = fold(said)
  const { opening, visiting, now } = phrases[language].cues
  const has_words =
    containsEntry(folded, opening) ||
    (containsEntry(folded, visiting) && (names_day || containsEntry(folded, now)))
  if (!isClassified(language)) return has_words
  const probability = classify(said, language)[topicNames().indexOf('hours')] ?? 0
  return probability >= (has_words ? HOURS_LIKELY : HOURS_SURE)
}

export function describeHours(folded: string, language: Language, hours: HoursKnowledge): string {
  const { now, schedule } = phrases[language].cues
  if (hours.asked.length > 0 && !containsEntry(folded, now)) {
    return hours.asked.map((day) => sayDay(day, language, hours.today)).join(' ')
  }
  return containsEntry(folded, schedule) ? sayWeek(hours.week, language) : sayNow(language, hours)
}

function sayNow(language: Language, { open, closes, opens, today }: HoursKnowledge): string {
  const sentences = phrases[language].hours
  if (open && closes === null) return sentences.open_now
  if (open)
    return fillTemplate(sentences.open_now_until, { time: sayTime(closes?.time ?? '', language) })
  if (opens === null) return sentences.closed_now
  const Day = capitalise(nameDate(opens.date, language, today))
  const next = fillTemplate(sentences.opens_next, { Day, time: sayTime(opens.time, language) })
  return `${sentences.closed_now} ${next}`
}

function sayDay(day: DayKnowledge, language: Language, today: string): string {
  return sayRanges(nameDate(day.date, language, today), day, language)
}

/** Starts with Monday; groups consecutive days with the same hours. */
function sayWeek(week: readonly DayKnowledge[], language: Language): string {
  const groups: DayKnowledge[][] = []
  for (const day of week.toSorted((a, b) => weekday(a) - weekday(b))) {
    const last = groups.at(-1)
    if (last !== undefined && sayHoursOf(last[0]) === sayHoursOf(day)) last.push(day)
    else groups.push([day])
  }
  return groups.map((group) => sayGroup(group, language)).join(' ')
}

function sayGroup(group: readonly DayKnowledge[], language: Language): string {
  const [first, ...rest] = group
  const last = rest.at(-1)
  if (first === undefined) return ''
  const { through, on_date } = phrases[language].hours
  const from = nameWeekday(first.date, language)
  const name = last
    ? fillTemplate(through, { from, to: nameWeekday(last.date, language) })
    : fillTemplate(on_date, { date: from })
  return sayRanges(name, first, language)
}

function sayHoursOf(day: DayKnowledge | undefined): string {
  return JSON.stringify([day?.ranges, day?.closed_because])
}

function weekday(day: DayKnowledge): number {
  return Temporal.PlainDate.from(day.date).dayOfWeek
}

function sayRanges(name: string, day: DayKnowledge, language: Language): string {
  const { open_on, closed_on, closed_on_because, range } = phrases[language].hours
  const Day = capitalise(name)
  if (day.closed_because)
    return fillTemplate(closed_on_because, { Day, reason: day.closed_because })
  if (day.ranges.length === 0) return fillTemplate(closed_on, { Day })
  const ranges = day.ranges.map(({ from, to }) =>
    fillTemplate(range, { from: sayTime(from, language), to: sayTime(to, language) }),
  )
  return fillTemplate(open_on, { Day, ranges: new Intl.ListFormat(language).format(ranges) })
}

function sayTime(time: string, language: Language): string {
  const [hour = '', minute = ''] = time.split(':')
  const { time: template, whole } = phrases[language].hours
  return fillTemplate(minute === '00' ? whole : template, { h: String(Number(hour)), mm: minute })
}

function nameDate(date: string, language: Language, today: string): string {
  const { today: now, tomorrow, on_date } = phrases[language].hours
  if (date === today) return now
  if (date === Temporal.PlainDate.from(today).add({ days: 1 }).toString()) return tomorrow
  const options = { weekday: 'long', day: 'numeric', month: 'long' } as const
  return fillTemplate(on_date, {
    date: Temporal.PlainDate.from(date).toLocaleString(language, options),
  })
}

function nameWeekday(date: string, language: Language): string {
  return Temporal.PlainDate.from(date).toLocaleString(language, { weekday: 'long' })
}
