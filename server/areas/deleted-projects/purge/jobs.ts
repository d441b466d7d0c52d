/** The job that removes a deleted project, and the hourly search for those that are due. */
import { Type } from 'typebox'
import { enqueue, job, reconciler } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as numbers from '../../numbers/service.ts'
import { findPurgeLimit } from '../service.ts'
import { beginPurge, listDue } from '../store.ts'
import { deleteProjectRow, deleteRowsOf } from './purge-store.ts'

const SEARCH_EVERY_S = 3600
const PROJECTS_AT_ONCE = 100

/**
 * Removes all data of a project: live numbers at the carrier, rows of all tables, files, and the
 * row of the project last. Each step can be repeated, so an interrupted run is continued by the next.
 */
export const purgeProject = job({
  name: 'deleted_projects.purge',
  payload: Type.Object({ project_id: Type.String() }),
  retry_after_s: [60, 600, 3_600, 21_600, 86_400, 86_400],
  async run({ runtime, payload: { project_id }, signal, finish }) {
    const times = { before: findPurgeLimit(runtime), now: runtime.clock.now() }
    const due = await runtime.db.transact((tx) => beginPurge(tx, { project_id, ...times }))
    if (!due) return
    await numbers.returnNumbers(runtime, project_id)
    await deleteRowsOf(runtime.db, { project_id, signal })
    await runtime.blobs.removeFolder(project_id)
    await finish((tx) => deleteProjectRow(tx, project_id))
    runtime.log.info({ project_id }, 'a deleted project was removed')
  },
})

export const purgeDeletedProjects = reconciler({
  name: 'deleted_projects.find_due',
  every_s: SEARCH_EVERY_S,
  async run(runtime) {
    const page = { before: findPurgeLimit(runtime), limit: PROJECTS_AT_ONCE }
    let due = await listDue(runtime.db, page)
    while (due.length > 0) {
      await enqueuePurges(runtime, due)
      due = await listDue(runtime.db, { ...page, after: due.at(-1) })
    }
  },
})

function enqueuePurges(runtime: Runtime, due: readonly string[]): Promise<void> {
  return runtime.db.transact(async (tx) => {
    for (const project_id of due) {
      const work = { project_id: null, payload: { project_id }, dedupe_key: project_id }
      await enqueue(tx, runtime, purgeProject, work)
    }
  })
}
