/** Periodic work: rejects expired approvals, fails stranded ones and deletes old ones. */
import { limits } from '../../contract/limits.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { failApproval } from './decision/execute.ts'
import * as store from './store.ts'

const EXPIRE_EVERY_S = 60
const FORGET_EVERY_S = 3600
const AT_ONCE = 500
/**
 * After this time an approved request counts as stranded; longer than the retries of the job take.
 */
const STRANDED_S = 24 * 3600

/** The interval only delays the stored status, because reads apply the expiry themselves. */
export const expireApprovals = reconciler({
  name: 'approvals.expire',
  every_s: EXPIRE_EVERY_S,
  async run({ db, clock }) {
    await db.transact((tx) => store.expire(tx, { now: clock.now(), project_id: null }))
  },
})

export const deleteOldApprovals = reconciler({
  name: 'approvals.forget',
  every_s: FORGET_EVERY_S,
  async run(runtime) {
    const { db, clock } = runtime
    const stranded = new Date(clock.now_ms() - STRANDED_S * 1000)
    for (const key of await store.listStrandedApprovals(db, { until: stranded, count: AT_ONCE })) {
      await failApproval(runtime, key)
    }
    const until = new Date(clock.now_ms() - limits.approval_kept_s * 1000)
    for (let gone = AT_ONCE; gone === AT_ONCE;) {
      gone = await db.transact((tx) => store.deleteEnded(tx, { until, limit: AT_ONCE }))
    }
  },
})
