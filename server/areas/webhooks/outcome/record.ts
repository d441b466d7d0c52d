/**
 * Records attempts: under the row lock of the endpoint, so that parallel attempts are counted in
 * sequence, and only with a valid lease. The last failure in a row disables the endpoint and drops
 * its pending deliveries; that and some failures before it enqueue an email to the owner. The
 * attempt is logged in the same transaction.
 *
 * Attempts that end close together are recorded in one transaction, in sequence. It skips locked
 * rows, so no endpoint delays the results of another. Results that would have to wait, that disable
 * an endpoint or that enqueue an email are recorded in their own transactions.
 */
import { isDatabaseUnavailable } from '../../../kernel/database/database.ts'
import { batchCalls } from '../../../kernel/process/batch-calls.ts'
import { createKeyedQueue } from '../../../kernel/limits/keyed-queue.ts'
import { announceRecords } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { enqueueNotice } from '../jobs.ts'
import { findDueNotice } from './notice.ts'
import {
  applyOutcome,
  applyManualOutcome,
  applyTestOutcome,
  type DeliveryState,
  type EndedAttempt,
  type EndpointState,
  type DeliveryAndEndpoint,
} from './outcome.ts'
import * as store from './record-store.ts'
import { dropPending, type Leased } from '../store.ts'

/** Maximum number of attempts in one transaction, which limits its duration. */
const TOGETHER_MAX = 100

interface Result {
  leased: Leased
  ended: EndedAttempt
}

type Recorder = (result: Result) => Promise<DeliveryState | null>

const recorders = new WeakMap<Runtime, Recorder>()

/** Returns the delivery after the attempt; null if the lease was lost or the endpoint deleted. */
export function recordAttempt(
  runtime: Runtime,
  leased: Leased,
  ended: EndedAttempt,
): Promise<DeliveryState | null> {
  const recorder = recorders.get(runtime) ?? createRecorder(runtime)
  recorders.set(runtime, recorder)
  return recorder({ leased, ended })
}

function createRecorder(runtime: Runtime): Recorder {
  const together = batchCalls((results: readonly Result[]) => recordTogether(runtime, results), {
    items_max: TOGETHER_MAX,
  })
  const queue = createKeyedQueue()
  return async (result) => {
    const { endpoint_id } = result.leased
    const alone = () => queue.run(endpoint_id, () => recordAlone(runtime, result))
    // Results after one that is recorded in its own transaction wait for it, to keep their order.
    if (queue.has(endpoint_id)) return alone()
    const recorded = await together(result)
    const after = recorded === 'alone' ? await alone() : recorded
    announceRecords(runtime, result.leased.project_id, 'deliveries')
    return after
  }
}

/**
 * Returns each delivery after its attempt, or 'alone' for a result that needs its own transaction.
 */
async function recordTogether(
  runtime: Runtime,
  results: readonly Result[],
): Promise<(DeliveryState | 'alone')[]> {
  try {
    return await runtime.db.transact(async (tx) => {
      const leases = results.map(({ leased }) => leased)
      const records = outcomesOf(results, await store.lockUnlocked(tx, leases))
      const kept = records.filter((one) => one !== 'alone')
      if (kept.length > 0) await store.writeOutcomes(tx, kept)
      return records.map((one) => (one === 'alone' ? one : one.pair.delivery))
    })
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    // One result may be the cause, so each result is retried in its own transaction.
    runtime.log.error(
      { err: error, attempts: results.length },
      'recording attempts in one transaction failed; each is recorded alone',
    )
    return results.map(() => 'alone')
  }
}

/** Applies the results in sequence, each to the endpoint state after the previous one. */
function outcomesOf(
  results: readonly Result[],
  found: readonly (DeliveryAndEndpoint | null)[],
): (store.RecordedOutcome | 'alone')[] {
  const endpoints = new Map<string, EndpointState>()
  const apart = new Set<string>()
  const seen = new Set<string>()
  const records = results.map((result, index) => {
    const { id, endpoint_id } = result.leased
    const before = found[index]
    // A repeated result is recorded alone: only after this write, its lease is seen as released.
    if (!before || seen.has(id)) return 'alone'
    seen.add(id)
    const endpoint = endpoints.get(endpoint_id) ?? before.endpoint
    const recorded = outcomeOf(result, { ...before, endpoint })
    endpoints.set(endpoint_id, recorded.pair.endpoint)
    if (findDueNotice(endpoint, recorded.pair.endpoint) !== null) apart.add(endpoint_id)
    return recorded
  })
  // Dropping pending deliveries can take long, so a disabled endpoint is excluded here, as is one
  // that enqueues an email.
  return records.map((one) =>
    one !== 'alone' && apart.has(one.leased.endpoint_id) ? 'alone' : one,
  )
}

function outcomeOf({ leased, ended }: Result, before: DeliveryAndEndpoint): store.RecordedOutcome {
  const apply = leased.type === 'webhook.test' ? applyTestOutcome : applyOutcome
  const pair = leased.manual ? applyManualOutcome(before, ended) : apply(before, ended)
  return { leased, pair, now: ended.ended_at, attempt: lineOf(leased, ended) }
}

function lineOf({ manual }: Leased, ended: EndedAttempt): store.NewAttempt | null {
  const { outcome, trace } = ended
  if (!trace) return null
  return {
    manual: manual === true,
    ...trace,
    response_status: outcome.kind === 'dropped' ? null : outcome.response_status,
    error: outcome.kind === 'delivered' ? null : outcome.error,
  }
}

async function recordAlone(runtime: Runtime, result: Result): Promise<DeliveryState | null> {
  const { leased, ended } = result
  const { project_id, id, endpoint_id } = leased
  const after = await runtime.db.transact(async (tx) => {
    const before = await store.lockLeased(tx, leased)
    if (!before) return null
    const recorded = outcomeOf(result, before)
    const { endpoint } = recorded.pair
    await store.writeOutcomes(tx, [recorded])
    const kind = findDueNotice(before.endpoint, endpoint)
    if (kind === 'disabled') {
      await dropPending(tx, { project_id, endpoint_id, now: ended.ended_at })
    }
    if (kind !== null) {
      const failures = endpoint.consecutive_failures
      await enqueueNotice(tx, runtime, { project_id, endpoint_id, kind, failures, ended })
    }
    return { kind, delivery: recorded.pair.delivery }
  })
  if (after?.kind === 'disabled') {
    runtime.log.warn(
      { project_id, endpoint_id, delivery_id: id },
      'a webhook endpoint was disabled',
    )
  }
  return after?.delivery ?? null
}
