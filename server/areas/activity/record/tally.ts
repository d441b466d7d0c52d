/**
 * Counts changes of documents in memory, per minute, caller, operation and collection. Documents are
 * written in bulk, and each change is in the change feed of its collection.
 */
import type { Operation } from '../../../contract/operation.ts'
import { afterJoined } from '../../../kernel/database/joined.ts'
import { announceRecords } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Acting } from './record.ts'
import * as store from '../store.ts'

const GATHER_MS = 60_000
/** Distinct combinations that wait in a project; further ones are dropped and logged. */
const WAITING_MAX = 500

export function isCounted({ name }: Pick<Operation, 'name'>): boolean {
  return name.startsWith('documents.')
}

interface Tally {
  add(acting: Acting, changes: number): void
  /** Writes the counts of a project, or of all projects. */
  flush(project_id?: string): Promise<void>
}

const tallies = new WeakMap<Runtime, Tally>()

function tallyOf(runtime: Runtime): Tally {
  const known = tallies.get(runtime)
  if (known) return known
  const made = createTally(runtime)
  tallies.set(runtime, made)
  return made
}

/** Counts the committed changes of an operation on documents. Never waits and never throws. */
export function tally(runtime: Runtime, acting: Acting, reply: unknown): void {
  afterJoined(runtime, (outside) => tallyOf(outside).add(acting, changesIn(reply)))
}

/** Writes what this process has counted in a project, or in all projects. */
export function flush(runtime: Runtime, project_id?: string): Promise<void> {
  return tallyOf(runtime).flush(project_id)
}

/** The number of committed changes of a batch or an import; 1 for other replies. */
function changesIn(reply: unknown): number {
  const { results, inserted, updated, dry_run } = Object(reply)
  if (dry_run === true) return 0
  if (Array.isArray(results))
    return results.filter((one) => (Object(one).error ?? null) === null).length
  return typeof inserted === 'number' ? inserted + Number(updated) : 1
}

function createTally(runtime: Runtime): Tally {
  const waiting = new Map<string, Map<string, Count>>()
  let timer: NodeJS.Timeout | null = null

  async function flushNow(project_id?: string): Promise<void> {
    const projects = project_id === undefined ? [...waiting.keys()] : [project_id]
    const rows = projects.flatMap((id) =>
      [...(waiting.get(id)?.values() ?? [])].map((count) => rowOf(runtime, id, count)),
    )
    for (const id of projects) waiting.delete(id)
    if (rows.length > 0) await write(runtime, rows)
  }

  function flushLater(): void {
    timer = null
    void flushNow()
  }

  return {
    add(acting, changes) {
      const { project_id, actor_id, entry_point, operation, path_id, mode } = acting
      if (changes === 0 || project_id === null) return
      const counts = waiting.get(project_id) ?? new Map<string, Count>()
      waiting.set(project_id, counts)
      const key = `${actor_id} ${entry_point} ${mode} ${operation} ${path_id}`
      const known = counts.get(key)
      if (known) known.changes += changes
      else if (counts.size < WAITING_MAX) counts.set(key, { acting, changes })
      else runtime.log.warn({ project_id }, 'counts of changed documents were lost')
      timer ??= setTimeout(flushLater, GATHER_MS).unref()
    },
    flush: flushNow,
  }
}

interface Count {
  acting: Acting
  changes: number
}

function rowOf(
  { clock }: Runtime,
  project_id: string,
  { acting, changes }: Count,
): store.ActivityRow {
  const { path_id, otherwise: _, act: __, ...known } = acting
  return {
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
    address: null,
    input: null,
    before: null,
    after: null,
  }
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
