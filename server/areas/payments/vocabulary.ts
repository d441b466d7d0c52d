/** The events and scopes that payments add to the contract. */
import type { ScopeEntry } from '../../contract/catalogue/entries/scope-entry.ts'

export const scopes = {
  'payments:read': {
    about: 'orders, refunds and the payment account',
    read_only: true,
    title: 'Payments',
    may: 'all orders with their customers, refunds and the payment account',
    title_nl: 'Betalingen',
    may_nl: 'alle bestellingen met hun klanten, terugbetalingen en het betaalaccount',
  },
  'payments:write': {
    about: 'creating and refunding orders',
    read_only: false,
    title: 'Payments',
    may: 'create orders that customers pay, and refund them',
    title_nl: 'Betalingen',
    may_nl: 'bestellingen maken die klanten betalen, en ze terugbetalen',
  },
} as const satisfies Record<string, ScopeEntry>

export const eventTypes = {
  'order.paid': 'an order on a site was paid',
  'order.failed': 'the payment of an order failed',
  'order.expired': 'an order was not paid in time',
  'order.canceled': 'the customer canceled the payment of an order',
  'order.refunded': 'an order was refunded, in part or in whole',
  'order.charged_back': 'the bank of the customer took the payment of an order back',
} as const satisfies Record<string, string>
