/**
 * What a payment provider is to us: it takes payments from saved cards while the owner is away.
 * Each payment carries our own reference, by which the provider knows it again, so a payment whose
 * outcome was not heard can be asked for and is never taken twice.
 */
import type { MicroEuro } from '../../kernel/values/money.ts'

export interface Payment {
  /** Whole cents: see `isWholeCents`. */
  amount_micro: MicroEuro
  /** Our name for the payment, never used for another one. */
  reference: string
  /** The card, and whom it belongs to, as the provider names them. */
  payment_method: string
  customer: string | null
  /** For the owner, who reads it in the papers of the provider. */
  description: string
}

/** Why a payment failed for certain: nothing was taken. */
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
  /** The payment was not asked for before this. */
  since: Date
}

/** A payment that a person makes on a page of the provider, with a card that we never see. */
export interface CheckoutOrder {
  /** Whole cents. */
  amount_micro: MicroEuro
  /** Our name for it, never used for another one. */
  reference: string
  description: string
  email: string
  /** Whether the card is kept, for payments while the owner is away. */
  saves_card: boolean
  expires_at: Date
  /** Where the page leads afterwards, and when the person changes their mind. */
  done_url: string
  back_url: string
}

/** The page, as the provider names it, and its address. */
export interface OpenCheckout {
  checkout: string
  url: string
}

export type CheckoutOutcome =
  | { state: 'open' }
  | { state: 'expired' }
  | {
      state: 'paid'
      /** The card, if it was kept. */
      card: { payment_method: string; customer: string } | null
      /** Whether the bank confirmed who paid. */
      is_authenticated: boolean
    }

/** Each may throw a PaymentUnknown. */
export interface Payments {
  openCheckout(order: CheckoutOrder): Promise<OpenCheckout>
  /** What became of it; a page that the provider does not know is one that has expired. */
  readCheckout(checkout: string): Promise<CheckoutOutcome>
  /** The same payment may be taken again for some hours: it is taken once. */
  take(payment: Payment): Promise<PaymentOutcome>
  /** What became of a payment; null when the provider never had it. */
  find(search: PaymentSearch): Promise<PaymentOutcome | null>
  /** Null when there is no such card. */
  readCard(payment_method: string): Promise<SavedCard | null>
}

/** The provider gave no answer that says how things stand: it may have taken a payment or not. */
export class PaymentUnknown extends Error {
  override readonly name = 'PaymentUnknown'
}

const MICRO_PER_CENT = 10_000n

/** Cards are charged in cents. */
export function isWholeCents(amount_micro: MicroEuro): boolean {
  return amount_micro % MICRO_PER_CENT === 0n
}

export function centsOf(amount_micro: MicroEuro): number {
  return Number(amount_micro / MICRO_PER_CENT)
}
