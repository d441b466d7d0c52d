/** Deletes old versions of documents, and those beyond the size that the plan allows. */
import { limits } from '../../../contract/limits.ts'
import { reconciler } from '../../../kernel/jobs/jobs.ts'
import * as history from './history-store.ts'

const TRIM_EVERY_S = 600
const PROJECTS = 100
const BITE = 500
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export const trimHistories = reconciler({
  name: 'data.trim_histories',
  every_s: TRIM_EVERY_S,
  async run({ db, clock }) {
    const until = new Date(clock.now_ms() - limits.document_versions_kept_s * 1000)
    const lowered_since = new Date(clock.now_ms() - limits.lowered_plan_versions_kept_s * 1000)
    for (let after: string | undefined = BEFORE_ALL; after !== undefined;) {
      const found = await history.findHistories(db, { after, count: PROJECTS, lowered_since })
      for (const { project_id, excess } of found) {
        let left = excess
        // Small transactions, so that locks are short.
        for (let count = BITE; count === BITE;) {
          const wanted = { project_id, until, excess: left }
          const deleted = await db.transact((tx) => history.trimVersions(tx, wanted, BITE))
          count = deleted.count
          left = Math.max(0, left - deleted.bytes)
        }
      }
      after = found.at(-1)?.project_id
    }
  },
})
