/** Limits of the billing of plans. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  plan_payment_tries_max: {
    value: 3,
    unit: 'attempts',
    about: 'Attempts to charge a month of a plan before the project gets the limits of Free',
    applies_to: 'plans',
  },
  lowered_plan_versions_kept_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long earlier versions of documents beyond the quota of a smaller plan are kept',
    applies_to: 'documents',
  },
} as const satisfies Record<string, LimitEntry>
