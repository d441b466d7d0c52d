/** The payment provider of this installation: Stripe, its simulator, or none. */
import type { House } from '../../kernel/house.ts'
import type { Payments } from './payment-contract.ts'
import { stripePayments } from './stripe.ts'

/** Null when the operator has no provider, so that nothing can be taken. */
export function paymentsOf(house: House): Payments | null {
  return house.config.payments.provider === 'none' ? null : stripePayments(house)
}
