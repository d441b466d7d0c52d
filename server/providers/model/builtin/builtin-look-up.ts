/** The look-ups of the built-in model, and its answers from the records found. */
import { containsInjection, fold } from '../language/words.ts'
import type { AnswerTask, FoundRow } from './knowledge.ts'

export interface LookUpInput {
  collection: string
  search: string
}

const LOOK_UPS_MAX = 3
const ROWS_TOLD_MAX = 2

/** Collections whose records are identified by values come first, because they match exactly. */
export function listLookUps({ collections = [] }: AnswerTask, said: string): LookUpInput[] {
  return collections
    .toSorted((a, b) => b.match.length - a.match.length)
    .slice(0, LOOK_UPS_MAX)
    .map(({ name }) => ({ collection: name, search: said }))
}

/**
 * Describes the records whose first field the caller named; null if there are none. Matches of
 * other words are too weak.
 */
export function describeFound(
  found: NonNullable<AnswerTask['found']>,
  said: string,
): string | null {
  const spoken = ` ${fold(said)} `
  const rows = found.flatMap(({ rows }) => rows).filter((row) => isNamed(row, spoken))
  return rows.length === 0 ? null : rows.slice(0, ROWS_TOLD_MAX).map(write).join(' ')
}

function isNamed(row: FoundRow, spoken: string): boolean {
  if (containsInjection(row.map(({ value }) => value).join(' '))) return false
  const [first] = row
  const name = first === undefined ? '' : fold(first.value)
  return name !== '' && spoken.includes(` ${name} `)
}

function write([first, ...rest]: FoundRow): string {
  const details = rest.map(({ field, value }) => `${field.replaceAll('_', ' ')}: ${value}`)
  return details.length === 0 ? `${first?.value}.` : `${first?.value}. ${details.join(', ')}.`
}
