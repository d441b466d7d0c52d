/**
 * Recording attempts: under the row lock of the endpoint, so that parallel attempts are counted
 * one after the other, and only while the lease is still held, so that whoever lost it changes
 * nothing. At the last failure in a row the endpoint is disabled and what it has pending dropped;
 * of that, and some failures before it, the owner is told. The attempt enters the log in the same
 * transaction.
 *
 * Attempts that end close together are recorded in one transaction, each judged after the other.
 * That transaction waits for nobody's lock, so no endpoint can hold up another one's results;
 * those that would have to wait, that disable or that the owner is told of get one of their own.
 */
import { isDatabaseAway } from '../../../kernel/database/database.ts'
import { gather } from '../../../kernel/database/driver/gather.ts'
import { createKeyedQueue } from '../../../kernel/limits/keyed-queue.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { orderNotice } from '../jobs.ts'
import { noticeOf } from './notice.ts'
import {
  settle,
  settleManual,
  settleTest,
  type DeliveryState,
  type Ended,
  type EndpointState,
  type Pair,
} from './outcome.ts'
import * as store from './record-store.ts'
import { dropPending, type Leased } from '../store.ts'

/** More would only make one transaction long. */
const TOGETHER_MAX = 100

interface Result {
  leased: Leased
  ended: Ended
}

type Recorder = (result: Result) => Promise<DeliveryState | null>

const recorders = new WeakMap<Runtime, Recorder>()

/** The delivery after it; null when the lease was lost or the endpoint deleted. */
export function record(
  runtime: Runtime,
  leased: Leased,
  ended: Ended,
): Promise<DeliveryState | null> {
  const recorder = recorders.get(runtime) ?? createRecorder(runtime)
  recorders.set(runtime, recorder)
  return recorder({ leased, ended })
}

function createRecorder(runtime: Runtime): Recorder {
  const together = gather((results: readonly Result[]) => recordTogether(runtime, results), {
    items_max: TOGETHER_MAX,
  })
  const queue = createKeyedQueue()
  return async (result) => {
    const { endpoint_id } = result.leased
    const alone = () => queue.run(endpoint_id, () => recordAlone(runtime, result))
    // What came after a result that is recorded alone stays after it.
    if (queue.has(endpoint_id)) return alone()
    const recorded = await together(result)
    return recorded === 'alone' ? alone() : recorded
  }
}

/** What became of each; 'alone' for one that needs a transaction of its own. */
async function recordTogether(
  runtime: Runtime,
  results: readonly Result[],
): Promise<(DeliveryState | 'alone')[]> {
  try {
    return await runtime.db.transact(async (tx) => {
      const leases = results.map(({ leased }) => leased)
      const settlings = settleAll(results, await store.lockFree(tx, leases))
      const kept = settlings.filter((one) => one !== 'alone')
      if (kept.length > 0) await store.writeSettlings(tx, kept)
      return settlings.map((one) => (one === 'alone' ? one : one.pair.delivery))
    })
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    // One of them may be the cause, and must not take the others along.
    runtime.log.error(
      { err: error, attempts: results.length },
      'recording attempts together failed',
    )
    return results.map(() => 'alone')
  }
}

/** Judges one after the other, each from where the one before it left the endpoint. */
function settleAll(
  results: readonly Result[],
  found: readonly (Pair | null)[],
): (store.Settling | 'alone')[] {
  const endpoints = new Map<string, EndpointState>()
  const apart = new Set<string>()
  const seen = new Set<string>()
  const settlings = results.map((result, index) => {
    const { id, endpoint_id } = result.leased
    const before = found[index]
    // A result that is reported twice finds its lease released, but only after this is written.
    if (!before || seen.has(id)) return 'alone'
    seen.add(id)
    const endpoint = endpoints.get(endpoint_id) ?? before.endpoint
    const settling = settleOne(result, { ...before, endpoint })
    endpoints.set(endpoint_id, settling.pair.endpoint)
    if (noticeOf(endpoint, settling.pair.endpoint) !== null) apart.add(endpoint_id)
    return settling
  })
  // Dropping what is pending may take long, so an endpoint that is disabled is left out of this,
  // as is one that orders a notice to the owner.
  return settlings.map((one) =>
    one !== 'alone' && apart.has(one.leased.endpoint_id) ? 'alone' : one,
  )
}

function settleOne({ leased, ended }: Result, before: Pair): store.Settling {
  const settled = leased.type === 'webhook.test' ? settleTest : settle
  const pair = leased.manual ? settleManual(before, ended) : settled(before, ended)
  return { leased, pair, now: ended.ended_at, attempt: lineOf(leased, ended) }
}

function lineOf({ manual }: Leased, ended: Ended): store.NewAttempt | null {
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
    const settling = settleOne(result, before)
    const { endpoint } = settling.pair
    await store.writeSettlings(tx, [settling])
    const kind = noticeOf(before.endpoint, endpoint)
    if (kind === 'disabled') {
      await dropPending(tx, { project_id, endpoint_id, now: ended.ended_at })
    }
    if (kind !== null) {
      const failures = endpoint.consecutive_failures
      await orderNotice(tx, runtime, { project_id, endpoint_id, kind, failures, ended })
    }
    return { kind, delivery: settling.pair.delivery }
  })
  if (after?.kind === 'disabled') {
    runtime.log.warn(
      { project_id, endpoint_id, delivery_id: id },
      'a webhook endpoint was disabled',
    )
  }
  return after?.delivery ?? null
}
