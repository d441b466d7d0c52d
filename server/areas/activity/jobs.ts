/** Deletes entries of the activity by age and number. */
import { limits } from '../../contract/limits.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'
import { firstKept } from './service.ts'
import * as store from './store.ts'

const PURGE_EVERY_S = 3_600
const PROJECTS = 100
const BITE = 1_000
const DAY_MS = 86_400_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export const purgeActivity = reconciler({
  name: 'activity.purge',
  every_s: PURGE_EVERY_S,
  async run(runtime) {
    const wanted = { first: firstKept(runtime), kept_max: limits.activity_kept_max }
    for (let after: string | undefined = BEFORE_ALL; after !== undefined;) {
      const found = await store.findExcess(runtime.db, { ...wanted, after, count: PROJECTS })
      for (const { project_id, last } of found) {
        if (last === null) continue
        await inBites(runtime, (tx) => store.deleteUpTo(tx, { project_id, last, count: BITE }))
      }
      after = found.at(-1)?.project_id
    }
    const first = firstIdAt(runtime.clock.now_ms() - runtime.config.audit_days * DAY_MS)
    await inBites(runtime, (tx) => store.deleteActs(tx, { first, count: BITE }))
  },
})

/** Deletes in small transactions, so that locks are short. */
async function inBites(
  { db }: Runtime,
  remove: (tx: Transaction) => Promise<number>,
): Promise<void> {
  while ((await db.transact(remove)) === BITE);
}
