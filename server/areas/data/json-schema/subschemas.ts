/**
 * Where a JSON Schema has schemas inside it. Everything that looks at a schema (its limits, its
 * references, what is compiled from it) walks it by this one table, so that they agree.
 */
import { pointerPart } from '../../../kernel/values/json.ts'

export type JsonObject = Record<string, unknown>

/** A schema within a schema: itself, its place as a JSON pointer, and how it is reached. */
export interface Subschema {
  schema: JsonObject | boolean
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

/** The keywords that say what a value must be, besides those that hold schemas. */
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

/** Hold schemas that only references reach. */
const shelves = new Set(['$defs', 'definitions', 'contentSchema'])

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isSchema(value: unknown): value is JsonObject | boolean {
  return typeof value === 'boolean' || isObject(value)
}

/** Whether a keyword says something about values. All others are notes. */
export function isAssertion(keyword: string): boolean {
  return assertions.has(keyword) || (holderKind(keyword) !== undefined && !shelves.has(keyword))
}

/** How a keyword holds schemas, or undefined when it holds none. */
export function holderKind(keyword: string): Holds | undefined {
  return holders.get(keyword)
}

/** Every schema within a schema, itself first. The schema must be nested within the limits. */
export function* subschemasIn(root: JsonObject | boolean): Generator<Subschema> {
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

/** The schemas that a keyword holds, each with the rest of its pointer. */
export function* subschemasOf(
  keyword: string,
  value: unknown,
): Generator<[string, JsonObject | boolean]> {
  const kind = holderKind(keyword)
  if (kind === undefined) return
  const at = `/${pointerPart(keyword)}`
  if (kind === 'schema' && isSchema(value)) yield [at, value]
  if (kind === 'list' && Array.isArray(value)) {
    for (const [index, one] of value.entries()) if (isSchema(one)) yield [`${at}/${index}`, one]
  }
  if (kind === 'map' && isObject(value)) {
    for (const [name, one] of Object.entries(value))
      if (isSchema(one)) yield [`${at}/${pointerPart(name)}`, one]
  }
}
