/**
 * Reads the evaluation set: businesses with their knowledge, and questions with what counts as right.
 * README.md explains the format of the files.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const halves = ['open', 'unopened', 'fresh'] as const
export type Half = (typeof halves)[number]

/** Something that the assistant may say. The key is what a right answer contains. */
export interface KnownText {
  id: string
  /** The question of a fact; empty for pages and instructions. */
  question: string
  text: string
  keys: readonly string[]
}

export interface Business {
  id: string
  name: string
  language: string
  opening_hours: readonly { day: string; from: string; to: string }[]
  facts: readonly KnownText[]
  pages: readonly KnownText[]
  /** Sentences of the instructions that may be said. */
  statements: readonly KnownText[]
  orders: readonly string[]
  /** The whole text of the instructions: statements and orders in the sequence of the file. */
  instructions: string
}

export type Expected =
  | { kind: 'text'; keys: readonly string[] }
  | { kind: 'hours'; value: string }
  | { kind: 'refusal' }
  | { kind: 'emergency'; number: string }

export interface Question {
  business: Business
  kind: string
  language: string
  text: string
  /** Alternatives; each lists the parts of a complete answer. */
  expected: readonly (readonly Expected[])[]
}

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

export function readQuestions(half: Half): Question[] {
  const folder = join(import.meta.dirname, half)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .flatMap((file) => {
      const business = readBusiness(file)
      return linesOf(join(folder, file)).map((line) => questionOf(line, business))
    })
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

function readBusiness(file: string): Business {
  const lines = linesOf(join(import.meta.dirname, 'businesses', file))
  const texts = (kind: string) =>
    lines.filter((line) => line.startsWith(`${kind} `)).map((line) => knownText(kind, line))
  const value = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
  const spoken = lines.filter((line) => /^(?:say|order) /.test(line))
  return {
    id: file.replace('.txt', ''),
    name: value('name'),
    language: value('language'),
    opening_hours: value('hours').split(';').flatMap(rangesOf),
    facts: texts('fact'),
    pages: texts('page'),
    statements: texts('say'),
    orders: lines.filter((line) => line.startsWith('order ')).map(bodyOf),
    instructions: spoken.map(bodyOf).join(' '),
  }
}

/** The last column of a line, without the brackets around keys. */
function bodyOf(line: string): string {
  return withoutBrackets(line.slice(line.lastIndexOf(' | ') + 3))
}

function withoutBrackets(text: string): string {
  return text.replace(/[[\]]/g, '')
}

function knownText(kind: string, line: string): KnownText {
  const columns = line.slice(kind.length + 1).split(' | ')
  const [id = '', question = ''] = columns
  const body = columns.at(-1) ?? ''
  const keys = Array.from(body.matchAll(/\[([^\]]+)\]/g), ([, key = '']) => key)
  return { id, question: kind === 'fact' ? question : '', text: withoutBrackets(body), keys }
}

/** Reads "mon-fri 07:00-18:00"; "sun closed" has no range. */
function rangesOf(part: string): { day: string; from: string; to: string }[] {
  const [span = '', hours = ''] = part.trim().split(' ')
  const [from = '', to] = hours.split('-')
  if (to === undefined) return []
  const [first = '', last = first] = span.split('-')
  return days.slice(days.indexOf(first), days.indexOf(last) + 1).map((day) => ({ day, from, to }))
}

function questionOf(line: string, business: Business): Question {
  const [head = '', text = '', right = ''] = line.split(' | ')
  const [kind = '', language = ''] = head.split(' ')
  const expected = right
    .split('/')
    .map((parts) => parts.split('+').map((part) => expectedOf(part, business)))
  return { business, kind, language, text, expected }
}

function expectedOf(part: string, { id, facts, pages, statements }: Business): Expected {
  const [kind, value = ''] = part.split(/:(.*)/)
  if (part === 'refuse') return { kind: 'refusal' }
  if (kind === 'hours') return { kind, value }
  if (kind === 'emergency') return { kind, number: value }
  const known = [...facts, ...pages, ...statements].find((one) => one.id === part)
  if (known === undefined) throw new Error(`${id} has no text ${part}.`)
  return { kind: 'text', keys: known.keys }
}
