/** Errors of billing. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'

export const errors = {
  payment_required: {
    status: 402,
    about:
      'Billing blocks the request for a reason that has no error type of its own. The detail ' +
      'names it.',
    user: 'This cannot go ahead until the billing of this project is in order.',
    next:
      'Tell the owner what detail says and ask them to settle it in the portal under Billing, ' +
      'then send the request again.',
  },
  payment_mandate_missing: {
    status: 402,
    about: 'The project has no saved card and no prepaid balance, so nothing can be charged.',
    user: 'There is no payment method and no balance yet to pay for this.',
    next:
      'Ask the owner to save a card or top up the balance in the portal under Billing, then ' +
      'send the same request again.',
  },
  billing_blocked: {
    status: 402,
    about: 'The project has reached its spending cap for this month.',
    user: 'The spending limit for this month has been reached.',
    next:
      'Compare spent_this_month_eur with spend_cap_eur in GET /balance. Ask the owner to raise ' +
      'the cap in the portal under Billing, or wait until the next month begins.',
  },
  insufficient_balance: {
    status: 402,
    about:
      'The balance would go below zero by this SMS, number order, chat reply or outbound call. ' +
      'Nothing was done and nothing was charged.',
    user: 'The balance is too low for this, so nothing was done and nothing was charged.',
    next:
      'Tell the user the balance_eur of GET /balance and ask the owner to top up in the portal ' +
      'under Billing. Then send the same request again.',
  },
} as const satisfies Record<string, ErrorEntry>
