/** Deletes counted deploys that are too old for the hourly limit. */
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { DEPLOYS_COUNTED_S } from './rights.ts'
import * as store from './store.ts'

const FORGET_EVERY_S = 3600
const FORGET_AT_ONCE = 1000

export const deleteOldDeploys = reconciler({
  name: 'sites.forget_deploys',
  every_s: FORGET_EVERY_S,
  async run({ db, clock }) {
    const until = new Date(clock.now_ms() - DEPLOYS_COUNTED_S * 1000)
    for (let gone = FORGET_AT_ONCE; gone === FORGET_AT_ONCE;) {
      gone = await db.transact((tx) => store.deleteDeploys(tx, { until, limit: FORGET_AT_ONCE }))
    }
  },
})
