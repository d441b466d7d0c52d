/** Lists the backups in the store with the runs that wrote them. */
import { openTarget, type StoredBackup } from '../../kernel/backup/target.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import * as store from './store.ts'

const RUNS_MAX = 1000

export interface ListedBackup {
  name: string
  state: 'running' | 'complete' | 'failed'
  started_at: Date
  /** Null while it runs, and for a backup whose run this database does not know. */
  finished_at: Date | null
  bytes: number | null
  error: string | null
  /** Time of the last restore test; null without one. */
  tested_at: Date | null
  test_error: string | null
}

/** Backups in the store, and runs that failed or are in progress, newest first. */
export async function listBackups(runtime: Runtime): Promise<ListedBackup[]> {
  const target = openTarget(runtime.config)
  try {
    const stored = await target.list()
    const runs = await store.listRuns(runtime.db, RUNS_MAX)
    const byName = new Map(runs.map((run) => [run.name, run]))
    const known = stored.map((one) => present(one, byName.get(one.name)))
    const names = new Set(stored.map(({ name }) => name))
    const others = runs.filter(({ name, state }) => state !== 'complete' && !names.has(name))
    return [...known, ...others.map((run) => present(null, run))].sort(
      (one, other) => other.started_at.getTime() - one.started_at.getTime(),
    )
  } finally {
    await target.close()
  }
}

const unknownRun = {
  state: 'complete',
  finished_at: null,
  error: null,
  tested_at: null,
  test_error: null,
} as const

function present(stored: StoredBackup | null, run: store.BackupRow | undefined): ListedBackup {
  const { state, finished_at, error, tested_at, test_error } = run ?? unknownRun
  return {
    name: stored?.name ?? run?.name ?? '',
    state,
    started_at: run?.started_at ?? stored?.created_at ?? new Date(0),
    finished_at,
    bytes: stored?.bytes ?? null,
    error,
    tested_at,
    test_error,
  }
}
