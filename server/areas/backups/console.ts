/** Backups in the console of the operators. */
import { Problem } from '../../contract/errors.ts'
import type { PersonCaller } from '../../contract/people.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { testBackup, writeBackup } from './jobs.ts'
import { nextScheduledAt } from './schedule.ts'
import type { OperatedBackups } from './schema.ts'
import { listBackups, type ListedBackup } from './service.ts'

const SHOWN = 100

export async function showBackups(runtime: Runtime): Promise<OperatedBackups> {
  const { backups, billing_timezone: timezone } = runtime.config
  if (backups.address === '')
    return { enabled: false, next_at: null, test_days: backups.test_days, data: [] }
  const next = nextScheduledAt(runtime.clock.now(), { time: backups.time, timezone })
  const listed = await listBackups(runtime)
  return {
    enabled: true,
    next_at: next.toISOString(),
    test_days: backups.test_days,
    data: listed.slice(0, SHOWN).map(present),
  }
}

function present({ started_at, finished_at, tested_at, ...rest }: ListedBackup) {
  return {
    ...rest,
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    tested_at: tested_at?.toISOString() ?? null,
  }
}

/** The job that waits for the schedule serves this request too. */
export async function requestBackup({ runtime, db }: PersonCaller): Promise<OperatedBackups> {
  requireEnabled(runtime)
  const work = { payload: { scheduled_for: null }, project_id: null, dedupe_key: 'backup' }
  await db.transact((tx) => enqueue(tx, runtime, writeBackup, work))
  return showBackups(runtime)
}

export async function requestTest({ runtime, db }: PersonCaller): Promise<OperatedBackups> {
  requireEnabled(runtime)
  const work = { payload: {}, project_id: null, dedupe_key: 'test' }
  await db.transact((tx) => enqueue(tx, runtime, testBackup, work))
  return showBackups(runtime)
}

function requireEnabled({ config }: Runtime): void {
  if (config.backups.address !== '') return
  const user_message = 'Backups are off. Set HOMEPORT_BACKUPS to a folder or a bucket.'
  throw new Problem('conflict', user_message, { user_message })
}
