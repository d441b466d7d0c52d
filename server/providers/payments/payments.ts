/** The payment provider of this installation: Stripe, its simulator, or none. */
import type { Runtime } from '../../kernel/runtime.ts'
import type { Payments } from './payment-contract.ts'
import { stripePayments } from './stripe.ts'

/** Null when the operator has no provider, so that nothing can be taken. */
export function paymentsOf(runtime: Runtime): Payments | null {
  return runtime.config.payments.provider === 'none' ? null : stripePayments(runtime)
}
