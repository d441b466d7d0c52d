/** The operations of billing. Top-ups and their settings are only available in the portal. */
import { operation } from '../../contract/operation.ts'
import { Balance } from './schema.ts'
import * as billing from './service.ts'

export const get = operation({
  name: 'balance.get',
  route: 'GET /balance',
  about:
    'The prepaid balance, the spending of this month and the latest 20 transactions. A ' +
    'test key gets the balance of the live project, with test: true. Top-ups are made ' +
    'in the portal.',
  keywords:
    'credit, money left, funds, account, minutes, running out, spent, deducted, took money ' +
    'off, charged, currency, cost, how much left, usage, expenses, consumption',
  scope: 'project:read',
  reach: 'project',
  effect: 'read',
  status: 200,
  reply: Balance,
  errors: ['not_found'],
  run: async (_input, caller) => billing.show(caller),
})
