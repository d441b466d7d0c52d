/**
 * The work that indexes sources. A project has at most one such job at a time, in steps of some
 * seconds, so one project with many or slow sources delays only itself.
 */
import { Type } from 'typebox'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue, job, reconciler } from '../../../kernel/jobs/jobs.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import { createSlots, NoSlot } from '../../../kernel/limits/slots.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { abandon, runStep } from './index-source.ts'
import * as store from './source-store.ts'

const RETRY_AFTER_S = [10, 60, 600]
const REFRESH_EVERY_S = 30
const PROJECTS_AT_ONCE = 200
const BUSY_RETRY_MS = 2_000

/** Leaves most workers of the queue to other kinds of jobs. */
const slots = createSlots({
  name: 'websites are read',
  units: 4,
  units_each: 1,
  waiting_max: 0,
  waiting_each_max: 0,
  retry_after_s: 2,
})

export const indexSources = job({
  name: 'assistant.index_sources',
  payload: Type.Object({}),
  retry_after_s: RETRY_AFTER_S,
  async run({ runtime, project_id, attempt, signal, finish }) {
    if (project_id === null) return finish()
    const source = await store.findDueSource(runtime.db, project_id, runtime.clock.now())
    if (source === undefined) return finish((tx) => enqueueNext(tx, runtime, project_id))
    const write = await runInSlot(project_id, () =>
      runStep({ runtime, signal }, source).catch((error: unknown) => {
        if (attempt <= RETRY_AFTER_S.length) throw error
        runtime.log.error({ err: error, project_id }, 'a source of the assistant cannot be indexed')
        return abandon(runtime, source)
      }),
    )
    if (write === null) return finish((tx) => enqueueLater(tx, runtime, project_id))
    await finish(async (tx) => {
      const locked = await store.lockSource(tx, source)
      // A source that was deleted or started again meanwhile keeps its state.
      if (locked?.run === source.run) {
        const change = await write(tx, locked)
        await store.changeSource(tx, source, { ...change, updated_at: runtime.clock.now() })
        announceRecordsAfter(tx, runtime, project_id, 'knowledge_sources')
      }
      await enqueueNext(tx, runtime, project_id)
    })
  },
})

/** Returns null if too many sources are being read in this process. */
async function runInSlot<Result>(
  project_id: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await slots.run(project_id, work)
  } catch (error) {
    if (error instanceof NoSlot) return null
    throw error
  }
}

/** Enqueues the work on the sources of a project. */
export async function enqueueIndexing(
  tx: Transaction,
  runtime: Runtime,
  { project_id, run_at }: { project_id: string; run_at?: Date },
): Promise<void> {
  const dedupe_key = 'sources'
  await enqueue(tx, runtime, indexSources, { payload: {}, project_id, dedupe_key, run_at })
}

async function enqueueNext(tx: Transaction, runtime: Runtime, project_id: string): Promise<void> {
  const run_at = await store.findNextStep(tx, project_id, runtime.clock.now())
  if (run_at !== null) await enqueueIndexing(tx, runtime, { project_id, run_at })
}

function enqueueLater(tx: Transaction, runtime: Runtime, project_id: string): Promise<void> {
  const run_at = new Date(runtime.clock.now_ms() + BUSY_RETRY_MS)
  return enqueueIndexing(tx, runtime, { project_id, run_at })
}

/** Finds sources that are read again: daily, after a failure, or because their content changed. */
export const refreshSources = reconciler({
  name: 'assistant.refresh_sources',
  every_s: REFRESH_EVERY_S,
  async run(runtime) {
    const now = runtime.clock.now()
    await runtime.db.transact((tx) => store.markChangedSources(tx, now))
    for (const project_id of await store.listDueProjects(runtime.db, now, PROJECTS_AT_ONCE)) {
      await runtime.db.transact((tx) => enqueueIndexing(tx, runtime, { project_id }))
    }
  },
})
