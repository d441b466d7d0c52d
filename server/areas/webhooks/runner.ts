/**
 * The pool that delivers: it claims what is due, no more than it has hands, and attempts it. How
 * the payload of an event is built is handed in, because webhooks knows no other area.
 */
import type { EventSource } from '../../contract/events.ts'
import type { House } from '../../kernel/house.ts'
import { startWorkPool, type WorkPool } from '../../kernel/work-pool.ts'
import { deliver, survived, underWay } from './deliver.ts'
import { sourcesByType } from './payloads.ts'
import { createClaimer, TOPIC } from './queue/claim.ts'

/** Attempts at once in this process; each is mostly waiting for a receiver. */
const CONCURRENCY = 64
/** How many free hands are worth a claim, when there are not more. */
const HANDS_MIN = 16
/** More in one claim would only let every other process wait longer for its turn. */
export const SLOTS_MAX = 24

export function startDeliveries(
  house: House,
  { sources }: { sources: readonly EventSource[] },
): WorkPool {
  const sourceOf = sourcesByType(house, sources)
  return startWorkPool({
    house,
    name: 'deliveries',
    topic: TOPIC,
    concurrency: CONCURRENCY,
    hands_min: HANDS_MIN,
    slots_max: SLOTS_MAX,
    claim: createClaimer(house, underWay, survived),
    async run(claimed) {
      await deliver(house, claimed, sourceOf.get(claimed.type))
    },
  })
}
