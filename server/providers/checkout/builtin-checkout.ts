/**
 * The built-in provider: a test page of this server, on which the customer chooses whether the
 * payment succeeds. No money moves. It works like a real provider: with its own record of each payment,
 * and signed callbacks that name only the payment.
 */
import * as store from '../../kernel/builtin-payments.ts'
import { holdsUnderAnyKey, sameText, type MacKey } from '../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import type { Checkout, PaymentKey, PaymentState } from './checkout-contract.ts'

const PURPOSE = 'built-in payment callback'

export function builtinCheckout({ db, clock }: Runtime): Checkout {
  return {
    async open({ project_id, order_id, amount_cents }) {
      const created_at = clock.now()
      await store.insertPayment(db, { project_id, id: order_id, amount_cents, created_at })
      return { reference: order_id, url: null }
    },
    async read(key) {
      const row = await store.findPayment(db, key)
      if (!row) return null
      const { state, amount_cents, refunded_cents, charged_back } = row
      return { state, amount_cents, refunded_cents, charged_back, mandate: key.reference }
    },
    close: (key) => store.changeState(db, key, { from: ['open'], to: 'expired' }),
    async refund(request) {
      const is_done = await store.addRefund(db, request)
      return is_done ? { state: 'succeeded', reference: request.refund_id } : { state: 'failed' }
    },
    /** Succeeds, unless the payment with which the customer began was charged back. */
    async charge({ project_id, order_id, amount_cents, mandate }) {
      const created_at = clock.now()
      await store.insertPayment(db, { project_id, id: order_id, amount_cents, created_at })
      const first = await store.findPayment(db, { project_id, reference: mandate })
      const to = first?.state === 'paid' && !first.charged_back ? 'paid' : 'failed'
      await store.changeState(db, { project_id, reference: order_id }, { from: ['open'], to })
      return order_id
    },
  }
}

export type BuiltinOutcome = PaymentState | 'charged_back'

/** What a customer, or later the bank of the customer, does. A repeated outcome changes nothing. */
export function playOutcome({ db }: Runtime, key: PaymentKey, outcome: BuiltinOutcome) {
  return outcome === 'charged_back'
    ? store.chargeBack(db, key)
    : store.changeState(db, key, { from: ['open', 'pending'], to: outcome })
}

export function signBuiltinCallback(key: MacKey, body: string): string {
  return key.mac(body, PURPOSE).toString('base64url')
}

/** Returns the reference of the payment; null if the callback is not signed by this server. */
export function readBuiltinCallback(
  { seal }: Runtime,
  { body, signature }: { body: string; signature: string },
): string | null {
  const is_signed = holdsUnderAnyKey(seal, (key) =>
    sameText(signBuiltinCallback(key, body), signature),
  )
  const reference = new URLSearchParams(body).get('id') ?? ''
  return is_signed && isUuid(reference) ? reference : null
}
