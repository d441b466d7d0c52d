/** Money, which is for people alone: topping up, automatic top-up, and where it went. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import * as checkout from './checkout/checkout.ts'
import { listMonths } from './months/months.ts'
import { putAutoReload, showAutoReload } from './reload/own-reload.ts'
import * as schema from './people-schema.ts'

export const topUp = peopleOperation({
  name: 'top_ups.create',
  route: 'POST /projects/{project_id}/top-ups',
  about:
    'Opens a page of the payment provider on which the balance is topped up. Nothing is paid ' +
    'before somebody has paid there; the balance goes up within a minute after that.',
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
  about: 'The latest 20 top-ups that were ordered here, the newest first.',
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
  about: 'A top-up, as the payment provider knows it now.',
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
  about: 'How the balance is topped up by itself, and with which card.',
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
    'Sets how the balance is topped up by itself. It is turned on only while a card is saved, ' +
    'which a top-up with save_card does.',
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
  about: 'What was paid in and what was spent on what, by calendar month, the newest first.',
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
