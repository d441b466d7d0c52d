/** Background work of apps: old log lines, expired sessions, and databases of deleted apps. */
import { limits } from '../../contract/limits.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { dropOrphans } from './database/app-database.ts'
import * as logs from './running/log-store.ts'
import { deleteExpired } from './users/user-store.ts'

const HOUR_S = 3_600
const BATCH_SIZE = 1_000

export const deleteOldLogs = reconciler({
  name: 'apps.forget',
  every_s: HOUR_S,
  async run({ db, clock }) {
    const until = new Date(clock.now_ms() - limits.app_logs_kept_s * 1000)
    for (let gone = BATCH_SIZE; gone === BATCH_SIZE;) {
      gone = await db.transact((tx) => logs.deleteLines(tx, until, BATCH_SIZE))
    }
    await db.transact(async (tx) => {
      await logs.deleteHours(tx, until)
      await deleteExpired(tx, clock.now())
    })
  },
})

export const dropDatabases = reconciler({
  name: 'apps.databases',
  every_s: HOUR_S,
  run: dropOrphans,
})
