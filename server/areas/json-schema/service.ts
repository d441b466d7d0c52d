/**
 * Validates and compiles the JSON Schemas of collections. Caches compiled schemas by their text
 * (LRU).
 */
import assert from 'node:assert'
import { LRUCache } from 'lru-cache'
import type { FieldError } from './field-errors.ts'
import { isObject, type SchemaObject } from './subschemas.ts'
import { compile, type CompiledSchema, type CompileResult } from './validator.ts'

export type { CompiledSchema, FieldError }
export { lookUpField, type Lookup } from './field-lookup.ts'
export { isObject } from './subschemas.ts'
export {
  applicableSchemas,
  everyType,
  possibleSchemas,
  propertiesOf,
  typeOfValue,
  typesOf,
  type ValueType,
  type ValueTypes,
} from './value-types.ts'

/** Estimated memory of a compiled schema, besides that for each character of its text. */
const BYTES_EACH = 60_000
const BYTES_A_CHARACTER = 70
const BYTES_KEPT_MAX = 64_000_000

const ready = new LRUCache<string, CompileResult>({
  maxSize: BYTES_KEPT_MAX,
  sizeCalculation: (_prepared, text) => BYTES_EACH + text.length * BYTES_A_CHARACTER,
})

/** Returns the errors of a schema; an empty array if it is valid. */
export function schemaErrors(schema: unknown): FieldError[] {
  const prepared = preparedOf(schema)
  return 'faults' in prepared ? prepared.faults : []
}

/** Compiles a valid schema, or returns the cached one. Throws if the schema is invalid. */
export function compileSchema(schema: unknown): CompiledSchema {
  const prepared = preparedOf(schema)
  assert('compiled' in prepared, 'Only a schema without faults is compiled.')
  return prepared.compiled
}

function preparedOf(schema: unknown): CompileResult {
  if (!isObject(schema)) return { faults: [{ path: '', message: 'must be an object' }] }
  const text = JSON.stringify(schema)
  const known = ready.get(text)
  if (known) return known
  const prepared = documentFaults(schema) ?? compile(schema)
  ready.set(text, prepared)
  return prepared
}

/** Refuses a schema that excludes objects, because every document is an object. */
function documentFaults({ type }: SchemaObject): CompileResult | null {
  const types: unknown[] = Array.isArray(type) ? type : [type]
  if (type === undefined || types.includes('object')) return null
  const faults = [{ path: '/type', message: 'must be "object", because documents are objects' }]
  return { faults }
}
