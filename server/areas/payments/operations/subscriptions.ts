/** The operations of subscriptions and invoices. */
import { operation } from '../../../contract/operation.ts'
import { InvoicePage, InvoicesQuery } from '../invoices/invoice-schema.ts'
import * as invoices from '../invoices/invoices.ts'
import {
  NewSubscription,
  Subscription,
  SubscriptionId,
  SubscriptionInput,
  SubscriptionPage,
  SubscriptionsQuery,
} from '../subscriptions/subscription-schema.ts'
import * as subscriptions from '../subscriptions/subscriptions.ts'

export const create = operation({
  name: 'payment_subscriptions.create',
  route: 'POST /payment-subscriptions',
  about:
    'Creates a subscription. The customer pays the first period on checkout_url; each later one is charged ' +
    'by itself and is an order with subscription_id.',
  keywords:
    'recurring payment, membership, monthly, direct debit, mandate, weekly box, donate monthly',
  consent: { about: 'Creates a subscription that charges a customer each period.' },
  scope: 'payments:write',
  reach: 'project',
  effect: 'outside',
  body: SubscriptionInput,
  status: 201,
  reply: NewSubscription,
  headers: { idempotency_key: 'optional' },
  errors: ['payment_account_missing'],
  run: ({ body }, caller) => subscriptions.create(caller, body),
})

export const list = operation({
  name: 'payment_subscriptions.list',
  route: 'GET /payment-subscriptions',
  about: 'The subscriptions of customers with their state, newest first.',
  keywords: 'members, recurring revenue, who is past due, churn',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  query: SubscriptionsQuery,
  status: 200,
  reply: SubscriptionPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => subscriptions.list(caller, query),
})

export const get = operation({
  name: 'payment_subscriptions.get',
  route: 'GET /payment-subscriptions/{id}',
  about: 'One subscription. Its orders are those of GET /orders with subscription_id.',
  keywords: 'membership state, next charge, when is the next payment',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  params: SubscriptionId,
  status: 200,
  reply: Subscription,
  errors: ['not_found'],
  run: ({ params }, caller) => subscriptions.find(caller, params.id),
})

export const cancel = operation({
  name: 'payment_subscriptions.cancel',
  route: 'POST /payment-subscriptions/{id}/cancel',
  about: 'Cancels a subscription, so that no later period is charged. What was paid stays.',
  keywords: 'stop membership, end recurring payment, unsubscribe customer',
  consent: { about: 'Ends the subscription of a customer.' },
  scope: 'payments:write',
  reach: 'project',
  effect: 'outside',
  params: SubscriptionId,
  status: 200,
  reply: Subscription,
  errors: ['not_found', 'forbidden'],
  run: ({ params }, caller) => subscriptions.cancel(caller, params.id),
})

export const listInvoices = operation({
  name: 'invoices.list',
  route: 'GET /invoices',
  about:
    'The invoices of paid orders and the credit notes of refunds with their PDF, newest first.',
  keywords: 'PDF, bookkeeping, VAT, credit note, receipt, tax, accountant',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  query: InvoicesQuery,
  status: 200,
  reply: InvoicePage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => invoices.list(caller, query),
})
