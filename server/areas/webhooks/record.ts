/**
 * Recording an attempt: under the row lock of the endpoint, so that parallel attempts are counted
 * one after the other, and only while the lease is still held, so that whoever lost it changes
 * nothing. At the last failure in a row the endpoint is disabled and what it has pending dropped;
 * of that, and some failures before it, the owner is told. The attempt enters the log in the same
 * transaction.
 */
import type { House } from '../../kernel/house.ts'
import { orderNotice } from './jobs.ts'
import { noticeOf } from './notice.ts'
import { settle, settleManual, type DeliveryState, type Ended } from './outcome.ts'
import * as store from './store.ts'

/** The delivery after it; null when the lease was lost or the endpoint deleted. */
export async function record(
  house: House,
  leased: store.Leased,
  ended: Ended,
): Promise<DeliveryState | null> {
  const { project_id, id, endpoint_id } = leased
  const now = ended.ended_at
  const pairs = await house.db.transact(async (tx) => {
    const before = await store.lockLeased(tx, leased)
    if (!before) return null
    const after = leased.manual ? settleManual(before, ended) : settle(before, ended)
    await store.writePair(tx, { leased, pair: after, now, attempt: lineOf(leased, ended) })
    const disabled = before.endpoint.active && !after.endpoint.active
    if (disabled) await store.dropPending(tx, { project_id, endpoint_id, now })
    const kind = noticeOf(before.endpoint, after.endpoint)
    if (kind !== null) {
      const failures = after.endpoint.consecutive_failures
      await orderNotice(tx, house, { project_id, endpoint_id, kind, failures, ended })
    }
    return { after, disabled }
  })
  if (pairs?.disabled) {
    house.log.warn({ project_id, endpoint_id, delivery_id: id }, 'a webhook endpoint was disabled')
  }
  return pairs?.after.delivery ?? null
}

function lineOf({ manual }: store.Leased, ended: Ended): store.NewAttempt | null {
  const { outcome, trace } = ended
  if (!trace) return null
  return {
    manual: manual === true,
    ...trace,
    response_status: outcome.kind === 'dropped' ? null : outcome.response_status,
    error: outcome.kind === 'delivered' ? null : outcome.error,
  }
}
