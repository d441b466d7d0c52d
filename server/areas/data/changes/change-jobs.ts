/** Deletes changes older than the period in which a feed can resume. */
import { limits } from '../../../contract/limits.ts'
import { reconciler } from '../../../kernel/jobs/jobs.ts'
import * as changes from './change-store.ts'

const PURGE_EVERY_S = 3600
const BATCH_ROWS = 1000

/** Deletes in small batches by an index, so that no lock is held for long. */
export const purgeChanges = reconciler({
  name: 'data.purge_changes',
  every_s: PURGE_EVERY_S,
  async run({ db, clock }) {
    const until = new Date(clock.now_ms() - limits.changes_kept_s * 1000)
    for (let deleted = BATCH_ROWS; deleted === BATCH_ROWS;)
      deleted = await db.transact((tx) => changes.deleteChanges(tx, { until, limit: BATCH_ROWS }))
  },
})
