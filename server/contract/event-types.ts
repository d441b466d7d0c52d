/**
 * The event types of webhook endpoints, each with the time at which it occurs: those of the
 * specification in its order, then ours. Their payloads are in the `events.ts` of areas.
 */

const table = {
  'call.completed': 'a call has ended',
  'call.summary.ready': 'the summary of a call is ready; arrives after call.completed',
  'message.delivered': 'an SMS reached the phone',
  'message.failed': 'an SMS could not be delivered',
  'conversation.summary.ready': 'a chat conversation was closed and its summary is ready',
  'document.created':
    'a new document in a collection with webhook_on_insert, from the API or a site form',
  'balance.low': 'the prepaid balance dropped below the threshold',
  'balance.topped_up': 'a top-up was added',
  'balance.reload_failed': 'an automatic top-up failed',
  'order.paid': 'an order on a site was paid',
  'email.sent': 'an email was accepted for delivery; one event per recipient',
  'email.delivered': "an email reached the recipient's mail server",
  'email.delayed': 'delivery is delayed; retried automatically',
  'email.bounced': 'an email bounced, with a short reason',
  'email.complained': 'the recipient marked an email as spam',
  // A subscription to this type is accepted, because it is in the published list, but has no
  // effect: POST /webhooks/{id}/test sends it to the named endpoint, whatever its subscriptions.
  'webhook.test': 'only when requested with POST /webhooks/{id}/test',

  // Messages
  'message.received': 'an SMS to a number of the project arrived',

  // Payments
  'order.failed': 'the payment of an order failed',
  'order.expired': 'an order was not paid in time',
  'order.canceled': 'the customer canceled the payment of an order',
  'order.refunded': 'an order was refunded, in part or in whole',
  'order.charged_back': 'the bank of the customer took the payment of an order back',
} as const satisfies Record<string, string>

export type EventType = keyof typeof table

/** Events of a call; each is delivered at most once per endpoint and call, apart from retries. */
export type CallEventType = Extract<EventType, `call.${string}`>

/** Events of an email, one per recipient; the only types for an endpoint of one app. */
export type EmailEventType = Extract<EventType, `email.${string}`>

export const eventTypes: Readonly<Record<EventType, string>> = table

export const eventTypeNames: readonly EventType[] = Object.keys(table).filter(isEventType)

export function isEventType(word: string): word is EventType {
  return Object.hasOwn(table, word)
}

export function isCallEvent(type: EventType): type is CallEventType {
  return type.startsWith('call.')
}

export function isEmailEvent(type: EventType): type is EmailEventType {
  return type.startsWith('email.')
}
