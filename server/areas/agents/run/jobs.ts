/** Jobs of agents: start, advance, resume and delete runs, and start scheduled ones. */
import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue, job, reconciler } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { nextRunAt } from '../definition/next-run.ts'
import * as agents from '../store.ts'
import { advanceRun, giveUp } from './advance.ts'
import * as store from './store.ts'

const BATCH_SIZE = 100
const RETRY_S = [5, 30, 120, 600]
const RESUME_EVERY_S = 15
const SCHEDULE_EVERY_S = 30
const DELETE_EVERY_S = 3600
/** A run that resumed this long ago and is still running has lost its job: runs time out sooner. */
const LOST_AFTER_S = 3600

export const advanceRunJob = job({
  name: 'agents.advance',
  payload: Type.Object({ project_id: Type.String(), id: Type.String() }),
  retry_after_s: RETRY_S,
  async run({ runtime, payload, attempt, signal, finish }) {
    const run = await store.findRun(runtime.db, payload)
    if (!run) return
    try {
      const has_ended = await advanceRun(runtime, payload, signal)
      await finish(async (tx) => {
        const next = has_ended ? await store.findNextQueued(tx, run) : undefined
        if (next) await enqueueAdvances(tx, runtime, [next])
      })
    } catch (error) {
      if (attempt <= RETRY_S.length || signal.aborted) throw error
      runtime.log.error({ err: error, run_id: payload.id }, 'the run of an agent failed')
      await giveUp(runtime, payload)
    }
  },
})

/** Enqueues advanceRunJob for the queued runs of a project. */
export const startRunsJob = job({
  name: 'agents.start',
  payload: Type.Object({ project_id: Type.String() }),
  retry_after_s: RETRY_S,
  async run({ runtime, payload, finish }) {
    const queued = await store.listQueued(runtime.db, { ...payload, count: BATCH_SIZE })
    await finish((tx) => enqueueAdvances(tx, runtime, queued))
  },
})

export async function enqueueQueuedRuns(
  tx: Transaction,
  runtime: Runtime,
  project_id: string,
): Promise<void> {
  const payload = { project_id }
  await enqueue(tx, runtime, startRunsJob, { project_id, payload, dedupe_key: 'start' })
}

async function enqueueAdvances(
  tx: Transaction,
  runtime: Runtime,
  keys: readonly store.RunKey[],
): Promise<void> {
  for (const { project_id, id } of keys) {
    const payload = { project_id, id }
    await enqueue(tx, runtime, advanceRunJob, { project_id, payload, dedupe_key: id })
  }
}

/** Enqueues advanceRunJob for runs whose approval was decided, and for runs that lost their job. */
export const resumeRuns = reconciler({
  name: 'agents.resume',
  every_s: RESUME_EVERY_S,
  async run(runtime) {
    const { db, clock } = runtime
    const resumed_before = new Date(clock.now_ms() - LOST_AFTER_S * 1000)
    const wanted = { now: clock.now(), resumed_before, count: BATCH_SIZE }
    const keys = await store.listToResume(db, wanted)
    if (keys.length > 0) await db.transact((tx) => enqueueAdvances(tx, runtime, keys))
  },
})

/** Starts one run of each agent whose schedule is due, however many of its times were missed. */
export const runSchedules = reconciler({
  name: 'agents.schedule',
  every_s: SCHEDULE_EVERY_S,
  async run(runtime) {
    for (let started = BATCH_SIZE; started === BATCH_SIZE;) {
      started = await runtime.db.transact((tx) => startScheduled(tx, runtime))
    }
  },
})

/** Returns the number of started runs. */
async function startScheduled(tx: Transaction, runtime: Runtime): Promise<number> {
  const now = runtime.clock.now()
  const due = await agents.lockDue(tx, { now, count: BATCH_SIZE })
  if (due.length === 0) return 0
  const next = due.map(({ project_id, id, definition }) => {
    return { project_id, id, next_run_at: nextRunAt(JSON.parse(definition), now) }
  })
  await agents.scheduleNext(tx, next)
  const startable = due.filter(({ is_queue_full }) => !is_queue_full)
  const runs = startable.map(({ project_id, id: agent_id }) => ({
    project_id,
    id: newId(runtime.clock),
    agent_id,
    status: 'queued' as const,
    trigger_type: 'schedule' as const,
    origins: [],
    created_at: now,
  }))
  await store.insertRuns(tx, runs)
  await enqueueAdvances(tx, runtime, runs)
  return due.length
}

export const deleteOldRuns = reconciler({
  name: 'agents.forget',
  every_s: DELETE_EVERY_S,
  async run({ db, clock }) {
    const until = new Date(clock.now_ms() - limits.agent_runs_kept_s * 1000)
    for (let gone = BATCH_SIZE; gone === BATCH_SIZE;) {
      gone = await db.transact((tx) => store.deleteEnded(tx, { until, limit: BATCH_SIZE }))
    }
  },
})
