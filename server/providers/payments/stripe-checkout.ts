/**
 * A top-up paid on a page of Stripe (a Checkout Session). 3-D Secure is always required, because
 * the first payment also identifies the owner. One request reads the session with its payment and
 * charge.
 */
import assert from 'node:assert/strict'
import { Type } from 'typebox'
import type { Runtime } from '../../kernel/runtime.ts'
import {
  toCents,
  isWholeCents,
  PaymentUnknown,
  type CheckoutOrder,
  type CheckoutOutcome,
  type OpenCheckout,
} from './payment-contract.ts'
import { askStripe, readReply } from './stripe-request.ts'

const orNull = <const S extends Type.TSchema>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const Session = Type.Object({
  id: Type.String({ minLength: 1 }),
  url: orNull(Type.String()),
  status: orNull(Type.String()),
  payment_status: Type.String(),
  customer: orNull(Type.String()),
  payment_intent: orNull(
    Type.Object({
      payment_method: orNull(Type.String()),
      setup_future_usage: orNull(Type.String()),
      latest_charge: orNull(
        Type.Object({
          payment_method_details: orNull(
            Type.Object({
              card: orNull(
                Type.Object({
                  three_d_secure: orNull(Type.Object({ result: orNull(Type.String()) })),
                }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
})

/** The reply to the creation of a session does not contain its payment. */
const NewSession = Type.Object({ id: Type.String({ minLength: 1 }), url: orNull(Type.String()) })

export async function openCheckout(runtime: Runtime, order: CheckoutOrder): Promise<OpenCheckout> {
  const { amount_micro, reference, description, email, saves_card, expires_at } = order
  assert(isWholeCents(amount_micro) && amount_micro > 0n, 'A card is charged in cents.')
  const price = 'line_items[0][price_data]'
  const reply = await askStripe(runtime, {
    method: 'POST',
    path: '/v1/checkout/sessions',
    idempotency_key: `checkout:${reference}`,
    fields: {
      mode: 'payment',
      client_reference_id: reference,
      customer_email: email,
      success_url: order.done_url,
      cancel_url: order.back_url,
      expires_at: String(Math.floor(expires_at.getTime() / 1000)),
      'payment_method_types[0]': 'card',
      'payment_method_options[card][request_three_d_secure]': 'any',
      'line_items[0][quantity]': '1',
      [`${price}[currency]`]: 'eur',
      [`${price}[unit_amount]`]: String(toCents(amount_micro)),
      [`${price}[product_data][name]`]: description,
      'payment_intent_data[description]': description,
      'payment_intent_data[metadata][reference]': reference,
      ...(saves_card
        ? { customer_creation: 'always', 'payment_intent_data[setup_future_usage]': 'off_session' }
        : {}),
    },
  })
  if (reply.status !== 200) throw new PaymentUnknown(`Stripe answered ${reply.status}.`)
  const { id, url } = readReply(NewSession, reply)
  if (!url) throw new PaymentUnknown('Stripe opened a page without an address.')
  return { checkout: id, url }
}

export async function readCheckout(runtime: Runtime, checkout: string): Promise<CheckoutOutcome> {
  const reply = await askStripe(runtime, {
    method: 'GET',
    path: `/v1/checkout/sessions/${encodeURIComponent(checkout)}`,
    fields: { 'expand[0]': 'payment_intent.latest_charge' },
  })
  if (reply.status === 404) return { state: 'expired' }
  if (reply.status !== 200) throw new PaymentUnknown(`Stripe answered ${reply.status}.`)
  const { status, payment_status, customer, payment_intent } = readReply(Session, reply)
  if (payment_status !== 'paid') return { state: status === 'expired' ? 'expired' : 'open' }
  const { payment_method, setup_future_usage, latest_charge } = payment_intent ?? {}
  const secured = latest_charge?.payment_method_details?.card?.three_d_secure
  const is_kept = setup_future_usage === 'off_session' && payment_method && customer
  return {
    state: 'paid',
    card: is_kept ? { payment_method, customer } : null,
    is_authenticated: secured?.result === 'authenticated',
  }
}
