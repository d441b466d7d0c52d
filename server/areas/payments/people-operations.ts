/** The operations of payments for people only. */
import { peopleOperation } from '../../contract/people.ts'
import { PaymentAccount, PaymentAccountInput } from './account/account-schema.ts'
import { putAccount } from './account/account.ts'

export const connect = peopleOperation({
  name: 'payments_account.put',
  route: 'PUT /projects/{project_id}/payments/account',
  about: 'Connects the account that gets the money of customers, or disconnects it.',
  keywords: 'Stripe, Mollie, connect payment provider, payouts, disconnect, choose provider',
  access: 'owner',
  fresh: true,
  effect: 'write',
  body: PaymentAccountInput,
  status: 200,
  reply: PaymentAccount,
  errors: [],
  run: ({ body }, caller) => putAccount(caller, body),
})
