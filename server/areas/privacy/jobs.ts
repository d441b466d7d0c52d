/** Deletes records that are older than their project keeps them. */
import { limits } from '../../contract/limits.ts'
import type { Retention } from '../../contract/personal-data.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { findDeclared } from './of-areas.ts'
import { daysByKind } from './service.ts'
import * as store from './store.ts'

const EVERY_S = 3_600
const PROJECTS_PER_PAGE = 100
const DAY_MS = 24 * 3_600_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** An interrupted run is continued by the next, because each batch is a transaction of its own. */
export const deleteOldRecords = reconciler({
  name: 'privacy.delete_old',
  every_s: EVERY_S,
  async run(runtime) {
    const { retentions } = findDeclared(runtime)
    for (let after: string | undefined = FIRST_ID; after !== undefined;) {
      const found: store.ProjectChoices[] = await store.listProjects(runtime.db, {
        after,
        count: PROJECTS_PER_PAGE,
      })
      for (const project of found)
        for (const retention of retentions) {
          // A failure of one project must not stop the deletion in the others.
          await deleteOldOf(runtime, project, retention).catch((error: unknown) => {
            const { project_id } = project
            runtime.log.error({ project_id, kind: retention.kind, error }, 'old records were kept')
          })
        }
      after = found.at(-1)?.project_id
    }
  },
})

async function deleteOldOf(
  { db, clock, log }: Runtime,
  { project_id, choices }: store.ProjectChoices,
  { kind, deleteOld }: Retention,
): Promise<void> {
  const days = daysByKind(choices).get(kind) ?? null
  if (days === null) return
  const before = new Date(clock.now_ms() - days * DAY_MS)
  const count: number = limits.retention_batch_max
  let deleted = 0
  for (let last = count; last === count; deleted += last)
    last = await db.transact((tx) => deleteOld(tx, { project_id, before, count }))
  if (deleted > 0) log.info({ project_id, kind, days, deleted }, 'old records were deleted')
}
