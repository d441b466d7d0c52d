/** Payments by the customers of a project: the account at a provider, orders and refunds. */
import { defineArea } from '../../contract/area.ts'
import { checkAccounts } from './account/account.ts'
import { CALLBACK_PURPOSE, KEY_PURPOSE } from './account/open-account.ts'
import * as accountOperations from './operations/account.ts'
import * as customerOperations from './operations/customers.ts'
import * as linkOperations from './operations/links.ts'
import * as events from './events.ts'
import * as orderOperations from './operations/orders.ts'
import * as subscriptionOperations from './operations/subscriptions.ts'
import { mailInvoice } from './invoices/mail.ts'
import { chargeOrder, chargeSubscriptions } from './subscriptions/charge.ts'
import * as shopOperations from './operations/shop.ts'
import { readCallback } from './pay/callbacks.ts'
import { expireOrder, reconcileOrders, refreshOrder } from './pay/jobs.ts'
import * as peopleOperations from './people-operations.ts'
import { personalRecords } from './person-store.ts'
import { deleteOldRefusals } from './refusals.ts'
import { refundOrder, repeatRefunds } from './refunds/jobs.ts'

export const payments = defineArea({
  name: 'payments',
  operations: [
    accountOperations,
    orderOperations,
    linkOperations,
    shopOperations,
    subscriptionOperations,
    customerOperations,
  ],
  peopleOperations: [peopleOperations],
  events: [events],
  jobs: [refreshOrder, readCallback, expireOrder, refundOrder, chargeOrder, mailInvoice],
  reconcilers: [
    reconcileOrders,
    deleteOldRefusals,
    checkAccounts,
    chargeSubscriptions,
    repeatRefunds,
  ],
  sealed: [
    { table: 'payment_accounts', column: 'sealed_key', purpose: () => KEY_PURPOSE },
    {
      table: 'payment_accounts',
      column: 'sealed_callback_secret',
      purpose: () => CALLBACK_PURPOSE,
    },
  ],
  personalRecords: [personalRecords],
  exported: [
    // An imported order would be paid at the account of another installation.
    { table: 'payment_links', for_reading: true },
    { table: 'orders', for_reading: true },
    { table: 'order_refunds', for_reading: true },
    { table: 'order_timeline', for_reading: true },
    { table: 'order_invoices', for_reading: true },
    { table: 'payment_subscriptions', without: ['mandate'], for_reading: true },
  ],
  guides: [
    {
      page: 'payments',
      group: 'Websites and data',
      title: 'Payments',
      card: { title: 'Payments', text: 'Orders that customers pay, refunds and events.' },
    },
    {
      page: 'shop',
      group: 'Websites and data',
      title: 'A shop on a website',
      card: { title: 'A shop', text: 'Sell products on a static site, with a cart and stock.' },
    },
  ],
})
