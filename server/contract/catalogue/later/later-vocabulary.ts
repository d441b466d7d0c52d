/** Scopes, event types and prices of the specification for areas that this server does not have. */
import type { LimitedToEntry } from '../limited-to-entry.ts'
import type { PriceEntry } from '../price-entry.ts'
import type { ScopeEntry } from '../scope-entry.ts'

export const laterScopes = {
  'messages:read': {
    about: 'SMS messages and emails with status',
    read_only: true,
    title: 'Messages',
    may: 'sent messages and their delivery status',
  },
  'messages:write': {
    about: 'sending SMS and email',
    read_only: false,
    title: 'Messages',
    may: 'send messages',
  },
} as const satisfies Record<string, ScopeEntry>

export const laterEventTypes = {
  'message.delivered': 'an SMS reached the phone',
  'message.failed': 'an SMS could not be delivered',
  'conversation.summary.ready': 'a chat conversation was closed and its summary is ready',
  'order.paid': 'an order on a site was paid',
  'email.sent': 'an email was accepted for delivery; one event per recipient',
  'email.delivered': "an email reached the recipient's mail server",
  'email.delayed': 'delivery is delayed; retried automatically',
  'email.bounced': 'an email bounced, with a short reason',
  'email.complained': 'the recipient marked an email as spam',
} as const satisfies Record<string, string>

export const laterPrices = {
  'sms.segment': { unit: 'segment', about: 'An SMS, for each segment of it.', price_eur: 0.084 },
  'email.message': { unit: 'message', about: 'An email, for each recipient.', price_eur: 0.001 },
} as const satisfies Record<string, PriceEntry>

export const laterLimitedTo = {
  apps: { about: 'Ids of the apps.', values: 'Ids of apps of the project.', chosen: true },
} as const satisfies Record<string, LimitedToEntry>
