/** Writes a backup each day at the configured time, and tests the newest one at an interval. */
import { Type } from 'typebox'
import { enqueue, job, reconciler } from '../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { lastScheduledAt } from './schedule.ts'
import { backUp, testLatest } from './service.ts'
import * as store from './store.ts'

const EVERY_S = 60
const DAY_MS = 86_400_000
const MINUTE_S = 60
const HOUR_S = 3600

export const writeBackup = job({
  name: 'backups.write',
  /** null: a request of the operator. */
  payload: Type.Object({ scheduled_for: Type.Union([Type.String(), Type.Null()]) }),
  retry_after_s: [5 * MINUTE_S, 30 * MINUTE_S, 2 * HOUR_S],
  async run({ runtime, payload, signal }) {
    const scheduled_for = payload.scheduled_for === null ? null : new Date(payload.scheduled_for)
    if (runtime.config.backups.address === '') return
    // An attempt that lost its lease may have completed the backup.
    if (scheduled_for && (await store.hasCompleteSince(runtime.db, scheduled_for))) return
    const { name, bytes, deleted } = await backUp(runtime, { scheduled_for, signal })
    runtime.log.info({ backup: name, bytes, deleted }, 'a backup was written')
  },
})

export const testBackup = job({
  name: 'backups.test',
  payload: Type.Object({}),
  retry_after_s: [HOUR_S],
  async run({ runtime }) {
    if (runtime.config.backups.address === '') return
    const name = await testLatest(runtime)
    runtime.log.info({ backup: name }, 'a backup was restored as a test')
  },
})

export const scheduleBackups = reconciler({
  name: 'backups.schedule',
  every_s: EVERY_S,
  async run(runtime) {
    const { address, test_days } = runtime.config.backups
    if (address === '') return
    const newest = await store.lastComplete(runtime.db)
    if (newest) runtime.metrics.last_backup.set(newest.getTime() / 1000)
    await scheduleWrite(runtime)
    if (test_days > 0) await scheduleTest(runtime, test_days)
  },
})

async function scheduleWrite(runtime: Runtime): Promise<void> {
  const { config, clock, db } = runtime
  const scheduled_for = lastScheduledAt(clock.now(), {
    time: config.backups.time,
    timezone: config.billing_timezone,
  })
  if (await store.hasRunSince(db, scheduled_for)) return
  const payload = { scheduled_for: scheduled_for.toISOString() }
  await db.transact((tx) =>
    enqueue(tx, runtime, writeBackup, { payload, project_id: null, dedupe_key: 'backup' }),
  )
}

/** A failed test counts, too: its job has tried again already. */
async function scheduleTest(runtime: Runtime, test_days: number): Promise<void> {
  const { clock, db } = runtime
  const since = clock.now_ms() - test_days * DAY_MS
  const tested_at = await store.lastTest(db)
  if (tested_at !== null && tested_at.getTime() > since) return
  if (!(await store.hasCompleteSince(db, new Date(since)))) return
  await db.transact((tx) =>
    enqueue(tx, runtime, testBackup, { payload: {}, project_id: null, dedupe_key: 'test' }),
  )
}
