/**
 * The delivery pool: claims due deliveries up to its free slots and attempts them. The sources of
 * payloads are passed in, because webhooks imports no other area.
 */
import type { EventSource } from '../../../contract/events.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { startWorkPool, type WorkPool } from '../../../kernel/jobs/work-pool.ts'
import { deliver, unrecorded, inProgress } from '../attempt/deliver.ts'
import { sourcesByType } from '../attempt/payloads.ts'
import { createClaimer, TOPIC } from './claim.ts'

/** Maximum concurrent attempts in this process; they mostly wait for receivers. */
const CONCURRENCY = 64
/** Minimum number of free slots before the next claim. */
const SLOTS_MIN = 16
/** A larger claim would delay the claims of other processes. */
export const SLOTS_MAX = 24

export function startDeliveries(
  runtime: Runtime,
  { sources }: { sources: readonly EventSource[] },
): WorkPool {
  const sourceOf = sourcesByType(runtime, sources)
  return startWorkPool({
    runtime,
    name: 'deliveries',
    topic: TOPIC,
    concurrency: CONCURRENCY,
    slots_min: SLOTS_MIN,
    slots_max: SLOTS_MAX,
    claim: createClaimer(runtime, inProgress, unrecorded),
    async run(claimed) {
      await deliver(runtime, claimed, sourceOf.get(claimed.type))
    },
  })
}
