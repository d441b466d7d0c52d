/**
 * Marks secrets that only the reply which creates them contains. A field is marked in its schema;
 * stored replies omit it, and say how to get another one.
 */
import type { TSchema } from 'typebox'

const keyword = 'x-shown-once'

/** `again`: a sentence that says how to get another secret. */
export function markShownOnce<Shape extends TSchema>(shape: Shape, again: string): Shape {
  return { ...shape, [keyword]: again }
}

/** Returns a copy of the value without the marked fields, for storage. */
export function withoutShownOnce(shape: TSchema | undefined, value: unknown): unknown {
  const fields = fieldsOf(shape)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const field = fields[name]
    if (field && keyword in field) return []
    return [[name, withoutShownOnce(field, one)] as const]
  })
  return Object.fromEntries(kept)
}

/** How to get what `withoutShownOnce` leaves out; null if it leaves out nothing. */
export function describeShownOnce(shape: TSchema | undefined): string | null {
  const said = Object.values(fieldsOf(shape)).flatMap((field) =>
    keyword in field ? String(field[keyword]) : (describeShownOnce(field) ?? []),
  )
  return said.length > 0 ? said.join(' ') : null
}

function fieldsOf(shape: TSchema | undefined): Record<string, TSchema> {
  return Object(shape && 'properties' in shape && shape.properties)
}
