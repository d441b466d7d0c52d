/** Limits of the portal. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  site_appeals_per_hour_max: {
    value: 20,
    unit: 'appeals',
    about: 'Appeals from one address in an hour',
    applies_to: 'sites',
  },
  portal_form_bytes_max: {
    value: 262_144,
    unit: 'bytes',
    about: 'Size of a form that is sent to the portal',
    applies_to: 'the portal',
  },
} as const satisfies Record<string, LimitEntry>
