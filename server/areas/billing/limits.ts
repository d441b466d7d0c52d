/** Limits of billing. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

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
    about: 'How long the payment page of a top-up stays open',
    applies_to: 'the portal',
  },
  top_ups_open_max: {
    value: 10,
    unit: 'top-ups',
    about: 'Unpaid top-ups per project',
    applies_to: 'the portal',
  },
} as const satisfies Record<string, LimitEntry>
