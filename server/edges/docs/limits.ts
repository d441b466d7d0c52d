/** Limits of the documentation. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  docs_searches_max: {
    value: 60,
    unit: 'searches',
    about: 'Searches of one IPv4 address or IPv6 /64 in any one window',
    applies_to: 'GET {origin}/docs/search',
  },
  docs_searches_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Length of that window',
    applies_to: 'GET {origin}/docs/search',
  },
} as const satisfies Record<string, LimitEntry>
