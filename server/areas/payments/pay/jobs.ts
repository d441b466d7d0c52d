/**
 * The durable work of orders: reading payments after callbacks, expiry, and the reconciliation of payments
 * about which nothing called back.
 */
import { Type } from 'typebox'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue, job, reconciler, type JobRun } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { openCheckout } from '../account/open-account.ts'
import { advance } from '../orders/advance.ts'
import * as store from '../orders/order-store.ts'
import { isPayable } from '../orders/transitions.ts'
import { apply, readPayment, unlessRefused } from './refresh.ts'

const RECONCILE_EVERY_S = 900
const RECONCILE_AT_A_TIME = 200
const retry_after_s = [5, 30, 120, 600, 1_800, 3_600, 7_200]

const payload = Type.Object({ project_id: Type.String(), order_id: Type.String() })

interface Payload {
  project_id: string
  order_id: string
}

function keyOf({ project_id, order_id }: Payload): store.OrderKey {
  return { project_id, id: order_id }
}

export const refreshOrder = job({
  name: 'orders.refresh',
  payload,
  retry_after_s,
  async run({ runtime, payload: work, finish }) {
    const key = keyOf(work)
    const row = await store.find(runtime.db, key)
    const seen = row ? await readPayment(runtime, row) : null
    await finish(seen === null ? undefined : (tx) => apply(tx, runtime, { key, seen }))
  },
})

/** Concurrent callbacks about an order cause one job. */
export function enqueueRefresh(
  tx: Transaction,
  runtime: Runtime,
  { project_id, id }: store.OrderKey,
): Promise<void> {
  const work = { project_id, order_id: id }
  return enqueue(tx, runtime, refreshOrder, { payload: work, project_id, dedupe_key: id })
}

export const expireOrder = job({ name: 'orders.expire', payload, retry_after_s, run: expire })

/** One job waits for an order; an earlier time moves it. */
export function enqueueExpiry(
  tx: Transaction,
  runtime: Runtime,
  { project_id, id, expires_at: run_at }: store.OrderRow,
): Promise<void> {
  const work = { payload: { project_id, order_id: id }, project_id, run_at, dedupe_key: id }
  return enqueue(tx, runtime, expireOrder, work)
}

/**
 * Closes the page at the provider and then reads the payment, so that money that arrived before is
 * found. A pending payment is left to the provider.
 */
async function expire({ runtime, payload: work, finish }: JobRun<Payload>): Promise<void> {
  const key = keyOf(work)
  const row = await store.find(runtime.db, key)
  if (!row || !isPayable(row.status)) return finish()
  const { project_id, provider, provider_reference: reference } = row
  if (reference !== null && row.status === 'open') {
    const checkout = await openCheckout(runtime, { project_id, provider })
    if (checkout) await unlessRefused(checkout.close({ project_id, reference }))
  }
  const seen = await readPayment(runtime, row)
  await finish(async (tx) => {
    const locked = await store.lock(tx, key)
    if (!locked) return
    const { amount_cents } = locked
    // Nobody can pay a payment that the provider does not know.
    const is_unopened = seen === null && locked.provider_reference === reference
    const unopened = {
      state: 'expired',
      amount_cents,
      refunded_cents: 0n,
      charged_back: false,
      mandate: null,
    } as const
    // A page that was opened meanwhile is closed by the next run of the reconciliation.
    if (seen !== null) await advance(tx, runtime, { row: locked, seen })
    else if (is_unopened) await advance(tx, runtime, { row: locked, seen: unopened })
  })
}

/** Reads payments without an outcome again. Those past their time are expired. */
export const reconcileOrders = reconciler({
  name: 'orders.reconcile',
  every_s: RECONCILE_EVERY_S,
  async run(runtime) {
    const now_ms = runtime.clock.now_ms()
    const before = new Date(now_ms - (RECONCILE_EVERY_S * 1000) / 2)
    const keys = await store.listUnsettled(runtime.db, { before, limit: RECONCILE_AT_A_TIME })
    for (const key of keys) await reconcileOne(runtime, key)
  },
})

async function reconcileOne(runtime: Runtime, key: store.OrderKey): Promise<void> {
  await runtime.db.transact(async (tx) => {
    const row = await store.lock(tx, key)
    if (!row) return
    const is_late = row.status === 'open' && row.expires_at.getTime() <= runtime.clock.now_ms()
    if (is_late) await enqueueExpiry(tx, runtime, row)
    else await enqueueRefresh(tx, runtime, key)
    await store.change(tx, key, { checked_at: runtime.clock.now() })
  })
}
