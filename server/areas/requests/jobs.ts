/** Deletes entries of the request log by age and number. */
import { limits } from '../../contract/limits.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { findFirstKeptId } from './service.ts'
import * as store from './store.ts'

const PURGE_EVERY_S = 600
const PROJECTS = 100
const BITE = 1_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export const purgeRequests = reconciler({
  name: 'requests.purge',
  every_s: PURGE_EVERY_S,
  async run(runtime) {
    const wanted = { first: findFirstKeptId(runtime), kept_max: limits.requests_kept_max }
    for (let after: string | undefined = BEFORE_ALL; after !== undefined;) {
      const found = await store.findExcess(runtime.db, { ...wanted, after, count: PROJECTS })
      for (const { project_id, last } of found) if (last) await purge(runtime, project_id, last)
      after = found.at(-1)?.project_id
    }
  },
})

/** Deletes in small transactions, so that locks are short. */
async function purge({ db }: Runtime, project_id: string, last: string): Promise<void> {
  for (let deleted = BITE; deleted === BITE;) {
    deleted = await db.transact((tx) => store.deleteUpTo(tx, { project_id, last, count: BITE }))
  }
}
