/** Limits of the files area. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  upload_link_lifetime_s: {
    value: 900,
    unit: 'seconds',
    about: 'How long an upload link is valid',
    applies_to: 'POST /sites/uploads',
  },
} as const satisfies Record<string, LimitEntry>
