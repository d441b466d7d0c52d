/**
 * Lower-cases the ids of a request, as they are stored. UUIDs are case-insensitive (RFC 9562), but
 * the limits of a key are compared as texts.
 */
import { isUuid } from '../../kernel/values/ids.ts'

type Writer = (value: unknown) => unknown

/**
 * Returns a function that lower-cases the ids of a valid value in place; null if the schema has no
 * ids.
 */
export function createIdLowerCaser(schema: unknown): Writer | null {
  if (schema === undefined) return null
  const shape: Record<string, unknown> = Object(schema)
  if (shape['format'] === 'uuid') return (value) => (isId(value) ? value.toLowerCase() : value)
  const writers = [inFields(shape), inItems(shape), ...inChoices(shape)].filter(
    (writer) => writer !== null,
  )
  if (writers.length === 0) return null
  return (value) => writers.reduce((written, writer) => writer(written), value)
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value)
}

function inFields({ properties }: Record<string, unknown>): Writer | null {
  const writers = Object.entries(Object(properties)).flatMap(([name, schema]) => {
    const writer = createIdLowerCaser(schema)
    return writer === null ? [] : [[name, writer] as const]
  })
  if (writers.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const fields: Record<string, unknown> = Object(value)
    for (const [name, writer] of writers) {
      if (Object.hasOwn(fields, name)) fields[name] = writer(fields[name])
    }
    return value
  }
}

function inItems({ items }: Record<string, unknown>): Writer | null {
  const writer = createIdLowerCaser(items)
  if (writer === null) return null
  return (value) => (Array.isArray(value) ? value.map(writer) : value)
}

function inChoices({ anyOf, allOf, oneOf }: Record<string, unknown>): (Writer | null)[] {
  return [anyOf, allOf, oneOf].flat().map((schema) => createIdLowerCaser(schema))
}
