/**
 * Marks reply fields with text of outsiders: visitors, callers, senders and web pages. A field is
 * marked in its schema; replies for language models wrap it, as protection against prompt
 * injection.
 */
import type { TSchema } from 'typebox'

/**
 * `unless` names a sibling field and its values for which the text was written by the project
 * itself.
 */
export interface OutsidersMark {
  readonly unless?: { readonly field: string; readonly is: readonly string[] }
}

const keyword = 'x-outsiders'

export function markAsOutsiders<Shape extends TSchema>(
  shape: Shape,
  mark: OutsidersMark = {},
): Shape {
  return { ...shape, [keyword]: mark }
}

/** The mark of a schema; null if its values are the project's own. */
export function findOutsidersMark(shape: object): OutsidersMark | null {
  return keyword in shape ? (shape[keyword] as OutsidersMark) : null
}
