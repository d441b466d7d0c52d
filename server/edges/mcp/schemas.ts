/**
 * The shapes of operations as the shapes of tools, made once at the start. A model pays for every
 * character of a tool, so what only documents (examples) or what only the server checks (formats
 * of replies) is left out; names, types, choices and meanings stay.
 */
import { outsidersMark } from '../../contract/outsiders.ts'
import { isNull, type JsonSchema } from '../docs/describe/json-schema.ts'

type Change = (schema: JsonSchema) => JsonSchema

const maps = ['properties', 'patternProperties', '$defs'] as const
const single = ['items', 'additionalProperties', 'propertyNames'] as const
const lists = ['anyOf', 'oneOf', 'allOf'] as const

/** A shape with a change made to each shape within it, and then to itself. */
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

function mapValues(map: Record<string, JsonSchema>, to: Change): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(map).map(([name, one]) => [name, to(one)]))
}

function without(schema: JsonSchema, dropped: ReadonlySet<string>): JsonSchema {
  const kept = Object.entries(schema).filter(([key]) => !dropped.has(key) && !key.startsWith('x-'))
  return Object.fromEntries(kept)
}

const ofArguments = new Set(['examples', '~kind', '~optional'])
const ofReplies = new Set([
  ...ofArguments,
  'description',
  'title',
  'default',
  'format',
  'pattern',
  'propertyNames',
  'additionalProperties',
  'patternProperties',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
])

/** What may be sent, without the examples. */
export function argumentShape(schema: JsonSchema): JsonSchema {
  return changed(schema, (one) => without(one, ofArguments))
}

/** What comes back: names and types. Fields may be added to a reply at any time, so it is open. */
export function replyShape(schema: JsonSchema): JsonSchema {
  return changed(schema, (one) => shortened(asShown(one)))
}

function shortened(schema: JsonSchema): JsonSchema {
  const short = without(schema, ofReplies)
  const nullable = withoutChoice(short)
  return nullable ?? short
}

/** `anyOf: [a, null]` as one type or null, where `a` is a plain type. */
function withoutChoice({ anyOf, ...rest }: JsonSchema): JsonSchema | null {
  const [one, other] = anyOf ?? []
  if (!one || !other || anyOf?.length !== 2 || !isNull(other)) return null
  const { type, ...more } = one
  if (typeof type !== 'string' || one.enum || one.const !== undefined) return null
  return { ...rest, ...more, type: [type, 'null'] }
}

/** Words of outsiders are shown as one wrapped text, whatever they were. */
function asShown(schema: JsonSchema): JsonSchema {
  const mark = outsidersMark(schema)
  if (!mark) return schema
  const text = { type: 'string' }
  const choices = [...(mark.unless ? [schema] : []), text, { type: 'null' }]
  return choices.length === 2 ? { type: ['string', 'null'] } : { anyOf: choices }
}
