/** Creates the payment provider: Stripe, its simulator, or none. */
import type { Runtime } from '../../kernel/runtime.ts'
import type { Payments } from './payment-contract.ts'
import { stripePayments } from './stripe.ts'

/** Null if the operator has no provider; then no payments are possible. */
export function paymentsOf(runtime: Runtime): Payments | null {
  return runtime.config.payments.provider === 'none' ? null : stripePayments(runtime)
}
