/**
 * Converts the schemas of operations to those of tools, once at the start. A model pays for every
 * character, so examples and defaults are removed; names, types, enums and descriptions stay.
 */
import { isNull, type JsonSchema } from '../../describe/json-schema.ts'

type Change = (schema: JsonSchema) => JsonSchema

const maps = ['properties', 'patternProperties', '$defs'] as const
const single = ['items', 'additionalProperties', 'propertyNames'] as const
const lists = ['anyOf', 'oneOf', 'allOf'] as const

/** Applies a change to each nested schema, then to the schema itself. */
function changed(schema: JsonSchema, change: Change): JsonSchema {
  const parts = new Map<string, unknown>(Object.entries(schema))
  for (const key of maps) {
    const map = parts.get(key)
    if (isMap(map))
      parts.set(
        key,
        mapValues(map, (one) => changed(one, change)),
      )
  }
  for (const key of single) {
    const one = parts.get(key)
    if (isMap(one)) parts.set(key, changed(one, change))
  }
  for (const key of lists) {
    const list = parts.get(key)
    if (Array.isArray(list))
      parts.set(
        key,
        list.map((one: JsonSchema) => changed(one, change)),
      )
  }
  return change(Object.fromEntries(parts))
}

function isMap(value: unknown): value is Record<string, JsonSchema> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapValues(
  map: Readonly<Record<string, JsonSchema>>,
  to: Change,
): Record<string, JsonSchema> {
  return mapEntries(map, (_, one) => to(one))
}

function mapEntries(
  map: Readonly<Record<string, JsonSchema>>,
  to: (name: string, one: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(map).map(([name, one]) => [name, to(name, one)]))
}

function without(schema: JsonSchema, dropped: ReadonlySet<string>): JsonSchema {
  const kept = Object.entries(schema).filter(
    ([key, value]) => !dropped.has(key) && !key.startsWith('x-') && !isClosing(key, value),
  )
  return Object.fromEntries(kept)
}

/** Whether a key is a boolean additionalProperties; a schema there describes the values of a map. */
function isClosing(key: string, value: unknown): boolean {
  return key === 'additionalProperties' && typeof value === 'boolean'
}

/** Rewrites each description of a schema. */
export function rewriteDescriptions(
  schema: JsonSchema,
  rewrite: (text: string) => string,
): JsonSchema {
  return changed(schema, ({ description, ...rest }) => ({
    ...rest,
    ...(description !== undefined && { description: rewrite(description) }),
  }))
}

// Keywords that the server checks itself. Descriptions mention the rules that matter.
const ofArguments = new Set([
  'examples',
  'default',
  '~kind',
  '~optional',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'patternProperties',
])

/** Returns the schema of arguments, without examples, defaults and ignored fields. */
export function toArgumentShape(schema: JsonSchema): JsonSchema {
  return changed(schema, (one) => {
    const short = without(one, droppedOf(one))
    const plain = withoutChoice(short) ?? short
    return plain.properties ? { ...plain, properties: used(plain) } : plain
  })
}

/** Arguments whose names say all. */
const known: readonly string[] = ['limit', 'cursor']

/**
 * Returns the schema of arguments for tools/list, which a model reads in every conversation: without the
 * descriptions of fields within fields, which a search for the name of the operation shows.
 */
export function toListedShape(shape: JsonSchema): JsonSchema {
  const properties = mapEntries(shape.properties ?? {}, (name, { description, ...one }) => ({
    ...changed(one, ({ description: _about, minimum: _least, maximum: _most, ...inner }) => inner),
    ...(description !== undefined && !known.includes(name) && { description }),
  }))
  return { ...shape, properties }
}

/** Removes a pattern or format that the description already gives. */
function droppedOf({ description }: JsonSchema): ReadonlySet<string> {
  return description === undefined
    ? ofArguments
    : new Set([...ofArguments, 'title', 'pattern', 'format'])
}

/** The description of a field that a client may send back, and that changes nothing. */
const IGNORED = 'Read-only: ignored.'

function used({ properties = {}, required = [] }: JsonSchema): Record<string, JsonSchema> {
  const isUsed = (name: string, one: JsonSchema) =>
    required.includes(name) || (Object.keys(one).length > 0 && one.description !== IGNORED)
  return Object.fromEntries(Object.entries(properties).filter(([name, one]) => isUsed(name, one)))
}

/** Shortens `anyOf: [a, null]` to a list of types if `a` is a plain type. */
function withoutChoice({ anyOf, ...rest }: JsonSchema): JsonSchema | null {
  const [one, other] = anyOf ?? []
  if (!one || !other || anyOf?.length !== 2 || !isNull(other)) return null
  const { type, ...more } = one
  if (typeof type !== 'string' || one.enum || one.const !== undefined) return null
  return { ...rest, ...more, type: [type, 'null'] }
}
