/**
 * Secrets that are in the reply which makes them, and never again. A field is marked where its shape
 * is declared; whoever keeps a reply for later keeps it without them.
 */
import type { TSchema } from 'typebox'

const keyword = 'x-shown-once'

export function shownOnce<Shape extends TSchema>(shape: Shape): Shape {
  return { ...shape, [keyword]: true }
}

/** A value of this shape as it may be kept. */
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
