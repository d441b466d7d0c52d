/**
 * Marks secrets that only the reply which creates them contains. A field is marked in its schema;
 * stored replies omit it.
 */
import type { TSchema } from 'typebox'

const keyword = 'x-shown-once'

export function markShownOnce<Shape extends TSchema>(shape: Shape): Shape {
  return { ...shape, [keyword]: true }
}

/** Returns a copy of the value without the marked fields, for storage. */
export function withoutShownOnce(shape: TSchema | undefined, value: unknown): unknown {
  const fields: Record<string, TSchema> = Object(shape && 'properties' in shape && shape.properties)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const field = fields[name]
    if (field && keyword in field) return []
    return [[name, withoutShownOnce(field, one)] as const]
  })
  return Object.fromEntries(kept)
}
