/** The personal data in orders. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  orders: {
    title: 'Orders',
    about:
      'What customers ordered and paid, with their name, company, address, email address and phone ' +
      'number.',
    tables: [
      'orders',
      'order_refunds',
      'order_timeline',
      'order_invoices',
      'payment_subscriptions',
    ],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: null,
  },
} as const satisfies Record<string, PersonalDataEntry>
