/**
 * Iterates over the subschemas of a JSON Schema. Limits, references and compilation use the same
 * keyword table.
 */
import { escapePointerPart } from '../../kernel/values/json.ts'

export type SchemaObject = Record<string, unknown>

/** A subschema with its JSON pointer and the keyword that contains it. */
export interface Subschema {
  schema: SchemaObject | boolean
  pointer: string
}

type Holds = 'schema' | 'list' | 'map'

const schemaHolders = [
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const listHolders = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const mapHolders = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]
const holders = new Map<string, Holds>([
  ...schemaHolders.map((keyword) => [keyword, 'schema'] as const),
  ...listHolders.map((keyword) => [keyword, 'list'] as const),
  ...mapHolders.map((keyword) => [keyword, 'map'] as const),
])

/** Keywords that constrain a value, besides those that contain schemas. */
const assertions = new Set([
  '$ref',
  'const',
  'dependentRequired',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxContains',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minContains',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'pattern',
  'required',
  'type',
  'uniqueItems',
])

/** Keywords whose schemas apply only through references. */
const shelves = new Set(['$defs', 'definitions', 'contentSchema'])

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isSchema(value: unknown): value is SchemaObject | boolean {
  return typeof value === 'boolean' || isObject(value)
}

/** Returns whether a keyword constrains values; all others are annotations. */
export function isAssertion(keyword: string): boolean {
  return assertions.has(keyword) || (subschemaKind(keyword) !== undefined && !shelves.has(keyword))
}

/** Returns how a keyword contains schemas; undefined if it contains none. */
export function subschemaKind(keyword: string): Holds | undefined {
  return holders.get(keyword)
}

/** Yields the schema and all subschemas. The depth must have been checked. */
export function* subschemasIn(root: SchemaObject | boolean): Generator<Subschema> {
  const waiting: Subschema[] = [{ schema: root, pointer: '' }]
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    yield place
    if (typeof place.schema === 'boolean') continue
    for (const [keyword, value] of Object.entries(place.schema)) {
      for (const [step, schema] of subschemasOf(keyword, value))
        waiting.push({ schema, pointer: place.pointer + step })
    }
  }
}

/** Yields the schemas directly in a keyword, with their relative pointers. */
export function* subschemasOf(
  keyword: string,
  value: unknown,
): Generator<[string, SchemaObject | boolean]> {
  const kind = subschemaKind(keyword)
  if (kind === undefined) return
  const at = `/${escapePointerPart(keyword)}`
  if (kind === 'schema' && isSchema(value)) yield [at, value]
  if (kind === 'list' && Array.isArray(value)) {
    for (const [index, one] of value.entries()) if (isSchema(one)) yield [`${at}/${index}`, one]
  }
  if (kind === 'map' && isObject(value)) {
    for (const [name, one] of Object.entries(value))
      if (isSchema(one)) yield [`${at}/${escapePointerPart(name)}`, one]
  }
}
