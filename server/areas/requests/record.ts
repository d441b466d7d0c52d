/**
 * Collects finished requests in memory and writes them in batches, so that no reply waits for the log.
 * The queue is bounded in total and per project; entries beyond that are dropped and counted.
 */
import { announceRecords } from '../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import * as store from './store.ts'

export type RequestEntry = Omit<store.RequestRow, 'id' | 'created_at'>

const WAITING_MAX = 5_000
const WAITING_OF_PROJECT_MAX = 1_000
const BATCH = 500
/** Time between the first waiting entry and the write of its batch. */
const GATHER_MS = 500

interface RequestLog {
  add(entry: RequestEntry): void
  /** Writes the entries of all requests that ended before the call. */
  flush(): Promise<void>
}

const logs = new WeakMap<Runtime, RequestLog>()

function logOf(runtime: Runtime): RequestLog {
  const known = logs.get(runtime)
  if (known) return known
  const log = createRequestLog(runtime)
  logs.set(runtime, log)
  return log
}

/** Adds an ended request to the log. Never waits and never throws. */
export function logRequest(runtime: Runtime, entry: RequestEntry): void {
  logOf(runtime).add(entry)
}

/** Writes the entries that this process has not written yet. */
export function flushRequestLog(runtime: Runtime): Promise<void> {
  return logOf(runtime).flush()
}

function createRequestLog(runtime: Runtime): RequestLog {
  const { db, clock, log, metrics } = runtime
  let waiting: store.RequestRow[] = []
  const counts = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  async function write(rows: store.RequestRow[]): Promise<void> {
    for (let from = 0; from < rows.length; from += BATCH) {
      const batch = rows.slice(from, from + BATCH)
      try {
        await store.insert(db, batch)
        const projects = new Set(batch.map(({ project_id }) => project_id))
        for (const project_id of projects) announceRecords(runtime, project_id, 'requests')
      } catch (error) {
        metrics.request_log_dropped.inc({ reason: 'write_failed' }, batch.length)
        log.warn({ err: error, entries: batch.length }, 'entries of the request log were lost')
      }
    }
  }

  function flushNow(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    const rows = waiting
    waiting = []
    counts.clear()
    if (rows.length > 0) writing = writing.then(() => write(rows))
    return writing
  }

  return {
    add(entry) {
      const count = counts.get(entry.project_id) ?? 0
      if (waiting.length >= WAITING_MAX || count >= WAITING_OF_PROJECT_MAX) {
        metrics.request_log_dropped.inc({ reason: 'queue_full' })
        return
      }
      counts.set(entry.project_id, count + 1)
      waiting.push({ ...entry, id: newId(clock), created_at: clock.now() })
      timer ??= setTimeout(() => void flushNow(), GATHER_MS).unref()
    },
    flush: flushNow,
  }
}
