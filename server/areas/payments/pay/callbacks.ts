/**
 * Callbacks of the accounts at external providers. Each causes a job that reads the payment from the
 * provider; nothing else in a callback is believed.
 */
import { Type } from 'typebox'
import { Problem } from '../../../contract/errors.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue, job } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { isUuid } from '../../../kernel/values/ids.ts'
import type { ProviderPayment } from '../../../providers/checkout/checkout-contract.ts'
import { externalCheckout } from '../../../providers/checkout/checkouts.ts'
import { readStripeCallback } from '../../../providers/checkout/stripe-callback.ts'
import * as accounts from '../account/account-store.ts'
import { CALLBACK_PURPOSE, unsealAccount } from '../account/open-account.ts'
import { advance, note } from '../orders/advance.ts'
import * as store from '../orders/order-store.ts'
import { apply } from './refresh.ts'

const retry_after_s = [5, 30, 120, 600, 1_800, 3_600, 7_200]

export interface AccountCallback {
  provider: 'mollie' | 'stripe'
  account_id: string
  body: string
  signature: string
}

/** Throws forbidden for an unsigned callback of Stripe. An unknown payment changes nothing. */
export async function takeAccountCallback(
  runtime: Runtime,
  { provider, account_id, body, signature }: AccountCallback,
): Promise<void> {
  const row = isUuid(account_id) ? await accounts.findById(runtime.db, account_id) : undefined
  if (row?.provider !== provider) throw new Problem('not_found', 'There is no such address.')
  const name =
    provider === 'stripe'
      ? readSigned(runtime, row, { body, signature })
      : new URLSearchParams(body).get('id')
  if (name === null || !/^\w{1,200}$/.test(name)) return
  const payload = { account_id, name }
  const { project_id } = row
  await runtime.db.transact((tx) =>
    enqueue(tx, runtime, readCallback, {
      payload,
      project_id,
      dedupe_key: `${account_id} ${name}`,
    }),
  )
}

function readSigned(
  { seal, clock }: Runtime,
  { sealed_callback_secret }: accounts.AccountRow,
  sent: { body: string; signature: string },
): string | null {
  const secret = sealed_callback_secret && seal.open(sealed_callback_secret, CALLBACK_PURPOSE)
  const name = secret && readStripeCallback({ ...sent, secret, now_ms: clock.now_ms() })
  if (name) return name === 'other' ? null : name
  throw new Problem('forbidden', 'The signature of this callback is missing, wrong or too old.')
}

export const readCallback = job({
  name: 'orders.callback',
  payload: Type.Object({ account_id: Type.String(), name: Type.String() }),
  retry_after_s,
  async run({ runtime, payload: { account_id, name }, finish }) {
    const row = await accounts.findById(runtime.db, account_id)
    const account = row && unsealAccount(runtime, row)
    if (!account) return finish()
    const { project_id, provider } = account
    const checkout = externalCheckout(runtime, account)
    const known = await store.findByReference(runtime.db, { project_id, provider, reference: name })
    const found = known ? { reference: name, order_id: known.id } : await checkout.locate(name)
    const seen = found && (await checkout.read({ project_id, reference: found.reference }))
    if (!seen || !isUuid(found.order_id)) return finish()
    const key = { project_id, id: found.order_id }
    await finish((tx) => adopt(tx, runtime, { key, reference: found.reference, seen }))
  },
})

interface Seen {
  key: store.OrderKey
  reference: string
  seen: ProviderPayment
}

/**
 * Applies a payment to its order. Another payment of the same order counts only when it is paid: it
 * becomes the payment of an unpaid order, and of a paid one it is noted, so that the owner refunds it.
 */
async function adopt(tx: Transaction, runtime: Runtime, { key, reference, seen }: Seen) {
  const row = await store.lock(tx, key)
  if (!row) return
  if (row.provider_reference === null || row.provider_reference === reference) {
    await store.change(tx, key, { provider_reference: reference })
    return apply(tx, runtime, { key, seen })
  }
  if (seen.state !== 'paid') return
  if (row.paid_at === null) {
    await store.change(tx, key, { provider_reference: reference })
    return advance(tx, runtime, { row: { ...row, provider_reference: reference }, seen })
  }
  const noted = await store.listTimeline(tx, key)
  if (noted.some(({ event }) => event === 'paid_twice')) return
  await note(tx, runtime, { row, event: 'paid_twice', amount_cents: seen.amount_cents })
}
