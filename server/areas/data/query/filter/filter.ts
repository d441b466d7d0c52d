/**
 * The syntax tree of filters. The parser resolves times such as `@now - 7d`, so a filter is
 * constant across the pages of a list.
 */
import type { FieldPath } from '../../field-path.ts'

/** A path in the data, or a system column. */
export type FilterField = { path: FieldPath } | { system: SystemField }

export type SystemField = 'id' | 'created_at' | 'updated_at' | 'version' | 'source'

/** Types of the system fields, used to refuse comparisons that are never true. */
export const systemFields: Readonly<Record<SystemField, 'text' | 'time' | 'number'>> = {
  id: 'text',
  created_at: 'time',
  updated_at: 'time',
  version: 'number',
  source: 'text',
}

export function isSystemField(name: string): name is SystemField {
  return Object.hasOwn(systemFields, name)
}

export type Scalar = string | number | boolean | null

/** A JSON scalar, or a time in milliseconds since the epoch. */
export type Literal = { value: Scalar } | { time_ms: number }

export type Order = '<' | '<=' | '>' | '>='
export type TextTest = 'contains' | 'starts with' | 'ends with'

export type Filter =
  | { is: 'and' | 'or'; parts: readonly Filter[] }
  | { is: 'not'; part: Filter }
  | { is: 'equal'; field: FilterField; literal: Literal }
  | { is: 'order'; field: FilterField; order: Order; literal: Literal }
  | { is: 'in'; field: FilterField; literals: readonly Literal[] }
  | { is: 'has'; field: FilterField; value: Scalar }
  | { is: 'text'; field: FilterField; test: TextTest; text: string }
  | { is: 'exists'; field: FilterField }

/** Reference for `@now` and `@today`. */
export interface FilterTime {
  now_ms: number
  /** IANA name of the zone in which days begin. */
  timezone: string
}

/** Returns the number of comparisons in the filter. */
export function countComparisons(filter: Filter | null): number {
  if (filter === null) return 0
  if ('parts' in filter) return filter.parts.reduce((sum, part) => sum + countComparisons(part), 0)
  return 'part' in filter ? countComparisons(filter.part) : 1
}
