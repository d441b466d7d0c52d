/** Periodic work: deletes expired credentials, ended connections and unused clients. */
import { limits } from '../../contract/limits.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { forgetClients, forgetRecords } from './oauth-store.ts'
import { forget } from './store.ts'

const FORGET_EVERY_S = 3600

/** Every use checks the expiry, so this only frees space. */
export const forgetConnections = reconciler({
  name: 'connections.forget',
  every_s: FORGET_EVERY_S,
  async run({ db, clock }) {
    const now = clock.now()
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
    await db.transact(async (tx) => {
      await forget(tx, { now, ended: ago(limits.connection_forgotten_s) })
      await forgetRecords(tx, { now, used_before: ago(limits.refresh_token_s) })
      await forgetClients(tx, ago(limits.oauth_registration_unused_s))
    })
  },
})
