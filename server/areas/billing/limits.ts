/** Limits of billing. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/limit-entry.ts'

export const limits = {
  balance_transactions_max: {
    value: 20,
    unit: 'transactions',
    about: 'Latest transactions returned with the balance, newest first',
    applies_to: 'GET /balance',
  },
  top_up_open_s: {
    value: HOUR_S,
    unit: 'seconds',
    about: 'How long a page on which a top-up is paid stays open',
    applies_to: 'the portal',
  },
  top_ups_open_max: {
    value: 10,
    unit: 'top-ups',
    about: 'Top-ups of one project that wait to be paid',
    applies_to: 'the portal',
  },
} as const satisfies Record<string, LimitEntry>
