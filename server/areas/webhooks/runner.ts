/**
 * The pool that delivers: it claims what is due, no more than it has hands, and attempts it. How
 * the payload of an event is built is handed in, because webhooks knows no other area.
 */
import type { EventSource } from '../../contract/events.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { startWorkPool, type WorkPool } from '../../kernel/jobs/work-pool.ts'
import { deliver, survived, underWay } from './attempt/deliver.ts'
import { sourcesByType } from './attempt/payloads.ts'
import { createClaimer, TOPIC } from './queue/claim.ts'

/** Attempts at once in this process; each is mostly waiting for a receiver. */
const CONCURRENCY = 64
/** How many free hands are worth a claim, when there are not more. */
const SLOTS_MIN = 16
/** More in one claim would only let every other process wait longer for its turn. */
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
    claim: createClaimer(runtime, underWay, survived),
    async run(claimed) {
      await deliver(runtime, claimed, sourceOf.get(claimed.type))
    },
  })
}
