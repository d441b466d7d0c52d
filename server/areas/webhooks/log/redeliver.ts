/**
 * Manual redelivery: one more attempt of a finished delivery, with the same event id, the current
 * secret and the current payload. The request makes the attempt under a lease, so concurrent
 * requests do not send it twice.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { attemptAndRecord } from '../attempt/deliver.ts'
import type { DeliveryDetail } from './delivery-schema.ts'
import * as store from './log-store.ts'
import { showDelivery, createUnknownDeliveryProblem } from './log.ts'
import { createLease } from '../queue/claim.ts'
import type { ClaimedDelivery } from '../queue/store.ts'
import { findSource } from '../attempt/sources.ts'

/**
 * Attempts the delivery once, also if the endpoint is disabled, and returns it with its attempts.
 */
export async function redeliver(caller: Caller, id: string): Promise<DeliveryDetail> {
  const claimed = await leaseAgain(caller, id)
  await attemptAndRecord(caller.runtime, claimed, findSource(caller.runtime, claimed.type))
  return showDelivery(caller, claimed.id)
}

async function leaseAgain({ runtime, db, project }: Caller, id: string): Promise<ClaimedDelivery> {
  const now = runtime.clock.now()
  const attempts_max = limits.webhook_attempts_logged_max
  const wanted = { project_id: project.id, id, lease: createLease(now), now, attempts_max }
  const claimed = await db.transact((tx) => store.leaseForRequest(tx, wanted))
  if (claimed) return claimed
  const row = await store.findDelivery(db, project.id, id)
  if (!row) throw createUnknownDeliveryProblem()
  if (row.attempts_made >= attempts_max) {
    throw new Problem('conflict', `This delivery has already had ${row.attempts_made} attempts.`)
  }
  throw new Problem('conflict', 'This delivery is being attempted now.')
}
