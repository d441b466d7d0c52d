/** What the outcome of an order means for its subscription, in the transaction of the order. */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { OrderRow } from '../orders/order-store.ts'
import type { Step } from '../orders/transitions.ts'
import { afterFailed, afterPaid } from './schedule.ts'
import * as store from './subscription-store.ts'

export async function followOrder(
  tx: Transaction,
  { clock, config }: Runtime,
  { row, to, mandate }: { row: OrderRow; to: Step['to']; mandate: string | null },
): Promise<void> {
  if (row.subscription_id === null) return
  const key = { project_id: row.project_id, id: row.subscription_id }
  const subscription = await store.lock(tx, key)
  if (!subscription) return
  if (to === 'paid') {
    const changes = afterPaid(subscription, clock.now(), config.billing_timezone)
    const kept = changes.ended_at === null ? (subscription.mandate ?? mandate) : null
    await store.change(tx, key, { ...changes, mandate: kept })
  } else if (to === 'failed' || to === 'expired' || to === 'canceled') {
    const changes = afterFailed(subscription, clock.now())
    const kept = changes?.ended_at === null ? subscription.mandate : null
    if (changes) await store.change(tx, key, { ...changes, mandate: kept })
  } else if (to === 'charged_back') {
    await store.change(tx, key, {
      status: 'canceled',
      next_at: null,
      ended_at: subscription.ended_at ?? clock.now(),
      mandate: null,
    })
  }
}
