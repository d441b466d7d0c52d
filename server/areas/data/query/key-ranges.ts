/**
 * Derives ranges of index keys that contain all documents matching a filter. Most filters are still
 * checked for each document, because keys contain only prefixes of strings.
 */
import assert from 'node:assert/strict'
import { writeFieldPath, type FieldPath } from '../field-path.ts'
import { isWholeInKey, sortKey } from '../sort-key.ts'
import type { Filter, Literal, Order } from './filter/filter.ts'

/** An inclusive range of keys, or a set of keys. */
export type Keys = { low: Buffer; high: Buffer } | { any: readonly Buffer[] }

export interface KeyRange {
  /** Normalized path, as in document_keys. */
  field: string
  keys: Keys
  /** Whether the range probably selects only a few documents. */
  is_few: boolean
}

export interface KeyedFields {
  indexes: readonly string[]
  unique_fields: readonly string[]
}

const lowest = { number: Buffer.of(0x20), text: Buffer.of(0x30) }
const highest = { number: Buffer.of(0x21), text: Buffer.of(0x31) }
const DAY_MS = 86_400_000

/** Returns at most one range for each indexed field of the filter. */
export function keyRangesOf(filter: Filter | null, fields: KeyedFields): KeyRange[] {
  const found = new Map<string, KeyRange>()
  for (const part of partsOf(filter)) {
    const range = keyRangeOf(part, fields)
    if (!range) continue
    const other = found.get(range.field)
    found.set(range.field, other ? both(other, range) : range)
  }
  return [...found.values()]
}

/** Returns what remains to be checked for a document whose key is in the range of the filter. */
export function beyondRange(
  filter: Filter | null,
  { field, keys }: KeyRange,
  fields: KeyedFields,
): Filter | null {
  if ('any' in keys) return filter
  const parts = partsOf(filter)
  const rest = parts.filter(
    (part) => !isDecidedByKey(part) || keyRangeOf(part, fields)?.field !== field,
  )
  if (rest.length === parts.length) return filter
  return rest.length > 1 ? { is: 'and', parts: rest } : (rest[0] ?? null)
}

/** Whether the range of keys contains no other documents than those that match. */
function isDecidedByKey(filter: Filter): boolean {
  if (filter.is !== 'order' || !('value' in filter.literal)) return false
  return (filter.order === '<=' || filter.order === '>=') && isWholeInKey(filter.literal.value)
}

function partsOf(filter: Filter | null): readonly Filter[] {
  if (filter === null) return []
  return filter.is === 'and' ? filter.parts : [filter]
}

function keyRangeOf(filter: Filter, fields: KeyedFields): KeyRange | null {
  if (!('field' in filter) || 'system' in filter.field) return null
  const field = keyedField(filter.field.path, fields)
  const keys = field === null ? null : keysOf(filter)
  if (field === null || keys === null) return null
  const is_exact = (filter.is === 'equal' || filter.is === 'in') && !('low' in keys)
  const is_null = 'any' in keys && keys.any.some((key) => key.equals(sortKey(null)))
  return { field, keys, is_few: is_exact && !is_null && fields.unique_fields.includes(field) }
}

/** Returns the normalized name of an indexed field, or null. */
export function keyedField(path: FieldPath, fields: KeyedFields): string | null {
  const name = writeFieldPath(path)
  return fields.indexes.includes(name) || fields.unique_fields.includes(name) ? name : null
}

function keysOf(filter: Filter): Keys | null {
  switch (filter.is) {
    case 'equal':
      return 'value' in filter.literal
        ? { any: [sortKey(filter.literal.value)] }
        : timeRange('=', filter.literal.time_ms)
    case 'in':
      return choiceOf(filter.literals)
    case 'order':
      return rangeOf(filter.order, filter.literal)
    case 'text':
      return filter.test === 'starts with' ? beginningRange(filter.text) : null
    default:
      return null
  }
}

function choiceOf(literals: readonly Literal[]): Keys | null {
  const values = literals.flatMap((one) => ('value' in one ? [one.value] : []))
  return values.length === literals.length ? { any: values.map(sortKey) } : null
}

function rangeOf(order: Order, literal: Literal): Keys {
  if ('time_ms' in literal) return timeRange(order, literal.time_ms)
  const key = sortKey(literal.value)
  const type = typeof literal.value === 'number' ? 'number' : 'text'
  const goesUp = order === '>' || order === '>='
  return goesUp ? { low: key, high: highest[type] } : { low: lowest[type], high: key }
}

function beginningRange(text: string): Keys {
  const key = sortKey(text)
  return { low: key, high: Buffer.concat([key, Buffer.of(0xff)]) }
}

/**
 * Returns a range for times in the data, which are strings that start with a date. A local date is
 * less than two days from the UTC date, and ISO dates sort as strings.
 */
function timeRange(order: Order | '=', time_ms: number): Keys {
  const early = order === '<' || order === '<=' ? lowest.text : dateKey(time_ms - 2 * DAY_MS)
  const late = order === '>' || order === '>=' ? highest.text : dateKey(time_ms + 2 * DAY_MS)
  return {
    low: early ?? lowest.text,
    high: late === null ? highest.text : Buffer.concat([late, Buffer.of(0xff)]),
  }
}

/** Returns null for years without four digits. */
function dateKey(time_ms: number): Buffer | null {
  const date = Temporal.Instant.fromEpochMilliseconds(time_ms).toString().slice(0, 10)
  return /^\d{4}-/.test(date) ? sortKey(date) : null
}

function both(one: KeyRange, other: KeyRange): KeyRange {
  assert.equal(one.field, other.field)
  const { field } = one
  const is_few = one.is_few || other.is_few
  if ('low' in one.keys && 'low' in other.keys) {
    const low = later(one.keys.low, other.keys.low)
    const high =
      later(one.keys.high, other.keys.high) === one.keys.high ? other.keys.high : one.keys.high
    return { field, keys: { low, high }, is_few }
  }
  // A set of keys is more selective than a range.
  return { field, keys: 'any' in one.keys ? one.keys : other.keys, is_few }
}

function later(one: Buffer, other: Buffer): Buffer {
  return Buffer.compare(one, other) >= 0 ? one : other
}
