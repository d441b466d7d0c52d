/** Small shapes that many replies and requests are made of, each said once. */
import { Type } from 'typebox'

/** The id of a record. */
export const Uuid = Type.String({ format: 'uuid' })

/** ISO 8601 in UTC with milliseconds (specification: Resources and their fields). */
export const Timestamp = Type.String({
  format: 'date-time',
  examples: ['2026-11-21T09:30:00.000Z'],
})

/** A phone number that can be called from anywhere. */
export const E164 = Type.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  description: 'a phone number in E.164 format',
  examples: ['+447700900123'],
})
