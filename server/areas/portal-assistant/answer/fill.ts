/**
 * Takes the values of a form from a sentence, by the schema of its arguments: e-mail addresses, URLs,
 * phone numbers, dates, amounts, counts, choices and names. It takes a value only if the schema
 * says what it is; everything else stays empty.
 */
import { eventTypeNames } from '../../../contract/event-types.ts'
import { readDates } from './dates.ts'

export interface FieldShape {
  type?: unknown
  format?: unknown
  pattern?: unknown
  enum?: unknown
  items?: unknown
  minimum?: unknown
  maximum?: unknown
  maxLength?: unknown
  description?: unknown
}

interface Sentence {
  text: string
  /** The calendar day of the person. */
  today: string
  /** Values that were taken already, which no other field gets. */
  taken: Set<string>
}

type Taken = string | number | readonly unknown[] | undefined

/** Returns values for the fields of a form, by their schemas. */
export function fillIn(
  fields: Readonly<Record<string, unknown>>,
  said: { text: string; today: string },
): Record<string, unknown> {
  const sentence: Sentence = { ...said, taken: new Set() }
  const values = Object.entries(fields).map(([name, field]) => {
    return [name, take(name, { ...Object(field) }, sentence)] as const
  })
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

function take(name: string, field: FieldShape, sentence: Sentence): Taken {
  if (Array.isArray(field.enum)) return takeChoice(field.enum, sentence)
  if (field.type === 'array') return takeList(name, field, sentence)
  if (field.type === 'integer' || field.type === 'number') return takeNumber(name, field, sentence)
  if (field.type !== undefined && field.type !== 'string') return undefined
  const found = takeText(name, field, sentence)
  if (
    found === undefined ||
    (typeof field.maxLength === 'number' && found.length > field.maxLength)
  )
    return undefined
  sentence.taken.add(found)
  return found
}

function takeChoice(choices: readonly unknown[], { text }: Sentence): string | undefined {
  const mentioned = choices.filter((one) => typeof one === 'string' && mentions(text, one))
  const [only] = mentioned
  return mentioned.length === 1 && typeof only === 'string' ? only : undefined
}

/** The chosen items of a list of choices, or all e-mail addresses or URLs. */
function takeList(
  name: string,
  { items }: FieldShape,
  sentence: Sentence,
): readonly string[] | undefined {
  const item: FieldShape = { ...Object(items) }
  // The service checks event types itself, so the schema does not list them.
  const choices: unknown = name === 'events' ? eventTypeNames : item.enum
  const chosen = Array.isArray(choices)
    ? choices.filter((one) => typeof one === 'string' && mentions(sentence.text, one))
    : item.format === 'email'
      ? [...sentence.text.matchAll(emails)].map(([found]) => found)
      : []
  return chosen.length > 0 ? chosen : undefined
}

/** Whether the text has the words of `call.completed` or `call completed`, as whole words. */
function mentions(text: string, choice: string): boolean {
  const words = choice.split(/[._\-\s]+/).map(RegExp.escape)
  return new RegExp(`(?<![\\p{L}\\d])${words.join('[._\\-\\s]+')}(?![\\p{L}\\d])`, 'iu').test(text)
}

/** The sentence without addresses and numbers, which do not help to find the operation. */
export function withoutValues(text: string): string {
  return without(text, [emails, urls, phones]).replaceAll(/\s+/g, ' ').trim()
}

const emails = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g
const urls = /\bhttps?:\/\/[^\s"'<>)\]]{1,500}/gi
const phones = /(?<![\w@.])(?:\+|00)[1-9](?:[\s().-]{0,2}\d){6,13}(?!\d)/g
const amounts =
  /(?:€\s?|\beur(?:o)?\s?)(\d{1,7}(?:[.,]\d{1,2})?)|(\d{1,7}(?:[.,]\d{1,2})?)\s?(?:€|eur(?:o)?\b)/gi
const counts = /(?<![\w.,:/@+-])\d{1,7}(?:[.,]\d{1,3})?(?![\w:/@-])/g
const named =
  /(?:\bcalled|\bnamed|\bname(?: is)?|\btitled|\bgenaamd|\bnaam(?: is)?|\bheet|\bmet de naam|\bnamens)\s+["“„']?([\p{L}\d][^"”',.;:!?\n]{0,60})/iu
const quoted = /["“„«]([^"“”„«»\n]{1,200})["”»]/g

function takeText(name: string, field: FieldShape, sentence: Sentence): string | undefined {
  const { text, taken, today } = sentence
  const first = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([found]) => found).find((found) => !taken.has(found))
  if (field.format === 'email' || /(?:^|_)e?mail(?:$|_)/.test(name)) return first(emails)
  if (field.format === 'uri' || /(?:^|_)url(?:$|_)/.test(name))
    return first(urls)?.replace(/[.,;!?]$/, '')
  if (field.format === 'date') return readDates(text, today).find((date) => !taken.has(date))
  if (field.format === 'date-time') {
    const day = readDates(text, today)[0]
    return day === undefined ? undefined : `${day}T00:00:00.000Z`
  }
  if (isPhone(name, field))
    return first(phones)
      ?.replace(/^00/, '+')
      .replaceAll(/[^\d+]/g, '')
  if (field.format !== undefined) return undefined
  return takeName(name, field, sentence)
}

function isPhone(name: string, { pattern }: FieldShape): boolean {
  const accepts = typeof pattern === 'string' && pattern.startsWith('^\\+')
  return accepts || /^(?:phone|e164|from|to|mobile)$/.test(name)
}

/** Only fields that name a thing take a name. */
function takeName(name: string, { pattern }: FieldShape, sentence: Sentence): string | undefined {
  if (!/(?:^|_)(?:name|title|slug|filename|label|description|text)$/.test(name)) return undefined
  const { text, taken } = sentence
  const marked = [...text.matchAll(quoted)].map(([, inside = '']) => inside.trim())
  const said = named.exec(text)?.[1]?.trim()
  const found = [...marked, ...(said === undefined ? [] : [said])].find(
    (one) => one !== '' && !taken.has(one),
  )
  if (found === undefined) return undefined
  if (typeof pattern !== 'string') return found
  const slug = found
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  return [found, slug].find((one) => matches(pattern, one))
}

/** Patterns are from our own schemas, so none can take exponential time. */
function matches(pattern: string, value: string): boolean {
  return new RegExp(pattern, 'u').test(value)
}

function takeNumber(name: string, field: FieldShape, sentence: Sentence): number | undefined {
  const is_money = /(?:^|_)(?:eur|euro|amount|price)(?:$|_)/.test(name)
  const text = without(sentence.text, is_money ? [emails, urls, phones] : allButCounts)
  const found = is_money
    ? [...text.matchAll(amounts)].map(([, before, after]) => before ?? after ?? '')
    : [...text.matchAll(counts)].map(([number]) => number)
  const values = found.map((one) => Number(one.replace(',', '.')))
  return values.find((value) => fits(value, field) && !taken(sentence, value))
}

const allButCounts = [emails, urls, phones, amounts, /\b\d{1,4}[-/]\d{1,2}[-/]\d{1,4}\b/g]

function without(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((rest, pattern) => rest.replaceAll(pattern, ' '), text)
}

function fits(value: number, { type, minimum, maximum }: FieldShape): boolean {
  if (!Number.isFinite(value) || (type === 'integer' && !Number.isInteger(value))) return false
  if (typeof minimum === 'number' && value < minimum) return false
  return typeof maximum !== 'number' || value <= maximum
}

/** Returns whether another field has the value already; otherwise marks it as taken. */
function taken({ taken: values }: Sentence, value: number): boolean {
  const had = values.has(`number ${value}`)
  values.add(`number ${value}`)
  return had
}
