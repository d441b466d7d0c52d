/**
 * Limits of the specification for areas that this server does not have. An area that is added takes
 * over its entries.
 */
import type { LimitEntry } from '../entries/limit-entry.ts'

export const laterLimits = {
  outbound_calls_per_day_max: {
    value: 100,
    unit: 'calls',
    about: 'Outbound calls started per day',
    applies_to: 'POST /calls',
  },
} as const satisfies Record<string, LimitEntry>
