/**
 * Parses a filter such as `status = "open" and total >= 10 and created_at > @now - 7d` into a tree.
 * The README has the grammar. Errors report the column and the expected tokens.
 */
import { limits } from '../../../../contract/limits.ts'
import { isExactNumber } from '../../../../kernel/values/exact-number.ts'
import { findNearestName } from '../../../../kernel/values/nearest.ts'
import { parseFieldPath } from '../../field-path.ts'
import { typeOfValue, type ValueTypes } from '../../../json-schema/service.ts'
import { columnAt, syntaxProblem } from './syntax-problem.ts'
import { isSystemField, systemFields } from './filter.ts'
import type { FilterField, Filter, Literal, FilterTime, Order, Scalar, TextTest } from './filter.ts'
import { timeExamples, tokensOf, type Token } from './filter-lexer.ts'
import type { FieldUse, ExpectedValue } from './field-use.ts'
import { pathInRow, rowExamples } from '../group/row-names.ts'
import { spanOf, startOfDay, timeOf } from './times.ts'

export interface FilterSource {
  text: string
  /** Parameter name for error messages, for example `filter`. */
  parameter: string
  moment: FilterTime
  /** Restricts the filter to these row members, without system fields. */
  names?: readonly string[]
  /** Receives each data field of the filter with the types it is compared with. */
  fieldUses?: FieldUse[]
}

interface Reading extends FilterSource {
  tokens: readonly Token[]
  at: number
  comparisons: number
  /** Column of the current field. */
  field_column: number
}

const listTypes: ValueTypes = new Set(['array'])
const order = new Set<string>(['<', '<=', '>', '>='] satisfies Order[])
const reserved = new Set(['and', 'or', 'not', 'true', 'false', 'null'])
const comparisonExamples =
  'a comparison: =, !=, <, <=, >, >=, in, has, contains, starts with, ends with or exists'
const valueExamples = 'a value: a text in double quotes, a number, true, false, null or a time'

const exactExamples = 'a number that is not rounded; send this one as a string in double quotes'

const beginning = { at: 0, comparisons: 0, field_column: 1 }

export function parseFilter(source: FilterSource): Filter {
  const { text, parameter } = source
  if (text.length > limits.filter_characters_max) {
    const expected = `at most ${limits.filter_characters_max} characters`
    throw syntaxProblem({ parameter, column: limits.filter_characters_max + 1, expected })
  }
  const reading: Reading = { ...source, tokens: tokensOf(text, parameter), ...beginning }
  const filter = readOr(reading, 0)
  if (peek(reading).is !== 'end') throw faultAt(reading, 'and, or, or the end')
  return filter
}

function peek({ tokens, at }: Reading): Token {
  return tokens[at] ?? tokens.at(-1)!
}

function take(reading: Reading): Token {
  const token = peek(reading)
  reading.at += 1
  return token
}

function isWord(token: Token, word: string): boolean {
  return token.is === 'word' && token.text.toLowerCase() === word
}

/** Consumes the token if it is next; returns whether it was. */
function takeIf(reading: Reading, text: string): boolean {
  const token = peek(reading)
  const found = token.is === 'sign' ? token.text === text : isWord(token, text)
  if (found) reading.at += 1
  return found
}

function expect(reading: Reading, text: string, expected = `"${text}"`): void {
  if (!takeIf(reading, text)) throw faultAt(reading, expected)
}

function faultAt(reading: Reading, expected: string, token = peek(reading)) {
  const { text, parameter } = reading
  const found = token.is === 'end' ? 'the end' : token.text
  return syntaxProblem({ parameter, column: columnAt(text, token.at), expected, found })
}

function readOr(reading: Reading, depth: number): Filter {
  const parts = [readAnd(reading, depth)]
  while (takeIf(reading, 'or')) parts.push(readAnd(reading, depth))
  const [only] = parts
  return only && parts.length === 1 ? only : { is: 'or', parts }
}

function readAnd(reading: Reading, depth: number): Filter {
  const parts = [readPart(reading, depth)]
  while (takeIf(reading, 'and')) parts.push(readPart(reading, depth))
  const [only] = parts
  return only && parts.length === 1 ? only : { is: 'and', parts }
}

function readPart(reading: Reading, depth: number): Filter {
  if (depth > limits.filter_depth_max) {
    throw faultAt(reading, `at most ${limits.filter_depth_max} levels of parentheses and "not"`)
  }
  if (takeIf(reading, 'not')) return { is: 'not', part: readPart(reading, depth + 1) }
  if (!takeIf(reading, '(')) return readComparison(reading)
  const filter = readOr(reading, depth + 1)
  expect(reading, ')', 'and, or, or ")"')
  return filter
}

