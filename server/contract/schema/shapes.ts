/** Common schemas, and functions that annotate a schema. */
import { Type, type TSchema } from 'typebox'

/** The id of a record. */
export const Uuid = Type.String({ format: 'uuid', description: 'A UUID.' })

/** ISO 8601 in UTC with milliseconds (specification: Resources and their fields). */
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'A time in UTC, ISO 8601 with milliseconds.',
  examples: ['2026-11-21T09:30:00.000Z'],
})

/**
 * A time in a request. PostgreSQL has no year 0, and JavaScript has no leap seconds, so both are
 * refused. Validation errors quote the title.
 */
export const RequestTime = Type.String({
  format: 'date-time',
  pattern: '^[2-9]\\d{3}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:[0-5]',
  title: 'a time such as 2026-11-21T09:30:00Z, from the year 2000 on',
  description: 'A time in ISO 8601, from the year 2000 on.',
  examples: ['2026-11-21T09:30:00.000Z'],
})

/** A day in a request. Validation errors quote the title. */
export const RequestDay = Type.String({
  format: 'date',
  pattern: '^[2-9]\\d{3}-',
  title: 'a date such as 2026-11-21, from the year 2000 on',
  description: 'A date, from the year 2000 on.',
  examples: ['2026-11-21'],
})

/** A phone number in E.164 format. Validation errors quote the title. */
export const E164 = Type.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  title: 'a phone number in E.164 format, such as +447700900123',
  description: 'A phone number in E.164 format: + and 7 to 15 digits.',
  examples: ['+447700900123'],
})

/** Pattern of one line of text: no control characters, and none that change the direction of text. */
export const ONE_LINE = String.raw`^(?=.*\S)[^\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$`

/**
 * The same for names of customers: without the demand for a visible character, which needs a lookahead, and
 * with the marks that Arabic and Hebrew names may have.
 */
const NO_HIDDEN = String.raw`^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$`

/** Returns the schema of a text without line breaks or other hidden characters. */
export function oneLine<Shape extends TSchema>(shape: Shape): Shape {
  return { ...shape, pattern: NO_HIDDEN, title: 'one line of text without hidden characters' }
}

/** Returns the schema with another description. */
export function withDescription<Shape extends TSchema>(shape: Shape, description: string): Shape {
  return { ...shape, description }
}

/** Returns the schema with an example for the documentation. */
export function withExample<Shape extends TSchema>(shape: Shape, example: unknown): Shape {
  return { ...shape, examples: [example] }
}

/** Returns a schema that also accepts null; the description explains null. */
export function orNull<Shape extends TSchema>(shape: Shape, description: string) {
  return Type.Union([shape, Type.Null()], { description })
}
