/** Operations for people only: top-ups, automatic top-up and the monthly overview. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import * as checkout from './checkout.ts'
import { listMonths } from './months.ts'
import { putAutoReload, showAutoReload } from './reload/own-reload.ts'
import {
  Day,
  DaysQuery,
  TransactionsPage,
  TransactionsQuery,
} from './statements/statements-schema.ts'
import { listDays, listTransactions } from './statements/statements.ts'
import * as schema from './people-schema.ts'

export const topUp = peopleOperation({
  name: 'top_ups.create',
  route: 'POST /projects/{project_id}/top-ups',
  about:
    'Opens a payment page for a top-up. Nothing is charged until the payment on that ' +
    'page succeeds; the balance rises within a minute after that.',
  keywords:
    'add credit, add money, deposit, recharge, prepaid, pay in, load funds, payment link, ' +
    'euro, iDEAL, card, almost empty, fill up',
  access: 'admin',
  fresh: true,
  effect: 'money',
  body: schema.TopUpInput,
  status: 201,
  reply: schema.TopUpOrder,
  errors: ['conflict'],
  run: ({ body }, caller) => checkout.orderTopUp(caller, body),
})

export const topUps = peopleOperation({
  name: 'top_ups.list',
  route: 'GET /projects/{project_id}/top-ups',
  about: 'Lists the latest 20 top-ups, newest first.',
  keywords:
    'payments, receipts, invoice, paid but balance still zero, history, made deposits, transfers',
  access: 'admin',
  effect: 'read',
  status: 200,
  reply: Type.Object({
    data: Type.Array(schema.TopUpOrder, { description: 'The newest top-ups, newest first.' }),
  }),
  errors: [],
  run: (_input, caller) => checkout.listTopUps(caller),
})

export const showTopUp = peopleOperation({
  name: 'top_ups.get',
  route: 'GET /projects/{project_id}/top-ups/{top_up_id}',
  about: 'Gets a top-up with the current state of its payment.',
  keywords: 'payment status, receipt, invoice, arrived, did the transfer come through, pending',
  access: 'admin',
  effect: 'read',
  params: schema.TopUpParams,
  status: 200,
  reply: schema.TopUpOrder,
  errors: [],
  run: ({ params }, caller) => checkout.checkTopUp(caller, params.top_up_id),
})

export const autoReload = peopleOperation({
  name: 'auto_reload.get',
  route: 'GET /projects/{project_id}/auto-reload',
  about: 'The automatic top-up settings and the saved card.',
  keywords: 'automatic refill, saved card, recharge, will it refill by itself, amount',
  access: 'viewer',
  effect: 'read',
  status: 200,
  reply: schema.AutoReloadReply,
  errors: [],
  run: (_input, caller) => showAutoReload(caller),
})

export const setAutoReload = peopleOperation({
  name: 'auto_reload.put',
  route: 'PUT /projects/{project_id}/auto-reload',
  about:
    'Changes the automatic top-up settings. Enabling it requires a saved card; a ' +
    'top-up with save_card saves one.',
  keywords:
    'automatic refill, recharge, threshold, enable, disable, credit card, when the balance is ' +
    'low, by itself',
  access: 'admin',
  fresh: true,
  effect: 'money',
  body: schema.AutoReloadInput,
  status: 200,
  reply: schema.AutoReloadReply,
  errors: ['payment_mandate_missing'],
  run: ({ body }, caller) => putAutoReload(caller, body),
})

export const months = peopleOperation({
  name: 'balance.months',
  route: 'GET /projects/{project_id}/balance/months',
  about: 'Totals per calendar month: top-ups, and spending by category. Newest month first.',
  keywords:
    'invoices, bills, bookkeeper, monthly costs, quarter, usage breakdown, receipts, period, ' +
    'PDF, tax, yearly report, office, compare months',
  access: 'viewer',
  effect: 'read',
  query: schema.MonthsQuery,
  status: 200,
  reply: Type.Object({
    data: Type.Array(schema.Month, { description: 'The calendar months, newest first.' }),
  }),
  errors: [],
  run: ({ query }, caller) => listMonths(caller, query),
})

export const transactions = peopleOperation({
  name: 'balance.transactions',
  route: 'GET /projects/{project_id}/balance/transactions',
  about:
    'Lists the transactions that were booked in a calendar month, newest first, optionally of ' +
    'one type or category.',
  keywords:
    'where did my credit go, bookings, ledger, statement, charges, deductions, spent this ' +
    'week, took money, itemised, what was the money spent on, expenses this month',
  access: 'viewer',
  effect: 'read',
  query: TransactionsQuery,
  status: 200,
  reply: TransactionsPage,
  errors: [],
  run: ({ query }, caller) => listTransactions(caller, query),
})

export const days = peopleOperation({
  name: 'balance.days',
  route: 'GET /projects/{project_id}/balance/days',
  about: 'Totals for each day of a calendar month: top-ups, and spending by category.',
  keywords: 'spending per day, daily costs, usage breakdown, chart',
  access: 'viewer',
  effect: 'read',
  query: DaysQuery,
  status: 200,
  reply: Type.Object({
    data: Type.Array(Day, { description: 'The days with transactions, oldest first.' }),
  }),
  errors: [],
  run: ({ query }, caller) => listDays(caller, query),
})
