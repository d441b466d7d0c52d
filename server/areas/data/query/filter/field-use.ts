/** A field that a request uses in a filter, sort or field list, and the value types it requires. */
import type { FieldPath } from '../../field-path.ts'
import type { ValueType, ValueTypes } from '../../../json-schema/service.ts'

export interface FieldUse {
  /** The parameter or body member that names the field. */
  parameter: string
  path: FieldPath
  /** Position of the name in the parameter, from 1; null if the name is the whole parameter. */
  column: number | null
  /** The required value types; null accepts any type. */
  wants: ExpectedValue | null
}

export interface ExpectedValue {
  /** The value must have one of these types. */
  types: ValueTypes
  /** For `has`: the type of the searched element. */
  item: ValueType | null
  /** Position of the compared value, from 1; null if there is none. */
  column: number | null
}

/** Types that have an order. */
export const sortableTypes: ValueTypes = new Set(['null', 'boolean', 'number', 'string'])

const words: Readonly<Record<ValueType, string>> = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  string: 'a text in double quotes',
  array: '"has" and a value, because it is a list',
  object: 'a field below it, because it is an object',
}

/** Describes, for error messages, the values that can be compared with these types. */
export function comparableWith(types: ValueTypes): string {
  const named = [...types].filter((type) => type !== 'null' || types.size === 1)
  return named.map((type) => words[type]).join(', or ')
}

const kinds: Readonly<Record<ValueType, string>> = {
  null: 'null',
  boolean: 'true and false',
  number: 'numbers',
  string: 'texts',
  array: 'lists',
  object: 'objects',
}

/** Describes, for error messages, a field with these types. */
export function fieldWith(types: ValueTypes): string {
  const named = [...types].filter((type) => type !== 'null').map((type) => kinds[type])
  return `a field with ${named.join(' or ')}`
}
