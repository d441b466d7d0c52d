/** Returns the adapter of a provider. */
import type { Runtime } from '../../kernel/runtime.ts'
import { builtinCheckout } from './builtin-checkout.ts'
import { CheckoutUnknown, type Checkout, type CheckoutProvider } from './checkout-contract.ts'

export function checkoutOf(runtime: Runtime, provider: CheckoutProvider): Checkout {
  if (provider === 'builtin') return builtinCheckout(runtime)
  throw new CheckoutUnknown(`This version has no adapter for ${provider}.`)
}
