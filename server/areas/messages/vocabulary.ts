/** The events, prices and scopes that text messages add to the contract. */
import type { PriceEntry } from '../../contract/catalogue/entries/price-entry.ts'
import type { ScopeEntry } from '../../contract/catalogue/entries/scope-entry.ts'

export const scopes = {
  'messages:read': {
    about: 'SMS messages and emails with status',
    read_only: true,
    title: 'Messages',
    may: 'all text messages and emails, with their text and delivery status',
    title_nl: 'Berichten',
    may_nl: 'alle sms-berichten en e-mails, met hun tekst en afleverstatus',
  },
  'messages:write': {
    about: 'sending SMS and email',
    read_only: false,
    title: 'Messages',
    may: 'send text messages and emails',
    title_nl: 'Berichten',
    may_nl: 'sms-berichten en e-mails versturen',
  },
} as const satisfies Record<string, ScopeEntry>

export const eventTypes = {
  'message.delivered': 'an SMS reached the phone',
  'message.failed': 'an SMS could not be delivered',
  'message.received': 'an SMS to a number of the project arrived',
} as const satisfies Record<string, string>

export const prices = {
  'sms.segment': { unit: 'segment', about: 'An SMS, for each segment of it.', price_eur: 0.084 },
} as const satisfies Record<string, PriceEntry>
