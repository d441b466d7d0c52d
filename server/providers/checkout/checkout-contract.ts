/**
 * The interface of a payment provider at which a project has its own account. A customer pays on a
 * page of the provider; the money goes to the project and never through this server. Every state is
 * read from the provider: the content of a callback or of a return is never believed.
 */
export const checkoutProviders = ['builtin', 'mollie', 'stripe'] as const
export type CheckoutProvider = (typeof checkoutProviders)[number]

/** A payment of one order. */
export interface CheckoutRequest {
  project_id: string
  /** Our unique id of the order, also the idempotency key. */
  order_id: string
  amount_cents: bigint
  description: string
  /** Where the page sends the customer afterwards. */
  return_url: string
  expires_at: Date
}

export interface CheckoutPage {
  /** The provider's id of the payment. */
  reference: string
  /** The page on which the customer pays; null for the built-in provider, whose page is ours. */
  url: string | null
}

export type PaymentState = 'open' | 'pending' | 'paid' | 'failed' | 'expired' | 'canceled'

/** A payment as the provider has it now. */
export interface ProviderPayment {
  state: PaymentState
  amount_cents: bigint
  refunded_cents: bigint
  charged_back: boolean
}

export interface PaymentKey {
  project_id: string
  reference: string
}

export interface RefundRequest extends PaymentKey {
  /** Our unique id of the refund, also the idempotency key. */
  refund_id: string
  amount_cents: bigint
  reason: string | null
}

export type RefundOutcome = { state: 'succeeded'; reference: string } | { state: 'failed' }

/** Each method may throw CheckoutUnknown. */
export interface Checkout {
  /** Opens a page. Idempotent by the id of the order. */
  open(request: CheckoutRequest): Promise<CheckoutPage>
  /** Null if the provider does not know the payment. */
  read(key: PaymentKey): Promise<ProviderPayment | null>
  /** Closes a page on which nothing was paid, as far as the provider can. */
  close(key: PaymentKey): Promise<void>
  /** Returns money to the customer. Idempotent by the id of the refund. */
  refund(request: RefundRequest): Promise<RefundOutcome>
}

/** The outcome is unknown: the provider may have done it or not. */
export class CheckoutUnknown extends Error {
  override readonly name = 'CheckoutUnknown'
}
