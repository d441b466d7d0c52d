/** Deletes the page views of days that are no longer kept. */
import { limits } from '../../contract/limits.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import * as store from './store.ts'

const EVERY_S = 6 * 3_600
const BITE = 1_000

export const deleteOldVisits = reconciler({
  name: 'visits.delete_old',
  every_s: EVERY_S,
  async run({ db, clock }) {
    const until_ms = clock.now_ms() - limits.visits_kept_s * 1_000
    const day = new Date(until_ms).toISOString().slice(0, 10)
    for (let deleted = BITE; deleted === BITE;) {
      deleted = await db.transact((tx) => store.deleteBefore(tx, { day, limit: BITE }))
    }
  },
})