function readComparison(reading: Reading): Filter {
  reading.comparisons += 1
  if (reading.comparisons > limits.filter_comparisons_max) {
    throw faultAt(reading, `at most ${limits.filter_comparisons_max} comparisons`)
  }
  const field = readField(reading)
  const token = peek(reading)
  if (token.is === 'sign') return readSign(reading, field)
  if (takeIf(reading, 'in')) return readList(reading, field)
  if (isWord(token, 'not') && isWord(reading.tokens[reading.at + 1] ?? token, 'in')) {
    reading.at += 2
    return { is: 'not', part: readList(reading, field) }
  }
  if (takeIf(reading, 'has')) return readHas(reading, field, token)
  if (takeIf(reading, 'exists')) {
    recordUse(reading, field, null)
    return { is: 'exists', field }
  }
  return readTextTest(reading, field)
}

function readField(reading: Reading): FilterField {
  const token = peek(reading)
  const isName = token.is === 'word' && !reserved.has(token.text.toLowerCase())
  if (!isName && token.is !== 'quoted') {
    throw faultAt(reading, 'a field such as status, address.city or "zip code"')
  }
  const path = parseFieldPath(token.text)
  if (!path) throw faultAt(reading, 'the path of a field, such as status or address.city')
  const { names } = reading
  const placed = names ? pathInRow(path, names) : path
  if (!placed) throw unknownName(reading, token)
  reading.field_column = columnAt(reading.text, token.at)
  reading.at += 1
  return !names && isSystemField(token.text) ? { system: token.text } : { path: placed }
}

function unknownName(reading: Reading, { text, at }: Token) {
  const { parameter, names = [] } = reading
  const fault = { parameter, column: columnAt(reading.text, at), found: text }
  return syntaxProblem({
    ...fault,
    expected: rowExamples(names),
    suggestion: findNearestName(text, names),
  })
}

/** Records the use of a data field and the value types it requires. */
function recordUse(reading: Reading, field: FilterField, wants: ExpectedValue | null): void {
  const { fieldUses, parameter, field_column } = reading
  if ('path' in field) fieldUses?.push({ parameter, path: field.path, column: field_column, wants })
}

function readSign(reading: Reading, field: FilterField): Filter {
  const sign = take(reading)
  if (sign.text === '=' || sign.text === '!=') {
    const part: Filter = { is: 'equal', field, literal: readLiteral(reading, field) }
    return sign.text === '=' ? part : { is: 'not', part }
  }
  if (!isOrder(sign.text)) throw faultAt(reading, comparisonExamples, sign)
  const value = peek(reading)
  const literal = readLiteral(reading, field)
  if ('value' in literal && typeof literal.value !== 'number' && typeof literal.value !== 'string')
    throw faultAt(reading, `a number, a text or a time after ${sign.text}`, value)
  return { is: 'order', field, order: sign.text, literal }
}

function isOrder(text: string): text is Order {
  return order.has(text)
}

function readList(reading: Reading, field: FilterField): Filter {
  expect(reading, '(', '"(" and values')
  const literals = [readLiteral(reading, field)]
  while (takeIf(reading, ',')) {
    if (literals.length === limits.filter_list_values_max) {
      throw faultAt(reading, `at most ${limits.filter_list_values_max} values in a list`)
    }
    literals.push(readLiteral(reading, field))
  }
  expect(reading, ')', '"," or ")"')
  return { is: 'in', field, literals }
}

function readHas(reading: Reading, field: FilterField, word: Token): Filter {
  if ('system' in field) throw faultAt(reading, `another comparison for ${field.system}`, word)
  const token = peek(reading)
  const literal = readAnyLiteral(reading)
  if (!('value' in literal))
    throw faultAt(reading, 'a text, a number, true, false or null after "has"', token)
  const column = columnAt(reading.text, token.at)
  recordUse(reading, field, { types: listTypes, item: typeOfValue(literal.value), column })
  return { is: 'has', field, value: literal.value }
}

