/** Limits of the request log. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  requests_kept_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long the request log keeps a request',
    applies_to: 'GET /requests',
  },
  requests_kept_max: {
    value: 20_000,
    unit: 'requests',
    about: 'Newest requests of a project that the request log keeps; older ones are deleted',
    applies_to: 'GET /requests',
  },
} as const satisfies Record<string, LimitEntry>
