/** Returns the adapter of an account at an external provider. */
import type { Runtime } from '../../kernel/runtime.ts'
import type { CheckoutAccount, ExternalCheckout } from './checkout-contract.ts'
import { mollieCheckout } from './mollie-checkout.ts'
import { stripeCheckout } from './stripe-checkout.ts'

/** Where the provider calls back about payments of the account. */
export function callbackUrlOf({ config }: Runtime, { provider, id }: CheckoutAccount): string {
  return `${config.public_url}/hooks/${provider}/${id}`
}

export function externalCheckout(runtime: Runtime, account: CheckoutAccount): ExternalCheckout {
  if (account.provider === 'stripe') return stripeCheckout(runtime, account)
  return mollieCheckout(runtime, { ...account, callback_url: callbackUrlOf(runtime, account) })
}
