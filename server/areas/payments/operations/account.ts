/** The operation that shows the payment account. */
import { operation } from '../../../contract/operation.ts'
import { PaymentAccount } from '../account/account-schema.ts'
import { showAccount } from '../account/account.ts'

export const get = operation({
  name: 'payments_account.get',
  route: 'GET /payments/account',
  about: 'The account at a payment provider that gets the money of customers, and what it lacks.',
  keywords: 'Stripe, Mollie, payout, onboarding, payment provider, missing, can we take money',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  status: 200,
  reply: PaymentAccount,
  errors: [],
  run: (_input, caller) => showAccount(caller),
})
