/** Deletes delivery history after its retention period. */
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { reconciler } from '../../../kernel/jobs/jobs.ts'
import * as store from './log-store.ts'

const PURGE_EVERY_S = 3600
const BITE = 500
// Events are deleted later than deliveries, so that a replay accepted just before does not lose its
// events.
const EVENTS_LATER_MS = 3_600_000

/**
 * Deletes deliveries that ended before the retention period, with their attempts, and then events
 * of that age without a delivery. Small batches by index, so kept rows cost nothing and locks are
 * short.
 */
export const purgeHistory = reconciler({
  name: 'webhooks.purge_history',
  every_s: PURGE_EVERY_S,
  async run(runtime) {
    const until = new Date(runtime.clock.now_ms() - limits.webhook_history_s * 1000)
    await purgeDeliveries(runtime, until)
    await purgeEvents(runtime, new Date(until.getTime() - EVENTS_LATER_MS))
    await purgeExcess(runtime)
  },
})

async function purgeDeliveries({ db }: Runtime, until: Date): Promise<void> {
  for (let deleted = BITE; deleted === BITE;) {
    deleted = await db.transact((tx) => store.deleteDeliveries(tx, { until, limit: BITE }))
  }
}

async function purgeExcess({ db }: Runtime): Promise<void> {
  const max = limits.webhook_history_deliveries_max
  for (const project_id of await store.listWithEndpoints(db)) {
    if (!(await store.isOverfull(db, project_id, max))) continue
    for (let deleted = BITE; deleted > 0;) {
      deleted = await db.transact((tx) => store.deleteOldest(tx, { project_id, max, limit: BITE }))
    }
  }
}

async function purgeEvents({ db }: Runtime, until: Date): Promise<void> {
  let last: Date | null = new Date(0)
  while (last !== null) {
    const after: Date = last
    last = await db.transact((tx) => store.deleteEvents(tx, { after, until, limit: BITE }))
  }
}
