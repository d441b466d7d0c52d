/** Reads from a sentence in English or Dutch what starts an agent. Pure. */
import type { AgentInput } from '../schema.ts'

type Trigger = AgentInput['trigger']

const weekdays = [
  /\bsundays?\b|\bzondag(?:en)?\b/,
  /\bmondays?\b|\bmaandag(?:en)?\b/,
  /\btuesdays?\b|\bdinsdag(?:en)?\b/,
  /\bwednesdays?\b|\bwoensdag(?:en)?\b/,
  /\bthursdays?\b|\bdonderdag(?:en)?\b/,
  /\bfridays?\b|\bvrijdag(?:en)?\b/,
  /\bsaturdays?\b|\bzaterdag(?:en)?\b/,
]

const every =
  /\b(?:every|each|elke|elk|iedere|ieder|daily|weekly|monthly|hourly|weekdays|workdays|werkdagen|doordeweeks|dagelijks|wekelijks|maandelijks)\b/
/** `each new order` is an event, and no time. */
const everyOne =
  /\b(?:every|each|elke|elk|iedere|ieder)\s(?:(?:single|new|nieuwe?|paid|betaalde|missed|gemiste?)\s(?!(?:hour|day|weekday|workday|week|weekend|month|year|morning|noon|afternoon|evening|night|uur|dag|werkdag|maand|jaar|ochtend|middag|namiddag|avond|nacht)\b)|(?:time|keer)\b|(?:order|sale|bestelling|document|form|formulier|submission|inzending|call|gesprek|booking|boeking|sign-?up|aanmelding)\b)/
const hours: readonly (readonly [RegExp, number])[] = [
  [/\bmorning|\bochtend|\bmorgen\b/, 8],
  [/\bnoon\b|\bmiddag\b/, 12],
  [/\bafternoon|\bnamiddag/, 16],
  [/\bevening|\bavond/, 20],
  [/\bnight\b|\bnacht\b/, 23],
]
const clock = /\b(?:at|om)\s(?<hour>\d{1,2})(?:[:.](?<minute>\d{2}))?\s?(?<half>am|pm)?/

/** Returns null if the sentence names no times. */
export function readSchedule(sentence: string, timezone: string): Trigger | null {
  const day = weekdays.findIndex((one) => one.test(sentence))
  if ((!every.test(sentence) || isOnlyEvent(sentence)) && day === -1) return null
  if (/\bhourly\b|\b(?:every|each) hour\b|\b(?:elk|ieder) uur\b/.test(sentence))
    return { type: 'schedule', cron: '0 * * * *', timezone }
  const { hour, minute } = readTime(sentence)
  const of = (days: string): Trigger => ({
    type: 'schedule',
    cron: `${minute} ${hour} ${days}`,
    timezone,
  })
  if (day !== -1) return of(`* * ${day}`)
  if (/\b(?:work|week)days?\b|\bwerkdag(?:en)?\b|\bdoordeweeks\b/.test(sentence))
    return of('* * 1-5')
  if (/\bweekend(?:s|en)?\b/.test(sentence)) return of('* * 6')
  if (/\bweek(?:ly)?\b|\bwekelijks\b/.test(sentence)) return of('* * 1')
  if (/\bmonth(?:ly)?\b|\bmaand(?:elijks)?\b/.test(sentence)) return of('1 * *')
  return of('* * *')
}

/** Whether every `every` in the sentence is about things and not about times. */
function isOnlyEvent(sentence: string): boolean {
  return everyOne.test(sentence) && !every.test(sentence.replaceAll(new RegExp(everyOne, 'g'), ' '))
}

function readTime(sentence: string): { hour: number; minute: number } {
  const { hour, minute = '0', half } = clock.exec(sentence)?.groups ?? {}
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59)
    return { hour: hours.find(([words]) => words.test(sentence))?.[1] ?? 8, minute: 0 }
  const is_evening = half === 'pm' || (half === undefined && /\bevening|\bavond/.test(sentence))
  const shift = is_evening && Number(hour) < 12 ? 12 : 0
  return { hour: Number(hour) + shift, minute: Number(minute) }
}

export type EventKind = 'order' | 'call' | 'balance'

const kinds: readonly (readonly [EventKind, RegExp, Trigger])[] = [
  [
    'call',
    /\b(?:miss(?:ed)?|gemiste?n?)\b/,
    {
      type: 'event',
      event: 'call.completed',
      filter: 'call.status = "missed" and call.direction = "inbound"',
    },
  ],
  [
    'order',
    /\border(?:s|ed)?\b|\bbestell?ing(?:en)?\b|\bbestelt\b/,
    { type: 'event', event: 'order.paid' },
  ],
  ['balance', /\bbalance\b|\bsaldo\b/, { type: 'event', event: 'balance.low' }],
]

/** Returns null if the sentence names no event, other than a new document. */
export function readEvent(sentence: string): { kind: EventKind; trigger: Trigger } | null {
  for (const [kind, words, trigger] of kinds) if (words.test(sentence)) return { kind, trigger }
  return null
}

const comparison =
  /\b(?<sign>more than|over|at least|less than|fewer than|under|meer dan|minstens|minder dan)\s(?<count>\d{1,9})\s(?<field>[a-z_]{2,40})/

const signs: Readonly<Record<string, string>> = {
  'more than': '>',
  over: '>',
  'meer dan': '>',
  'at least': '>=',
  minstens: '>=',
  'less than': '<',
  'fewer than': '<',
  under: '<',
  'minder dan': '<',
}

/** A condition such as `document.data.guests > 6`; empty without one. */
export function readCondition(sentence: string): string {
  const { sign = '', count, field } = comparison.exec(sentence)?.groups ?? {}
  return field === undefined ? '' : ` and document.data.${field} ${signs[sign] ?? '>'} ${count}`
}
