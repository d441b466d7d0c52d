/**
 * Long argument schemas for models: a union of many objects with a `type` becomes one line for each type,
 * and the fields of a type are read on request.
 */
import { listChoices, type JsonSchema } from '../../describe/json-schema.ts'
import { takeFirstSentence } from '../../describe/words.ts'
import { writeSignature } from './signature.ts'

/** A union with fewer types is short enough. */
const TYPES_MIN = 6
const SIGNATURE_CHARACTERS = 50
const ABOUT_CHARACTERS = 55
/** A field with a longer schema is written once, if others beside it are the same. */
const REPEATED_CHARACTERS_MIN = 150

/** Returns a line for each type of the large union in a schema; null if it has none. */
export function listTypes(schema: JsonSchema): Record<string, string> | null {
  const types = typesOf(schema)
  if (types === null)
    return (
      partsOf(schema)
        .map(listTypes)
        .find((found) => found !== null) ?? null
    )
  return Object.fromEntries([...types].map(([name, one]) => [name, lineOf(one)]))
}

/** Returns the schema of one type of a large union; null if there is none with this name. */
export function findType(schema: JsonSchema, name: string): JsonSchema | null {
  const types = typesOf(schema)
  if (types) {
    const found = types.get(name)
    return found ? onceEach(found) : null
  }
  for (const part of partsOf(schema)) {
    const found = findType(part, name)
    if (found) return found
  }
  return null
}

function typesOf(schema: JsonSchema): ReadonlyMap<string, JsonSchema> | null {
  const choices = listChoices(schema)
  const isTyped = (one: JsonSchema) => one.properties?.['type']?.const !== undefined
  if (choices.length < TYPES_MIN || !choices.every(isTyped)) return null
  return new Map(choices.map((one) => [String(one.properties?.['type']?.const), one]))
}

function lineOf(one: JsonSchema): string {
  const { type: _type, id: _id, label: _label, ...properties } = one.properties ?? {}
  const fields = writeSignature({ ...one, properties }, SIGNATURE_CHARACTERS)
  return [cut(takeFirstSentence(one.description ?? ''), ABOUT_CHARACTERS), fields]
    .filter((text) => text !== '')
    .join(': ')
}

/** Cuts a text; `…` marks the cut. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`
}

function partsOf({ properties = {}, items, additionalProperties }: JsonSchema): JsonSchema[] {
  return [...Object.values(properties), items, additionalProperties].filter(
    (one): one is JsonSchema => typeof one === 'object',
  )
}

/** Writes equal fields of an object once: opening hours of seven days have one schema. */
function onceEach(schema: JsonSchema): JsonSchema {
  const first = new Map<string, string>()
  const entries = Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const { description: _, ...rest } = one
    const text = JSON.stringify(rest)
    const like = first.get(text)
    if (like === undefined) first.set(text, name)
    const is_again = like !== undefined && text.length > REPEATED_CHARACTERS_MIN
    return [name, is_again ? { description: `Like ${like}.` } : onceEach(one)]
  })
  return schema.properties ? { ...schema, properties: Object.fromEntries(entries) } : schema
}
