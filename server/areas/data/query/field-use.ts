/** A field that a request names in a filter, an order or a list, and what it wants of the field. */
import type { FieldPath } from '../field-path.ts'
import type { ValueType, ValueTypes } from '../json-schema/value-types.ts'

export interface FieldUse {
  /** The parameter or member of the body that names the field. */
  parameter: string
  path: FieldPath
  /** Where the name begins in the text of the parameter, from 1; null where it is all of it. */
  column: number | null
  /** What the request needs of the values; null: any will do. */
  wants: ExpectedValue | null
}

export interface ExpectedValue {
  /** A value needs one of these types. */
  types: ValueTypes
  /** With `has`: the type of the element that is looked for. */
  item: ValueType | null
  /** Where the value begins that the field is compared with; null where there is none. */
  column: number | null
}

/** The types that have an order among each other. */
export const sortableTypes: ValueTypes = new Set(['null', 'boolean', 'number', 'string'])

const words: Readonly<Record<ValueType, string>> = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  string: 'a text in double quotes',
  array: '"has" and a value, because it is a list',
  object: 'a field below it, because it is an object',
}

/** What a field of these types can be compared with, in words. */
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

/** What kind of field is needed, in words. */
export function fieldWith(types: ValueTypes): string {
  const named = [...types].filter((type) => type !== 'null').map((type) => kinds[type])
  return `a field with ${named.join(' or ')}`
}
