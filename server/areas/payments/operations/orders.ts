/** The operations of orders and refunds. */
import { operation } from '../../../contract/operation.ts'
import { refund as refundOrder } from '../refunds/refunds.ts'
import {
  NewOrder,
  Order,
  OrderDetail,
  OrderId,
  OrderInput,
  OrderPage,
  OrdersQuery,
  Refund,
  RefundInput,
  TestPaymentInput,
} from '../orders/order-schema.ts'
import * as orders from '../orders/orders.ts'
import { Revenue, RevenueQuery, showRevenue } from '../orders/revenue.ts'

export const create = operation({
  name: 'orders.create',
  route: 'POST /orders',
  about:
    'Creates an order that a customer pays on the page checkout_url. Prices include VAT. order.paid is ' +
    'sent when it is paid. In test mode no money moves, and the page offers every outcome.',
  keywords:
    'charge customer, checkout, invoice, sell, ask for payment, pay online, cart, iDEAL, card',
  consent: { about: 'Creates an order with a page on which a customer pays the business.' },
  scope: 'payments:write',
  reach: 'project',
  effect: 'outside',
  body: OrderInput,
  status: 201,
  reply: NewOrder,
  headers: { idempotency_key: 'optional' },
  errors: ['payment_account_missing', 'not_found'],
  run: ({ body }, caller) => orders.create(caller, body),
})

export const list = operation({
  name: 'orders.list',
  route: 'GET /orders',
  about: 'The orders of the project with their status, newest first.',
  keywords: 'sales, purchases, paid, unpaid, webshop, revenue, who bought',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  query: OrdersQuery,
  status: 200,
  reply: OrderPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => orders.list(caller, query),
})

export const get = operation({
  name: 'orders.get',
  route: 'GET /orders/{id}',
  about: 'One order with its refunds and its timeline.',
  keywords: 'did they pay, payment status, purchase details, timeline',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  params: OrderId,
  status: 200,
  reply: OrderDetail,
  errors: ['not_found'],
  run: ({ params }, caller) => orders.find(caller, params.id),
})

export const revenue = operation({
  name: 'orders.revenue',
  route: 'GET /payments/revenue',
  about: 'What customers paid on each of the last 30 days, and what of it was refunded.',
  keywords: 'sales by day, turnover, income, chart, best day, how much did we sell',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  query: RevenueQuery,
  status: 200,
  reply: Revenue,
  errors: [],
  run: ({ query }, caller) => showRevenue(caller, query),
})

export const refund = operation({
  name: 'orders.refund',
  route: 'POST /orders/{id}/refunds',
  about:
    'Refunds a paid order, in part or in whole. The refund is pending until the provider has made ' +
    'it; order.refunded is sent then.',
  keywords: 'money back, return payment, reimburse, credit, chargeback',
  consent: {
    about: 'Returns money of an order to the customer.',
    costs: () => null,
  },
  scope: 'payments:write',
  reach: 'project',
  effect: 'money',
  params: OrderId,
  body: RefundInput,
  status: 201,
  reply: Refund,
  headers: { idempotency_key: 'required' },
  errors: ['not_found', 'conflict', 'forbidden'],
  run: ({ params, body }, caller) => refundOrder(caller, params.id, body),
})

export const simulate = operation({
  name: 'orders.simulate',
  route: 'POST /test/orders/{id}',
  about: 'Plays the customer of a test order, or their bank. Events are sent as for a real one.',
  keywords: 'test payment, fake checkout, pretend to pay, failed payment, chargeback',
  scope: 'payments:write',
  reach: 'project',
  effect: 'write',
  params: OrderId,
  body: TestPaymentInput,
  status: 200,
  reply: Order,
  errors: ['not_found'],
  run: ({ params, body }, caller) => orders.simulate(caller, params.id, body),
})
