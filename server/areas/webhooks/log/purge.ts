/** Forgetting what is longer ago than the history of deliveries promises. */
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { reconciler } from '../../../kernel/jobs/jobs.ts'
import * as store from './log-store.ts'

const PURGE_EVERY_S = 3600
const BITE = 500
// An event that a replay has just been allowed to take must not go under its hands.
const EVENTS_LATER_MS = 3_600_000

/**
 * Deletes deliveries that have been over for as long as the history is kept, with their attempts,
 * and then events of that age which no delivery is about any more. Small bites by index: what is
 * kept costs nothing, and nobody waits long for a lock.
 */
export const purgeHistory = reconciler({
  name: 'webhooks.purge_history',
  every_s: PURGE_EVERY_S,
  async run(runtime) {
    const until = new Date(runtime.clock.now_ms() - limits.webhook_history_s * 1000)
    await purgeDeliveries(runtime, until)
    await purgeEvents(runtime, new Date(until.getTime() - EVENTS_LATER_MS))
  },
})

async function purgeDeliveries({ db }: Runtime, until: Date): Promise<void> {
  for (let deleted = BITE; deleted === BITE;) {
    deleted = await db.transact((tx) => store.deleteDeliveries(tx, { until, limit: BITE }))
  }
}

async function purgeEvents({ db }: Runtime, until: Date): Promise<void> {
  let last: Date | null = new Date(0)
  while (last !== null) {
    const after: Date = last
    last = await db.transact((tx) => store.deleteEvents(tx, { after, until, limit: BITE }))
  }
}
