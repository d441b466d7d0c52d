/**
 * Marks reply fields with text of outsiders: visitors, callers, senders and web pages. A field is
 * marked in its schema; replies for language models wrap it, as protection against prompt
 * injection.
 */
import type { TSchema } from 'typebox'

/** `unless`: a sibling field and the values for which the text is the project's own. */
export interface OutsidersMark {
  readonly unless?: { readonly field: string; readonly is: readonly string[] }
}

const keyword = 'x-outsiders'

export function fromOutsiders<Shape extends TSchema>(
  shape: Shape,
  mark: OutsidersMark = {},
): Shape {
  return { ...shape, [keyword]: mark }
}

/** The mark of a schema; null if its values are the project's own. */
export function outsidersMark(shape: object): OutsidersMark | null {
  return keyword in shape ? (shape[keyword] as OutsidersMark) : null
}
