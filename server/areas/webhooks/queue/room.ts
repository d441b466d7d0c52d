/**
 * The maximum of pending deliveries of a project, so that a project with many endpoints cannot fill
 * the queue and the disk that all share.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { EventType } from '../../../contract/event-types.ts'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { countListening, countPending, lockPending } from '../store.ts'

/**
 * From here on the count is made under a lock. Below it, the transactions that a project can have
 * open at once cannot exceed the maximum together.
 */
const PENDING_LOCKED_MIN = 5_000
const PENDING_RETRY_AFTER_S = 60

/**
 * Throws 429 if the events written so far in this transaction exceed the maximum of pending
 * deliveries; rolling back undoes them.
 */
export async function requireRoom(
  tx: Transaction,
  project_id: string,
  deliveries: number,
): Promise<void> {
  if (deliveries === 0) return
  if ((await countPending(tx, project_id)) < PENDING_LOCKED_MIN) return
  await lockPending(tx, project_id)
  const pending = await countPending(tx, project_id)
  if (pending > limits.webhook_pending_max) throw tooManyPending(null)
}

/** Throws 429 if `count` events more would exceed the maximum of pending deliveries. */
export async function requireRoomFor(
  { db, project }: Pick<Caller, 'db' | 'project'>,
  { type, count }: { type: EventType; count: number },
): Promise<void> {
  const more = count * (await countListening(db, { project_id: project.id, type }))
  if (more === 0) return
  const pending = await countPending(db, project.id)
  if (pending + more > limits.webhook_pending_max) throw tooManyPending({ pending, more })
}

function tooManyPending(counts: { pending: number; more: number } | null): Problem {
  const max = limits.webhook_pending_max
  const detail = counts
    ? `This would add ${counts.more} deliveries to webhook endpoints to the ${counts.pending} that ` +
      `are pending, and a project may have ${max}.`
    : `The deliveries to webhook endpoints would exceed the ${max} that may be pending.`
  return new Problem('rate_limited', `${detail} Nothing was written.`, {
    retry_after_s: PENDING_RETRY_AFTER_S,
    user_message:
      'Too many messages to other systems are waiting to be sent, so nothing was added. Add less at ' +
      'once, or wait until they are sent.',
    next_step:
      'Send fewer documents at once, wait until GET /webhooks/{id}/deliveries shows fewer pending ' +
      'deliveries, or switch webhook_on_insert of the collection off with PATCH /collections/{name} ' +
      'while you add them.',
  })
}
