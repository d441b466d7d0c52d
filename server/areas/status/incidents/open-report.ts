/**
 * The open incidents that GET /status reports. The route is public, so they are read at most once in
 * five seconds, and again after a change.
 */
import { isDatabaseUnavailable } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { STATUS_TOPIC } from './incidents.ts'
import { listOpen, type IncidentRow } from './incidents-store.ts'

const KEPT_MS = 5_000

interface Kept {
  at_ms: number
  rows: Promise<readonly IncidentRow[]>
  is_current: boolean
}

const kept = new WeakMap<Runtime, Kept>()

/** Null if the database is unavailable. */
export async function readOpenIncidents(runtime: Runtime): Promise<readonly IncidentRow[] | null> {
  try {
    return await share(runtime).rows
  } catch (error) {
    if (isDatabaseUnavailable(error)) return null
    throw error
  }
}

function share(runtime: Runtime): Kept {
  const at_ms = runtime.clock.now_ms()
  const known = kept.get(runtime)
  if (known?.is_current === true && at_ms - known.at_ms < KEPT_MS) return known
  const made: Kept = { at_ms, rows: listOpen(runtime.db), is_current: true }
  made.rows.catch(() => (made.is_current = false))
  if (!known) {
    // One listener for the life of the process.
    runtime.wakeups.listen(STATUS_TOPIC, () => {
      const current = kept.get(runtime)
      if (current) current.is_current = false
    })
  }
  kept.set(runtime, made)
  return made
}
