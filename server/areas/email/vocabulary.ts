/** The event types and prices that email adds to the contract. */
import type { PriceEntry } from '../../contract/catalogue/entries/price-entry.ts'

export const eventTypes = {
  'email.sent': 'an email was accepted for delivery; one event per recipient',
  'email.delivered': "an email reached the recipient's mail server",
  'email.delayed': 'delivery is delayed; retried automatically',
  'email.bounced': 'an email bounced, with a short reason',
  'email.complained': 'the recipient marked an email as spam',
} as const satisfies Record<string, string>

export const prices = {
  'email.message': { unit: 'message', about: 'An email, for each recipient.', price_eur: 0.001 },
} as const satisfies Record<string, PriceEntry>
