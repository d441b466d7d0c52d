/** Reads questions and answers from a text that a person pastes, such as a page with questions. */
import type { Fact } from '../queries.ts'

export const QUESTION_MAX = 500
export const ANSWER_MAX = 2_000

export interface Pasted {
  facts: Fact[]
  /** Blocks in which no question with an answer was recognized. */
  unread: string[]
}

const LABELS = /^(?:q|a|question|answer|vraag|antwoord|frage|antwort)\s*[:.)]\s*/i

/**
 * Reads one fact from each line if question and answer are separated by a tab, `|` or the question
 * mark. Otherwise each block is a fact, and its first line is the question.
 */
export function readPasted(text: string): Pasted {
  const blocks = text
    .replaceAll('\r', '')
    .split(/\n[ \t]*\n/)
    .flatMap((block) => (isTable(block) ? block.split('\n') : [block]))
    .map((block) => block.trim())
    .filter((block) => block !== '')
  const pasted: Pasted = { facts: [], unread: [] }
  for (const block of blocks) {
    const fact = factIn(block)
    if (fact === null) pasted.unread.push(block)
    else pasted.facts.push(fact)
  }
  return pasted
}

/** Whether each line of a block is a fact. */
function isTable(block: string): boolean {
  const lines = block.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 1 && lines.every((line) => factInLine(line) !== null)
}

function factIn(block: string): Fact | null {
  const [first = '', ...rest] = block.split('\n').map((line) => line.replace(LABELS, '').trim())
  if (rest.length === 0) return factInLine(first)
  return factOf(first, rest.filter((line) => line !== '').join(' '))
}

function factInLine(line: string): Fact | null {
  const [, question = '', answer = ''] =
    /^([^\t|]+)[\t|](.+)$/.exec(line) ?? /^([^?]+\?)\s+(.+)$/.exec(line) ?? []
  return factOf(question.replace(LABELS, ''), answer.replace(LABELS, ''))
}

function factOf(question: string, answer: string): Fact | null {
  const fact = { question: question.trim(), answer: answer.trim() }
  const fits = fact.question.length <= QUESTION_MAX && fact.answer.length <= ANSWER_MAX
  return fact.question !== '' && fact.answer !== '' && fits ? fact : null
}

/** Adds facts. A fact whose question exists already replaces the old one. */
export function withFacts(facts: readonly Fact[], more: readonly Fact[]): Fact[] {
  const byQuestion = new Map(facts.map((fact) => [keyOf(fact), fact]))
  for (const fact of more) byQuestion.set(keyOf(fact), fact)
  return [...byQuestion.values()]
}

function keyOf({ question }: Fact): string {
  return question.trim().toLowerCase()
}
