/** The standing work of this area: forgetting what has run out. */
import { reconciler } from '../../kernel/jobs.ts'
import { idleSince } from './sessions.ts'
import { forgetExpired } from './store.ts'

const FORGET_EVERY_S = 3600

/** That it has run out is settled at each use; here it only leaves the tables. */
export const forgetSignIns = reconciler({
  name: 'people.forget',
  every_s: FORGET_EVERY_S,
  async run({ db, clock }) {
    const now = clock.now()
    await db.transact((tx) => forgetExpired(tx, { now, idle_since: idleSince(now) }))
  },
})
