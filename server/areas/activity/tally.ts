/**
 * Counts changes of documents in memory, per minute, caller, operation and collection. Documents are
 * written in bulk, and each change is in the change feed of its collection.
 */
import type { Operation } from '../../contract/operation.ts'
import { announceRecords } from '../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import type { Acting } from './record.ts'
import * as store from './store.ts'

const GATHER_MS = 60_000
/** Distinct combinations that wait; further ones are dropped and logged. */
const WAITING_MAX = 5_000

export function isCounted({ name }: Pick<Operation, 'name'>): boolean {
  return name.startsWith('documents.')
}

interface Tally {
  add(acting: Acting, changes: number): void
  /** Writes all counts. */
  flush(): Promise<void>
}

const tallies = new WeakMap<Runtime, Tally>()

function tallyOf(runtime: Runtime): Tally {
  const known = tallies.get(runtime)
  if (known) return known
  const made = createTally(runtime)
  tallies.set(runtime, made)
  return made
}

/** Counts the changes of a successful operation on documents. Never waits and never throws. */
export function tally(runtime: Runtime, acting: Acting, reply: unknown): void {
  tallyOf(runtime).add(acting, changesIn(reply))
}

/** Writes what this process has counted. */
export function flush(runtime: Runtime): Promise<void> {
  return tallyOf(runtime).flush()
}

/** The number of changes of a batch or an import; 1 for other replies. */
function changesIn(reply: unknown): number {
  const { results, inserted, updated } = Object(reply)
  if (Array.isArray(results)) return results.length
  return typeof inserted === 'number' ? inserted + Number(updated) : 1
}

function createTally(runtime: Runtime): Tally {
  let waiting = new Map<string, { acting: Acting; changes: number }>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  function flushNow(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    const rows = [...waiting.values()].flatMap((one) => rowOf(runtime, one))
    waiting = new Map()
    if (rows.length > 0) writing = writing.then(() => write(runtime, rows))
    return writing
  }

  return {
    add(acting, changes) {
      if (changes === 0) return
      const { project_id, actor_id, entry_point, operation, path_id, mode } = acting
      const key = `${project_id} ${actor_id} ${entry_point} ${mode} ${operation} ${path_id}`
      const known = waiting.get(key)
      if (known) known.changes += changes
      else if (waiting.size < WAITING_MAX) waiting.set(key, { acting, changes })
      else runtime.log.warn('counts of changed documents were lost')
      timer ??= setTimeout(() => void flushNow(), GATHER_MS).unref()
    },
    flush: flushNow,
  }
}

function rowOf(
  { clock }: Runtime,
  { acting, changes }: { acting: Acting; changes: number },
): store.ActivityRow[] {
  const { path_id, otherwise: _, project_id, ...known } = acting
  if (project_id === null) return []
  return [
    {
      ...known,
      project_id,
      id: newId(clock),
      created_at: clock.now(),
      resource_type: 'collections',
      resource_id: path_id,
      resource_name: path_id,
      changes,
      error: null,
      note: null,
    },
  ]
}

async function write(runtime: Runtime, rows: store.ActivityRow[]): Promise<void> {
  const { db, log } = runtime
  try {
    await store.insert(db, rows)
    for (const { project_id } of rows) announceRecords(runtime, project_id, 'activity')
  } catch (error) {
    log.warn({ err: error, entries: rows.length }, 'counts of changed documents were lost')
  }
}
