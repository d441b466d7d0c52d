/**
 * The pool that delivers: it claims what is due, no more than it has hands, and attempts it. How
 * the payload of an event is built is handed in, because webhooks knows no other area.
 */
import type { EventSource } from '../../contract/events.ts'
import type { House } from '../../kernel/house.ts'
import { startWorkPool, type WorkPool } from '../../kernel/work-pool.ts'
import { deliver, underWay } from './deliver.ts'
import { createClaimer, TOPIC } from './queue/claim.ts'
import { byType } from './sources.ts'

/** Attempts at once in this process; each is mostly waiting for a receiver. */
const CONCURRENCY = 64

export function startDeliveries(
  house: House,
  { sources }: { sources: readonly EventSource[] },
): WorkPool {
  const sourceOf = byType(sources)
  return startWorkPool({
    house,
    name: 'deliveries',
    topic: TOPIC,
    concurrency: CONCURRENCY,
    claim: createClaimer(house, underWay),
    async run(claimed) {
      await deliver(house, claimed, sourceOf.get(claimed.type))
    },
  })
}
