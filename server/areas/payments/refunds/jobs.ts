/** Makes refunds at the provider. Repeating one is safe, because its id is the idempotency key. */
import { Type } from 'typebox'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue, job, reconciler } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { openCheckout } from '../account/open-account.ts'
import { note } from '../orders/advance.ts'
import * as orders from '../orders/order-store.ts'
import { apply, readPayment, unlessRefused } from '../pay/refresh.ts'
import type { OrderKey } from '../orders/order-store.ts'
import * as store from './refund-store.ts'

const retry_after_s = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800]

export const refundOrder = job({
  name: 'orders.refund',
  payload: Type.Object({ project_id: Type.String(), refund_id: Type.String() }),
  retry_after_s,
  async run({ runtime, payload: { project_id, refund_id }, attempt, finish }) {
    const row = await store.find(runtime.db, { project_id, id: refund_id })
    const key = { project_id, id: row?.order_id ?? '' }
    const order = row && (await orders.find(runtime.db, key))
    if (!row || row.status !== 'pending' || !order) return finish()
    // No provider has the payment.
    if (order.provider_reference === null)
      return finish((tx) => end(tx, runtime, { row, outcome: { state: 'failed' } }))
    const checkout = await openCheckout(runtime, order)
    const asked = checkout?.refund({
      project_id,
      reference: order.provider_reference,
      refund_id,
      amount_cents: row.amount_cents,
      reason: row.reason,
    })
    // The owner may connect the account again, so a refused key fails the refund only at the end.
    const is_last = attempt > retry_after_s.length
    const outcome = asked && (await (is_last ? unlessRefused(asked) : asked))
    const seen = await readPayment(runtime, order)
    await finish(async (tx) => {
      // The lock of the order comes first, as in a request for a refund.
      if (seen) await apply(tx, runtime, { key, seen })
      await end(tx, runtime, { row, outcome: outcome ?? { state: 'failed' } })
    })
  },
})

type Outcome = { state: 'succeeded'; reference: string } | { state: 'failed' }

async function end(
  tx: Transaction,
  runtime: Runtime,
  { row, outcome }: { row: store.RefundRow; outcome: Outcome },
): Promise<void> {
  const { state: status } = outcome
  const provider_reference = outcome.state === 'succeeded' ? outcome.reference : null
  const ended_at = runtime.clock.now()
  if (!(await store.end(tx, row, { status, provider_reference, ended_at }))) return
  if (status === 'succeeded') return
  const { project_id, order_id: id, amount_cents } = row
  await note(tx, runtime, { row: { project_id, id }, event: 'refund_failed', amount_cents })
}

export function enqueueRefund(
  tx: Transaction,
  runtime: Runtime,
  { project_id, id: refund_id }: OrderKey,
): Promise<void> {
  const payload = { project_id, refund_id }
  return enqueue(tx, runtime, refundOrder, { payload, project_id, dedupe_key: refund_id })
}

const REPEAT_EVERY_S = 3_600
const REPEAT_AFTER_MS = 24 * 3_600_000
const REPEAT_AT_A_TIME = 200

/**
 * Asks the provider again for refunds whose job died, such as after a day without an answer. A refund
 * whose job still waits gets no second one.
 */
export const repeatRefunds = reconciler({
  name: 'orders.repeat_refunds',
  every_s: REPEAT_EVERY_S,
  async run(runtime) {
    const before = new Date(runtime.clock.now_ms() - REPEAT_AFTER_MS)
    const limit = REPEAT_AT_A_TIME
    let after: string | null = null
    do {
      const keys: OrderKey[] = await store.listPending(runtime.db, { before, after, limit })
      for (const key of keys) await runtime.db.transact((tx) => enqueueRefund(tx, runtime, key))
      after = keys.length < limit ? null : (keys.at(-1)?.id ?? null)
    } while (after !== null)
  },
})
