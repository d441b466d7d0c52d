/** Reads the payment of an order from its provider, and applies what it reports. */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  CheckoutRefused,
  type ProviderPayment,
} from '../../../providers/checkout/checkout-contract.ts'
import { openCheckout } from '../account/open-account.ts'
import { advance } from '../orders/advance.ts'
import * as store from '../orders/order-store.ts'

/** Null if the provider does not accept the key any more, as for a disconnected account. */
export async function unlessRefused<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof CheckoutRefused) return null
    throw error
  }
}

/**
 * Null if the customer never opened the page, or the provider does not know the payment or is not
 * connected any more. May throw CheckoutUnknown.
 */
export async function readPayment(
  runtime: Runtime,
  { project_id, provider, provider_reference }: store.OrderRow,
): Promise<ProviderPayment | null> {
  if (provider_reference === null) return null
  const checkout = await openCheckout(runtime, { project_id, provider })
  return checkout && unlessRefused(checkout.read({ project_id, reference: provider_reference }))
}

/** Applies a reported state to the order, under its lock. */
export async function apply(
  tx: Transaction,
  runtime: Runtime,
  { key, seen }: { key: store.OrderKey; seen: ProviderPayment },
): Promise<void> {
  const row = await store.lock(tx, key)
  if (row) await advance(tx, runtime, { row, seen })
}

/** Returns the order as it is afterwards; undefined if there is none. */
export async function refresh(
  runtime: Runtime,
  key: store.OrderKey,
): Promise<store.OrderRow | undefined> {
  const { db } = runtime
  const row = await store.find(db, key)
  const seen = row ? await readPayment(runtime, row) : null
  if (!seen) return row
  await db.transact((tx) => apply(tx, runtime, { key, seen }))
  return store.find(db, key)
}
