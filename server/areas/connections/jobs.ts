/** Periodic work: deletes expired credentials, ended connections and unused clients. */
import { limits } from '../../contract/limits.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { deleteUnusedClients, deleteExpiredRecords } from './oauth/oauth-store.ts'
import { deleteExpired } from './store.ts'

const FORGET_EVERY_S = 3600

/** Deletion only frees space, because every use checks the expiry. */
export const deleteExpiredConnections = reconciler({
  name: 'connections.forget',
  every_s: FORGET_EVERY_S,
  async run({ db, clock }) {
    const now = clock.now()
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
    await db.transact(async (tx) => {
      await deleteExpired(tx, { now, ended: ago(limits.connection_forgotten_s) })
      await deleteExpiredRecords(tx, { now, used_before: ago(limits.refresh_token_s) })
      await deleteUnusedClients(tx, ago(limits.oauth_registration_unused_s))
    })
  },
})
