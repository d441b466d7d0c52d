/**
 * Payments by Stripe: a PaymentIntent, confirmed off session with a saved card. Our reference is
 * its Idempotency-Key and also stored as metadata, because Stripe forgets keys after a day and
 * replays even a 500. The simulator implements the same API.
 */
import assert from 'node:assert/strict'
import { Type, type Static } from 'typebox'
import type { Runtime } from '../../kernel/runtime.ts'
import {
  toCents,
  isWholeCents,
  PaymentUnknown,
  type Payment,
  type PaymentFailure,
  type PaymentOutcome,
  type Payments,
  type PaymentSearch,
  type SavedCard,
} from './payment-contract.ts'
import { openCheckout, readCheckout } from './stripe-checkout.ts'
import { askStripe, readReply, type StripeReply } from './stripe-request.ts'

const orNull = <const S extends Type.TSchema>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const StripeError = Type.Object({
  type: orNull(Type.String()),
  code: orNull(Type.String()),
  decline_code: orNull(Type.String()),
})
type StripeError = Static<typeof StripeError>
const ErrorReply = Type.Object({ error: StripeError })

const Intent = Type.Object({
  id: Type.String({ minLength: 1 }),
  status: Type.String(),
  metadata: orNull(Type.Record(Type.String(), Type.String())),
  last_payment_error: orNull(StripeError),
})
type Intent = Static<typeof Intent>
const IntentList = Type.Object({ data: Type.Array(Intent), has_more: Type.Boolean() })

const PaymentMethod = Type.Object({
  customer: orNull(Type.String()),
  card: orNull(
    Type.Object({
      brand: Type.String({ minLength: 1 }),
      last4: Type.String({ minLength: 4, maxLength: 4 }),
      exp_month: Type.Integer({ minimum: 1, maximum: 12 }),
      exp_year: Type.Integer({ minimum: 2000, maximum: 9999 }),
    }),
  ),
})

/** Tolerance for the difference between the clocks. */
const SKEW_S = 3600
const LIST_MAX = 100
const PAGES_MAX = 50

export function stripePayments(runtime: Runtime): Payments {
  return {
    take: (payment) => take(runtime, payment),
    find: (search) => find(runtime, search),
    openCheckout: (order) => openCheckout(runtime, order),
    readCheckout: (checkout) => readCheckout(runtime, checkout),
    readCard: (payment_method) => readCard(runtime, payment_method),
  }
}

async function take(runtime: Runtime, payment: Payment): Promise<PaymentOutcome> {
  const { amount_micro, reference, payment_method, customer, description } = payment
  assert(isWholeCents(amount_micro) && amount_micro > 0n, 'A card is charged in cents.')
  const reply = await askStripe(runtime, {
    method: 'POST',
    path: '/v1/payment_intents',
    idempotency_key: reference,
    fields: {
      amount: String(toCents(amount_micro)),
      currency: 'eur',
      payment_method,
      ...(customer === null ? {} : { customer }),
      'allowed_payment_method_types[0]': 'card',
      confirm: 'true',
      off_session: 'true',
      description,
      'metadata[reference]': reference,
    },
  })
  if (reply.status !== 200) return { state: 'failed', reason: refusalOf(reply) }
  const { id, status } = readReply(Intent, reply)
  // An idempotent replay returns the state at the first request, so a pending payment is read
  // again.
  return status === 'succeeded' ? { state: 'paid', payment_id: id } : readIntent(runtime, id)
}

async function readIntent(runtime: Runtime, id: string): Promise<PaymentOutcome> {
  const path = `/v1/payment_intents/${encodeURIComponent(id)}`
  const reply = await askStripe(runtime, { method: 'GET', path })
  if (reply.status !== 200) throw new PaymentUnknown(`Stripe answered ${reply.status}.`)
  return outcomeOf(readReply(Intent, reply))
}

/** Uses the list, because Stripe's search index is delayed. */
async function find(runtime: Runtime, search: PaymentSearch): Promise<PaymentOutcome | null> {
  const { reference, customer, since } = search
  const created_s = Math.floor(since.getTime() / 1000) - SKEW_S
  let after: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const reply: StripeReply = await askStripe(runtime, {
      method: 'GET',
      path: '/v1/payment_intents',
      fields: {
        'created[gte]': String(created_s),
        limit: String(LIST_MAX),
        ...(customer === null ? {} : { customer }),
        ...(after === null ? {} : { starting_after: after }),
      },
    })
    if (reply.status !== 200) throw new PaymentUnknown(`Stripe answered ${reply.status}.`)
    const { data, has_more } = readReply(IntentList, reply)
    const found = data.find(({ metadata }) => metadata?.['reference'] === reference)
    if (found) return outcomeOf(found)
    after = data.at(-1)?.id ?? null
    if (!has_more || after === null) return null
  }
  throw new PaymentUnknown('Stripe has more payments since then than are looked through.')
}

async function readCard(runtime: Runtime, payment_method: string): Promise<SavedCard | null> {
  const path = `/v1/payment_methods/${encodeURIComponent(payment_method)}`
  const reply = await askStripe(runtime, { method: 'GET', path })
  if (reply.status === 404 || reply.status === 400) return null
  if (reply.status !== 200) throw new PaymentUnknown(`Stripe answered ${reply.status}.`)
  const { card, customer = null } = readReply(PaymentMethod, reply)
  if (!card) return null
  const { brand, last4, exp_month, exp_year } = card
  const expiry = `${String(exp_month).padStart(2, '0')}/${String(exp_year % 100).padStart(2, '0')}`
  return { brand, last4, expiry, customer }
}

function outcomeOf({ id, status, last_payment_error }: Intent): PaymentOutcome {
  switch (status) {
    case 'succeeded':
      return { state: 'paid', payment_id: id }
    // Stripe continues such a payment only after another request from this server, which sends
    // none, so it counts as failed.
    case 'requires_action':
      return { state: 'failed', reason: 'authentication_required' }
    case 'requires_payment_method':
      return { state: 'failed', reason: reasonOf(last_payment_error ?? {}) }
    case 'canceled':
      return { state: 'failed', reason: 'payment_refused' }
    default:
      throw new PaymentUnknown(`Stripe says that the payment is ${status}.`)
  }
}

/** Only a definite failure is a refusal: a declined card, or an invalid request. */
function refusalOf(reply: StripeReply): PaymentFailure {
  const { error } = readReply(ErrorReply, reply)
  if (reply.status === 402) return reasonOf(error)
  const is_refusal = reply.status === 400 || reply.status === 404
  if (!is_refusal || error.type !== 'invalid_request_error') {
    throw new PaymentUnknown(`Stripe answered ${reply.status}, ${error.code ?? 'without a code'}.`)
  }
  const about_card = /^(?:resource_missing|payment_method_)/
  return about_card.test(error.code ?? '') ? 'card_unusable' : 'payment_refused'
}

function reasonOf({ code, decline_code }: StripeError): PaymentFailure {
  const codes = [code, decline_code]
  if (codes.includes('authentication_required')) return 'authentication_required'
  if (codes.includes('expired_card') || codes.includes('expired_payment_method')) {
    return 'card_expired'
  }
  if (codes.includes('insufficient_funds')) return 'insufficient_funds'
  return 'card_declined'
}
