/**
 * What a filter says, as a tree: the grammar makes it of a text, the store makes SQL of it. Times
 * such as `@now - 7d` are settled already, so a filter means the same on every page of a list.
 */
import type { FieldPath } from '../field-path.ts'

/** Where a value is: in the data of the document, or one that the system keeps beside it. */
export type Field = { path: FieldPath } | { system: SystemField }

export type SystemField = 'id' | 'created_at' | 'updated_at' | 'version' | 'source'

/** What the values of the system's fields are, so that a comparison that never holds is refused. */
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

/** A value as it was written, or a time in milliseconds since the epoch. */
export type Literal = { value: Scalar } | { time_ms: number }

export type Order = '<' | '<=' | '>' | '>='
export type TextTest = 'contains' | 'starts with' | 'ends with'

export type Filter =
  | { is: 'and' | 'or'; parts: readonly Filter[] }
  | { is: 'not'; part: Filter }
  | { is: 'equal'; field: Field; literal: Literal }
  | { is: 'order'; field: Field; order: Order; literal: Literal }
  | { is: 'in'; field: Field; literals: readonly Literal[] }
  | { is: 'has'; field: Field; value: Scalar }
  | { is: 'text'; field: Field; test: TextTest; text: string }
  | { is: 'exists'; field: Field }

/** What times in a filter are counted from. */
export interface Moment {
  now_ms: number
  /** Where days begin, as an IANA name. */
  timezone: string
}

/** How many comparisons are made with each document at most. */
export function countComparisons(filter: Filter | null): number {
  if (filter === null) return 0
  if ('parts' in filter) return filter.parts.reduce((sum, part) => sum + countComparisons(part), 0)
  return 'part' in filter ? countComparisons(filter.part) : 1
}
