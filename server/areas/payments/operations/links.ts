/** The operations of payment links. */
import { operation } from '../../../contract/operation.ts'
import { PageQuery } from '../../../contract/schema/pages.ts'
import {
  PaymentLink,
  PaymentLinkChange,
  PaymentLinkId,
  PaymentLinkInput,
  PaymentLinkPage,
} from '../links/link-schema.ts'
import * as links from '../links/links.ts'

export const create = operation({
  name: 'payment_links.create',
  route: 'POST /payment-links',
  about:
    'Creates a page on which customers pay, to send them or to print as a QR code. Each payment is an ' +
    'order with payment_link_id.',
  keywords: 'QR code, pay page, deposit, donation, tip, tikkie, ask for money, pay by link',
  consent: { about: 'Creates a page on which customers pay the business.' },
  scope: 'payments:write',
  reach: 'project',
  effect: 'outside',
  body: PaymentLinkInput,
  status: 201,
  reply: PaymentLink,
  headers: { idempotency_key: 'optional' },
  errors: ['payment_account_missing', 'conflict'],
  run: ({ body }, caller) => links.create(caller, body),
})

export const list = operation({
  name: 'payment_links.list',
  route: 'GET /payment-links',
  about: 'The payment links of the project with what was paid, newest first.',
  keywords: 'pay links, QR codes, collected',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  query: PageQuery,
  status: 200,
  reply: PaymentLinkPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => links.list(caller, query),
})

export const get = operation({
  name: 'payment_links.get',
  route: 'GET /payment-links/{id}',
  about: 'One payment link with what was paid.',
  keywords: 'how often paid, total collected by link',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  params: PaymentLinkId,
  status: 200,
  reply: PaymentLink,
  errors: ['not_found'],
  run: ({ params }, caller) => links.find(caller, params.id),
})

export const update = operation({
  name: 'payment_links.update',
  route: 'PATCH /payment-links/{id}',
  about: 'Turns a payment link off or on, or changes its text or until when it works.',
  keywords: 'switch off pay link, expire, close, deactivate, change text',
  scope: 'payments:write',
  reach: 'project',
  effect: 'write',
  params: PaymentLinkId,
  body: PaymentLinkChange,
  status: 200,
  reply: PaymentLink,
  errors: ['not_found', 'conflict'],
  run: ({ params, body }, caller) => links.change(caller, params.id, body),
})
