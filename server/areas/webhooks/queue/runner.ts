/**
 * The delivery pool: claims due deliveries up to its free slots and attempts them. The sources of
 * payloads are passed in, because webhooks imports no other area.
 */
import type { EventSource } from '../../../contract/events.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { startWorkPool, type WorkPool } from '../../../kernel/jobs/work-pool.ts'
import {
  attemptAndRecord,
  deliveriesInProgress,
  listBusyHosts,
  unrecordedDeliveries,
} from '../attempt/deliver.ts'
import { mapSources } from '../attempt/payloads.ts'
import { createClaimer, DELIVERIES_TOPIC } from './claim.ts'

/** Maximum concurrent attempts in this process; they mostly wait for receivers. */
const CONCURRENCY = 64
/** Minimum number of free slots before the next claim. */
const SLOTS_MIN = 16
/** Maximum number of slots of a claim. A larger claim would delay the claims of other processes. */
export const SLOTS_MAX = 24

export function startDeliveries(
  runtime: Runtime,
  { sources }: { sources: readonly EventSource[] },
): WorkPool {
  const sourceOf = mapSources(runtime, sources)
  return startWorkPool({
    runtime,
    name: 'deliveries',
    topic: DELIVERIES_TOPIC,
    concurrency: CONCURRENCY,
    slots_min: SLOTS_MIN,
    slots_max: SLOTS_MAX,
    claim: createClaimer(runtime, deliveriesInProgress, {
      unrecorded: unrecordedDeliveries,
      listBusyHosts,
    }),
    async run(claimed) {
      await attemptAndRecord(runtime, claimed, sourceOf.get(claimed.type))
    },
  })
}
