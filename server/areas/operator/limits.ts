/** Limits of the operator console. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  operator_list_s_max: {
    value: 5,
    unit: 'seconds',
    about: 'Time for a page of a list of all projects, reviews or acts',
    applies_to: 'the operator console',
  },
  queue_samples_kept_s: {
    value: 31 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long the samples of waiting jobs and deliveries are kept',
    applies_to: 'the operator console',
  },
} as const satisfies Record<string, LimitEntry>
