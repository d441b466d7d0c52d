/**
 * The interface of a payment provider at which a project has its own account. A customer pays on a
 * page of the provider; the money goes to the project and never through this server. Every state is
 * read from the provider: the content of a callback or of a return is never believed.
 */
export const checkoutProviders = ['builtin', 'mollie', 'stripe'] as const
export type CheckoutProvider = (typeof checkoutProviders)[number]

/** The account of a project, with its secrets. */
export interface CheckoutAccount {
  id: string
  project_id: string
  provider: 'mollie' | 'stripe'
  key: string
}

/** The state of an account at its provider. */
export interface AccountState {
  status: 'pending' | 'active' | 'restricted'
  /** Ways in which customers can pay, in the words of the provider. */
  methods: string[]
  /** What the provider still wants, in its words. */
  missing: string[]
}

/** A payment of one order. */
export interface CheckoutRequest {
  project_id: string
  /** Our unique id of the order, also the idempotency key. */
  order_id: string
  /** The payment that was opened before; null at the first time. */
  reference: string | null
  amount_cents: bigint
  description: string
  /** Where the page sends the customer afterwards. */
  return_url: string
  expires_at: Date
  /** Set for a subscription: the payment method is kept for later charges. */
  keeps_method: { name: string | null; email: string | null } | null
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
  /** For `charge`; null if the payment method was not kept. */
  mandate: string | null
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

/** A payment without the customer, with a payment method that was kept. */
export interface ChargeRequest {
  project_id: string
  order_id: string
  amount_cents: bigint
  description: string
  mandate: string
}

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
  /**
   * Takes a payment; its state is read afterwards. Idempotent by the id of the order. Null if the
   * provider refused it.
   */
  charge(request: ChargeRequest): Promise<string | null>
}

/** What only an account at an external provider has. */
export interface ExternalCheckout extends Checkout {
  /** Reads the state of the account. Throws CheckoutRefused if the key is not accepted. */
  inspect(): Promise<AccountState>
  /** Asks for callbacks, and returns the secret that signs them; null if there is none. */
  subscribe(callback_url: string): Promise<string | null>
  /** The payment and the order that a callback names; null if they are not ours. */
  locate(name: string): Promise<{ reference: string; order_id: string } | null>
}

/** The outcome is unknown: the provider may have done it or not. */
export class CheckoutUnknown extends Error {
  override readonly name = 'CheckoutUnknown'
}

/** The provider does not accept the key of the account. */
export class CheckoutRefused extends CheckoutUnknown {}
