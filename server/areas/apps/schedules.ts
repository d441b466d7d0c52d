/**
 * Schedules of apps. A time that was missed runs once, and a schedule that still works is skipped. A run
 * that a stopped server interrupted is recorded as failed and not repeated.
 */
import { Type } from 'typebox'
import type { Caller } from '../../contract/caller.ts'
import { enqueue, job, reconciler } from '../../kernel/jobs/jobs.ts'
import { request } from '../../kernel/process/node-http.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { nextTime, readCron } from '../../kernel/values/cron.ts'
import { AppUnavailable } from '../../providers/app-runtime/app-runtime.ts'
import { findApp } from './apps.ts'
import { logLine } from './running/logs.ts'
import { useApp } from './running/running.ts'
import type { ScheduleList } from './schema.ts'
import * as store from './store.ts'

const BATCH_SIZE = 100
const EVERY_S = 20
const RUN_MS_MAX = 120_000
/** A run that has not ended by then was lost with its server. */
const LOST_AFTER_MS = 600_000
const INTERRUPTED = 'The server stopped while it worked.'
const ANSWER_BYTES_MAX = 65_536
const ERROR_CHARACTERS_MAX = 4_000

export async function listSchedules(caller: Caller, id: string): Promise<ScheduleList> {
  const { project_id } = await findApp(caller, id)
  const rows = await store.listSchedules(caller.db, { project_id, id })
  return {
    data: rows.map((row) => ({
      cron: row.cron,
      timezone: row.timezone,
      next_run_at: row.next_run_at?.toISOString() ?? null,
      last_run_at: row.last_run_at?.toISOString() ?? null,
      last_status: statusOf(row),
      last_error: row.last_ended_at === null ? null : row.last_error,
    })),
  }
}

function statusOf({ last_run_at, last_ended_at, last_error }: store.ScheduleRow) {
  if (last_run_at === null) return null
  if (last_ended_at === null) return 'running'
  return last_error === null ? 'done' : 'failed'
}

export const startSchedules = reconciler({
  name: 'apps.schedule',
  every_s: EVERY_S,
  async run(runtime) {
    for (let started = BATCH_SIZE; started === BATCH_SIZE;) started = await startDue(runtime)
  },
})

function startDue(runtime: Runtime): Promise<number> {
  return runtime.db.transact(async (tx) => {
    const now = runtime.clock.now()
    const due = await store.lockDue(tx, now, BATCH_SIZE)
    for (const row of due) {
      const schedule = readCron(row.cron)
      const next_run_at =
        typeof schedule === 'string' ? null : nextTime(schedule, row.timezone, now)
      const is_running =
        row.last_ended_at === null &&
        row.last_started_at !== null &&
        now.getTime() - row.last_started_at.getTime() < LOST_AFTER_MS
      if (is_running) {
        await store.updateSchedule(tx, row, { next_run_at })
        continue
      }
      const { project_id, app_id, cron, timezone, next_run_at: scheduled_at } = row
      await store.updateSchedule(tx, row, {
        next_run_at,
        last_run_at: scheduled_at,
        last_started_at: now,
        last_ended_at: null,
        last_error: null,
      })
      const payload = {
        project_id,
        app_id,
        cron,
        timezone,
        scheduled_at: scheduled_at!.toISOString(),
      }
      await enqueue(tx, runtime, runSchedule, { project_id, payload })
    }
    return due.length
  })
}

export const runSchedule = job({
  name: 'apps.run_schedule',
  payload: Type.Object({
    project_id: Type.String(),
    app_id: Type.String(),
    cron: Type.String(),
    timezone: Type.String(),
    scheduled_at: Type.String(),
  }),
  retry_after_s: [5],
  async run({ runtime, payload, finish }) {
    const { project_id, app_id: id } = payload
    const row = (await store.listSchedules(runtime.db, { project_id, id })).find(
      ({ cron, timezone }) => cron === payload.cron && timezone === payload.timezone,
    )
    // Written before the code runs, so that a lost run is not repeated.
    const has_begun = row?.last_error === INTERRUPTED
    if (row && !has_begun)
      await runtime.db.transact((tx) => store.updateSchedule(tx, row, { last_error: INTERRUPTED }))
    const last_error = has_begun ? INTERRUPTED : await runOnce(runtime, payload)
    await finish(async (tx) => {
      const now = runtime.clock.now()
      if (last_error instanceof AppUnavailable && row && mayWait(row, now)) {
        const run_at = new Date(now.getTime() + last_error.retry_after_s * 1000)
        await store.updateSchedule(tx, row, { last_error: null })
        return enqueue(tx, runtime, runSchedule, { project_id, payload, run_at })
      }
      const text = last_error instanceof AppUnavailable ? last_error.message : last_error
      if (row) await store.updateSchedule(tx, row, { last_ended_at: now, last_error: text })
    })
  },
})

/** An app without a free process runs its schedule later, before the run counts as lost. */
function mayWait({ last_started_at }: store.ScheduleRow, now: Date): boolean {
  const waited_ms = last_started_at ? now.getTime() - last_started_at.getTime() : LOST_AFTER_MS
  return waited_ms < LOST_AFTER_MS - RUN_MS_MAX
}

interface ScheduledRun {
  project_id: string
  app_id: string
  cron: string
  scheduled_at: string
}

/** Returns why it failed; null if it did not, and AppUnavailable if it did not begin. */
async function runOnce(
  runtime: Runtime,
  { project_id, app_id: id, cron, scheduled_at }: ScheduledRun,
): Promise<string | AppUnavailable | null> {
  const app = await store.findServed(runtime.db, { project_id, id })
  if (!app) return null
  try {
    const use = await useApp(runtime, app)
    try {
      const answer = await send(use.control, { cron, scheduled_at })
      if (answer.ok) return null
      const text = String(answer.error).slice(0, ERROR_CHARACTERS_MAX).replaceAll('\0', '\uFFFD')
      const { version } = app
      const at = runtime.clock.now()
      const line = { project_id, app_id: id, version, level: 'exception', place: null, at } as const
      logLine(runtime, { ...line, text: `The schedule ${cron} failed: ${text}` })
      return text
    } finally {
      use.release()
    }
  } catch (error) {
    if (error instanceof AppUnavailable) return error
    return error instanceof Error ? error.message : String(error)
  }
}

function send(socketPath: string, event: object): Promise<{ ok: boolean; error?: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ ok: boolean; error?: string }>()
  const asked = request(
    { socketPath, path: '/scheduled', method: 'POST', agent: false },
    (reply) => {
      const chunks: Buffer[] = []
      let bytes = 0
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > ANSWER_BYTES_MAX) asked.destroy(new Error('The answer is too long.'))
        else chunks.push(chunk)
      })
      reply.once('error', reject)
      reply.once('end', () =>
        resolve(JSON.parse(Buffer.concat(chunks).toString() || '{"ok":false}')),
      )
    },
  )
  const signal = AbortSignal.timeout(RUN_MS_MAX)
  signal.addEventListener('abort', () => {
    asked.destroy(new Error(`The schedule worked for over ${RUN_MS_MAX / 1000} s.`))
  })
  asked.once('error', reject).end(JSON.stringify(event))
  return promise
}