function readTextTest(reading: Reading, field: FilterField): Filter {
  const word = peek(reading)
  const test = takeTextTest(reading)
  if (test === null) throw faultAt(reading, comparisonExamples)
  if ('system' in field && systemFields[field.system] !== 'text') {
    throw faultAt(reading, `another comparison for ${field.system}`, word)
  }
  const token = peek(reading)
  const literal = token.is === 'quoted' ? readLiteral(reading, field) : null
  if (!literal || !('value' in literal) || typeof literal.value !== 'string') {
    throw faultAt(reading, `a text in double quotes after "${test}"`, token)
  }
  return { is: 'text', field, test, text: literal.value }
}

function takeTextTest(reading: Reading): TextTest | null {
  if (takeIf(reading, 'contains')) return 'contains'
  const test = takeIf(reading, 'starts')
    ? ('starts with' as const)
    : takeIf(reading, 'ends')
      ? ('ends with' as const)
      : null
  if (test) expect(reading, 'with')
  return test
}

/** Reads a value of the type of the field; each system field has one type. */
function readLiteral(reading: Reading, field: FilterField): Literal {
  const token = peek(reading)
  const literal = readAnyLiteral(reading)
  if (!('system' in field)) {
    recordUse(reading, field, wantOf(literal, columnAt(reading.text, token.at)))
    return literal
  }
  const wanted = systemFields[field.system]
  const is = 'time_ms' in literal ? 'time' : typeof literal.value
  if (is === (wanted === 'text' ? 'string' : wanted)) return literal
  if (wanted === 'time' && 'value' in literal && typeof literal.value === 'string') {
    const time_ms = timeOf(literal.value, reading.moment.timezone)
    if (time_ms !== null) return { time_ms }
  }
  const examples = { time: timeExamples, number: 'a number', text: 'a text in double quotes' }
  throw faultAt(reading, `${examples[wanted]} for ${field.system}`, token)
}

/** Returns null for the literal null: it also matches missing fields, so any type is valid. */
function wantOf(literal: Literal, column: number): ExpectedValue | null {
  // Times in the data are strings.
  const type = 'time_ms' in literal ? 'string' : typeOfValue(literal.value)
  return type === 'null' ? null : { types: new Set([type]), item: null, column }
}

function readAnyLiteral(reading: Reading): Literal {
  const token = take(reading)
  if (token.is === 'number') {
    if (!isExactNumber(token.text)) throw faultAt(reading, exactExamples, token)
    // Adding zero normalizes -0 to 0.
    return { value: Number(token.text) + 0 }
  }
  if (token.is === 'quoted') return { value: textOf(reading, token) }
  if (token.is === 'time') return { time_ms: readTime(reading, token) }
  const word = token.is === 'word' ? token.text.toLowerCase() : ''
  const known: Readonly<Record<string, Scalar>> = { true: true, false: false, null: null }
  if (Object.hasOwn(known, word)) return { value: known[word] ?? null }
  throw faultAt(reading, valueExamples, token)
}

function textOf(reading: Reading, token: Token): string {
  let text: unknown = null
  try {
    text = JSON.parse(token.text)
  } catch {
    // The check below reports the error.
  }
  if (typeof text === 'string' && text.isWellFormed() && !text.includes('\0')) return text
  throw faultAt(reading, 'a text in double quotes, with \\" for a quote and \\\\ for \\', token)
}

const relativePattern = /^@(now|today)(?:(-)(\w+))?$/

function readTime(reading: Reading, token: Token): number {
  const { now_ms, timezone } = reading.moment
  const [, base, minus, span] = relativePattern.exec(token.text.toLowerCase()) ?? []
  if (base === undefined) {
    const time_ms = timeOf(token.text.slice(1), timezone)
    if (time_ms === null) throw faultAt(reading, timeExamples, token)
    return time_ms
  }
  const from = base === 'now' ? now_ms : startOfDay(reading.moment)
  if (minus !== undefined) return shifted(reading, { from, sign: -1, span: span ?? '', token })
  const sign = takeIf(reading, '-') ? -1 : takeIf(reading, '+') ? 1 : null
  if (sign === null) return from
  const next = take(reading)
  return shifted(reading, { from, sign, span: next.text, token: next })
}

interface Shift {
  from: number
  sign: number
  span: string
  token: Token
}

// Keeps times well within the ranges of PostgreSQL and JavaScript.
const YEAR_MS = 31_557_600_000
const SPAN_MS_MAX = 1000 * YEAR_MS

function shifted(reading: Reading, { from, sign, span, token }: Shift): number {
  const length_ms = spanOf(span)
  if (length_ms === null || length_ms > SPAN_MS_MAX) {
    throw faultAt(reading, 'a length of time such as 30m, 12h, 7d, 2w or 1y', token)
  }
  return from + sign * length_ms
}
