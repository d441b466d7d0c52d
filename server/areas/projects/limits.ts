/** Limits of projects. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  spending_cap_unverified_eur_max: {
    value: 500,
    unit: 'euro',
    about: 'Highest monthly spending cap before the verification level full is reached',
    applies_to: 'project',
  },
} as const satisfies Record<string, LimitEntry>
