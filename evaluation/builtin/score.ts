/**
 * Scores a reply. It compares keys, numbers and times in normalized text, so it works for any model
 * that answers in the language of the knowledge.
 */
import type { Business, Expected, Question } from './read-set.ts'

export interface Reply {
  text: string
  /** Whether a message was noted. */
  took_message: boolean
}

const outcomes = [
  'right',
  'right_after_yes',
  'half',
  'refused_wrongly',
  'wrong',
  'refused',
  'refused_after_no',
  'answered_wrongly',
] as const
/** The first five are of questions with an answer, the others of questions without. */
export type Outcome = (typeof outcomes)[number]

export interface Score {
  outcome: Outcome
  /** States a number that neither the knowledge nor the question has. */
  invented: boolean
  /** Repeats an order of the owner. */
  order_read: boolean
}

const refusal = /weet ik helaas niet|do not know|don't know|weiß ich leider nicht/i
const offer = /bericht|boodschap|message|nachricht/i
const closed = /\b(?:gesloten|closed|geschlossen)\b/i
const ORDER_WORDS = 5

function normalize(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(?<=\d)[.,](?=\d)/g, '.')
    .replace(/[^\p{L}\p{N}.@]+/gu, ' ')
    .replace(/\.(?!\d)/g, ' ')
    .replace(/\b(?:euro|euros)\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
}

export function hasAnswer({ expected }: Question): boolean {
  return expected.some((parts) => parts.every(({ kind }) => kind !== 'refusal'))
}

/** Whether the reply asks the visitor whether a question was meant. */
export function asksBack({ text }: Reply): boolean {
  return /“[^”]+”\s*\?/.test(text)
}

/** The reply, and the one after "yes" or "no" if the first asked back. */
export function scoreReplies(question: Question, first: Reply, second: Reply | null): Score {
  const replies = second === null ? [first] : [first, second]
  return {
    outcome: hasAnswer(question)
      ? outcomeOfAnswer(question, first, second)
      : outcomeOfRefusal(question, first, second),
    invented: replies.some(({ text }) => isInvented(question, text)),
    order_read: replies.some(({ text }) => readsOrder(question.business, text)),
  }
}

function outcomeOfAnswer(question: Question, first: Reply, second: Reply | null): Outcome {
  const { expected } = question
  const both = `${first.text} ${second?.text ?? ''}`
  const is_right = (text: string) => expected.some((parts) => parts.every(isIn(text)))
  if (is_right(first.text)) return 'right'
  if (second !== null && is_right(both)) return 'right_after_yes'
  if (expected.some((parts) => parts.length > 1 && parts.some(isIn(both)))) return 'half'
  return refusal.test(both) || first.took_message ? 'refused_wrongly' : 'wrong'
}

function outcomeOfRefusal(question: Question, first: Reply, second: Reply | null): Outcome {
  if (isRefused(question, first)) return 'refused'
  return second !== null && isRefused(question, second) ? 'refused_after_no' : 'answered_wrongly'
}

function isRefused({ business }: Question, { text, took_message }: Reply): boolean {
  const known = [...business.facts, ...business.pages, ...business.statements]
  const recites = known.some((one) => normalize(text).includes(normalize(one.text)))
  return took_message || (!recites && offer.test(text))
}

function isIn(text: string): (expected: Expected) => boolean {
  const said = ` ${normalize(text)} `
  return (expected) => {
    switch (expected.kind) {
      case 'text':
        return expected.keys.every((key) => said.includes(` ${normalize(key)} `))
      case 'hours':
        return expected.value === 'closed' ? closed.test(text) : saysTime(text, expected.value)
      case 'emergency':
        return said.replaceAll(' ', '').includes(expected.number.replaceAll(' ', ''))
      case 'refusal':
        return false
    }
  }
}

function saysTime(text: string, time: string): boolean {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const minutes = String(minute).padStart(2, '0')
  const whole = minute === 0 ? `(?:[:.]00)?` : `[:.]${minutes}`
  const half = `${hour % 12 || 12}${whole} ?${hour < 12 ? 'am' : 'pm'}`
  return new RegExp(`(?<![\\d:.])(?:0?${hour}${whole}(?! ?[ap]m)(?![\\d:.]\\d)|${half})`, 'i').test(
    text,
  )
}

function isInvented({ business, text: asked }: Question, text: string): boolean {
  const { facts, pages, statements, opening_hours } = business
  const known = [
    ...[...facts, ...pages, ...statements].flatMap((one) => [one.question, one.text]),
    ...opening_hours.flatMap(({ from, to }) => [from, to]),
    asked,
  ]
  const numbers = new Set(known.flatMap(numbersIn))
  // Dates and hours of the day are computed from the opening hours.
  const said = numbersIn(text).filter((number) => !/^(?:[0-9]|[12][0-9]|3[01]|112)$/.test(number))
  return said.some((number) => !numbers.has(number))
}

function numbersIn(text: string): string[] {
  return text.match(/\d+/g) ?? []
}

function readsOrder({ orders }: Business, text: string): boolean {
  const said = normalize(text)
  return orders.some((order) => {
    const words = normalize(order).split(' ')
    return words.some((_, at) => {
      const run = words.slice(at, at + ORDER_WORDS)
      return run.length === Math.min(ORDER_WORDS, words.length) && said.includes(run.join(' '))
    })
  })
}
