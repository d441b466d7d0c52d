/**
 * Converts the schemas of operations to those of tools, once at the start. A model pays for every
 * character, so examples and the formats of replies are removed; names, types, enums and descriptions
 * stay.
 */
import { findOutsidersMark } from '../../../contract/schema/outsiders.ts'
import { isNull, type JsonSchema } from '../../docs/describe/json-schema.ts'

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
  return Object.fromEntries(Object.entries(map).map(([name, one]) => [name, to(one)]))
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
  '~kind',
  '~optional',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'patternProperties',
])
const ofReplies = new Set(['type', 'properties', 'items', 'const', 'enum', 'anyOf', 'allOf'])

/** Returns the schema of arguments, without examples and ignored fields. */
export function toArgumentShape(schema: JsonSchema): JsonSchema {
  return changed(schema, (one) => {
    const short = without(one, droppedOf(one))
    return short.properties ? { ...short, properties: used(short) } : short
  })
}

/** Removes a pattern or format that the description already gives. */
function droppedOf({ description }: JsonSchema): ReadonlySet<string> {
  return description === undefined
    ? ofArguments
    : new Set([...ofArguments, 'title', 'pattern', 'format'])
}

function used({ properties = {}, required = [] }: JsonSchema): Record<string, JsonSchema> {
  const isUsed = (name: string, one: JsonSchema) =>
    required.includes(name) || Object.keys(one).length > 0
  return Object.fromEntries(Object.entries(properties).filter(([name, one]) => isUsed(name, one)))
}

/**
 * Returns the schema of replies: names, and types other than string, down to the fields of list
 * items. It allows further fields, because replies may gain fields at any time.
 */
export function toReplyShape(schema: JsonSchema): JsonSchema {
  return levels(
    changed(schema, (one) => shortened(asShown(one))),
    REPLY_LEVELS,
  )
}

const REPLY_LEVELS = 2

function levels(schema: JsonSchema, left: number): JsonSchema {
  const { properties, items, anyOf, ...rest } = schema
  return {
    ...rest,
    ...(items && { items: levels(items, left) }),
    ...(anyOf && { anyOf: anyOf.map((one) => levels(one, left)) }),
    ...(properties &&
      left > 0 && { properties: mapValues(properties, (one) => levels(one, left - 1)) }),
  }
}

function shortened(schema: JsonSchema): JsonSchema {
  const short = Object.fromEntries(Object.entries(schema).filter(([key]) => ofReplies.has(key)))
  const plain = withoutChoice(short) ?? short
  const words =
    plain.type === 'string' || plain.enum?.every((one: unknown) => typeof one === 'string')
  return words ? {} : plain
}

/** Shortens `anyOf: [a, null]` to a list of types if `a` is a plain type. */
function withoutChoice({ anyOf, ...rest }: JsonSchema): JsonSchema | null {
  const [one, other] = anyOf ?? []
  if (!one || !other || anyOf?.length !== 2 || !isNull(other)) return null
  const { type, ...more } = one
  if (typeof type !== 'string' || one.enum || one.const !== undefined) return null
  return { ...rest, ...more, type: [type, 'null'] }
}

/**
 * Returns the schema of a marked field: a wrapped string, or its original type if the project wrote
 * it.
 */
function asShown(schema: JsonSchema): JsonSchema {
  return findOutsidersMark(schema) ? {} : schema
}
