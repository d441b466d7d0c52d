/**
 * The interface of a payment provider, which charges saved cards while the owner is absent. Each
 * payment has our unique reference, so a payment with an unknown outcome can be looked up and is
 * never charged twice.
 */
import type { MicroEuro } from '../../kernel/values/money.ts'

export interface Payment {
  /** Whole cents: see `isWholeCents`. */
  amount_micro: MicroEuro
  /** Our unique id of the payment. */
  reference: string
  /** The provider's ids of the card and its customer. */
  payment_method: string
  customer: string | null
  /** Shown to the owner on statements of the provider. */
  description: string
}

/** Reasons why a payment certainly failed, so that nothing was charged. */
export const paymentFailures = [
  'authentication_required',
  'card_declined',
  'card_expired',
  'card_unusable',
  'insufficient_funds',
  'payment_refused',
] as const
export type PaymentFailure = (typeof paymentFailures)[number]

export type PaymentOutcome =
  | { state: 'paid'; payment_id: string }
  | { state: 'failed'; reason: PaymentFailure }

export interface SavedCard {
  brand: string
  last4: string
  /** Month and year, such as 03/29. */
  expiry: string
  customer: string | null
}

export interface PaymentSearch {
  reference: string
  customer: string | null
  /** A lower bound of the time of the payment. */
  since: Date
}

/** A payment on a page of the provider. The card details never reach this server. */
export interface CheckoutOrder {
  /** Whole cents. */
  amount_micro: MicroEuro
  /** Our unique id of the checkout. */
  reference: string
  description: string
  email: string
  /** Whether to save the card for payments while the owner is absent. */
  saves_card: boolean
  expires_at: Date
  /** Where the page redirects after payment, and after cancelling. */
  done_url: string
  back_url: string
}

/** The provider's id of the page, and its URL. */
export interface OpenCheckout {
  checkout: string
  url: string
}

export type CheckoutOutcome =
  | { state: 'open' }
  | { state: 'expired' }
  | {
      state: 'paid'
      /** The card, if it was saved. */
      card: { payment_method: string; customer: string } | null
      /** Whether the bank authenticated the payer. */
      is_authenticated: boolean
    }

/** Each method may throw PaymentUnknown. */
export interface Payments {
  openCheckout(order: CheckoutOrder): Promise<OpenCheckout>
  /**
   * Returns the outcome of a checkout. A checkout that the provider does not know counts as
   * expired.
   */
  readCheckout(checkout: string): Promise<CheckoutOutcome>
  /** Charges a card. Idempotent for several hours by the reference. */
  take(payment: Payment): Promise<PaymentOutcome>
  /** Returns the outcome of a payment; null if the provider never received it. */
  find(search: PaymentSearch): Promise<PaymentOutcome | null>
  /** Null if the card does not exist. */
  readCard(payment_method: string): Promise<SavedCard | null>
}

/** The outcome is unknown: the provider may have charged the card or not. */
export class PaymentUnknown extends Error {
  override readonly name = 'PaymentUnknown'
}

const MICRO_PER_CENT = 10_000n

/** Cards are charged in whole cents. */
export function isWholeCents(amount_micro: MicroEuro): boolean {
  return amount_micro % MICRO_PER_CENT === 0n
}

export function toCents(amount_micro: MicroEuro): number {
  return Number(amount_micro / MICRO_PER_CENT)
}
