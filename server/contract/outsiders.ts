/**
 * Words of outsiders: what visitors, callers, senders and web pages wrote, as against what the
 * project itself says. A field of a reply is marked once, where its shape is declared; every way
 * out that is read by a language model shows it wrapped, so that it is never taken for an
 * instruction.
 */
import type { TSchema } from 'typebox'

/** `unless`: a field beside it, and the values with which the words are the project's own. */
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

/** The mark of a shape, or null when its values are the project's own. */
export function outsidersMark(shape: object): OutsidersMark | null {
  return keyword in shape ? (shape[keyword] as OutsidersMark) : null
}
