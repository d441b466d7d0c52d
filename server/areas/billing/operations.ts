/** The operations of billing. Topping up and its settings belong to the portal alone. */
import { operation } from '../../contract/operation.ts'
import { Balance } from './schema.ts'
import * as billing from './service.ts'

export const get = operation({
  name: 'balance.get',
  route: 'GET /balance',
  about:
    'The prepaid balance, what was spent this month and the latest 20 transactions. With a test ' +
    'key it is the balance of the live project, with test: true. It is topped up in the portal alone.',
  scope: 'project:read',
  reach: 'project',
  effect: 'read',
  status: 200,
  reply: Balance,
  errors: ['not_found'],
  run: async (_input, caller) => billing.show(caller),
})
