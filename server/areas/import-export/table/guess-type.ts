/** Guesses the type of a column without a schema, from all its values that are text in the file. */
import {
  readBoolean,
  readNumber,
  readTime,
  type Notation,
  type ReadResult,
} from '../../../kernel/tables/notation.ts'

export type GuessedType = 'number' | 'boolean' | 'date' | 'string'

const notation: Notation = {
  locale: null,
  json_numbers: true,
  zone: null,
  decimal: ',',
  order: 'day-first',
}

/** Returns the type that keeps this value and those before it. */
export function guessType(before: GuessedType | undefined, text: string): GuessedType {
  if (before === 'string') return before
  const type = typeOf(text)
  return before === undefined || before === type ? type : 'string'
}

function typeOf(text: string): GuessedType {
  const holds = (read: ReadResult) => read !== null && 'value' in read
  if (holds(readNumber(text, notation))) return isCode.test(text) ? 'string' : 'number'
  if (holds(readBoolean(text))) return 'boolean'
  return holds(readTime(text, 'date', notation)) ? 'date' : 'string'
}

/** Matches digits that a number would lose: `0042`, `06 123 456`, `+31612345678`, `1E5`. */
const isCode = /^\D*(?:\+|0[\d '’\u00a0\u202f])|\de/i
