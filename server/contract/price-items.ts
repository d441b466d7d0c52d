/** Every priced item with its default price in euro without VAT, by area. */

export interface PriceEntry {
  readonly unit: string
  readonly about: string
  readonly price_eur: number
}

export const priceItems = {
  // Assistant
  'model.tokens_in': {
    unit: 'million tokens',
    about: 'What a language model reads.',
    price_eur: 0.6,
  },
  'model.tokens_out': {
    unit: 'million tokens',
    about: 'What a language model writes.',
    price_eur: 3,
  },

  // Calls
  'call.inbound': { unit: 'minute', about: 'A call that comes in.', price_eur: 0.012 },
  'call.outbound': { unit: 'minute', about: 'A call that goes out.', price_eur: 0.06 },
  'call.forwarded': {
    unit: 'minute',
    about: 'The second leg of a call that is put through.',
    price_eur: 0.06,
  },

  // Email
  'email.message': { unit: 'message', about: 'An email, for each recipient.', price_eur: 0.001 },

  // Messages
  'sms.segment': { unit: 'segment', about: 'An SMS, for each segment of it.', price_eur: 0.084 },

  // Numbers
  'number.national': { unit: 'month', about: 'A national phone number.', price_eur: 5 },
  'number.geographic': { unit: 'month', about: 'A phone number with an area code.', price_eur: 3 },

  // Plans
  'plan.online': { unit: 'month', about: 'The plan Online.', price_eur: 9 },
  'plan.reachable': { unit: 'month', about: 'The plan Reachable.', price_eur: 29 },
  'plan.business': { unit: 'month', about: 'The plan Business.', price_eur: 99 },
  'plan.enterprise': { unit: 'month', about: 'The plan Enterprise.', price_eur: 399 },
} as const satisfies Record<string, PriceEntry>

export type PriceItem = keyof typeof priceItems
