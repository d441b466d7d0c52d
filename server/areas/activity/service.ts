/** The activity of a project: reading it, and its public interface for the entry points. */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { readPage } from '../../contract/schema/pages.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'
import { INSTALLATION } from './record/run-operation.ts'
import type { ActivityEntry, ActivityPage, ActivityQuery } from './schema.ts'
import * as store from './store.ts'
import { flush } from './record/tally.ts'

export { record, type Acting } from './record/record.ts'
export { recordedJob } from './record/run-job.ts'
export { INSTALLATION, runOperation } from './record/run-operation.ts'
export { inputOf } from './record/act-input.ts'
export type { ActFilter } from './store.ts'
export { flush } from './record/tally.ts'

/** Includes all changes of documents that this process has counted; others are a minute late. */
export async function list(caller: Caller, query: ActivityQuery): Promise<ActivityPage> {
  const { runtime, project } = caller
  await flush(runtime, project.id)
  const { limit, cursor, from, to, mode, ...equal } = query
  const page = await readPage(caller, {
    list: 'activity',
    query: { limit, ...(cursor !== undefined && { cursor }) },
    read: (count, after) =>
      store.list(runtime.db, {
        project_id: project.id,
        first: firstKept(runtime),
        count,
        after,
        from: from === undefined ? null : new Date(from),
        to: to === undefined ? null : new Date(to),
        mode: mode ?? null,
        equal: { ...equal, ...visibleTo(caller, equal.actor_id) },
      }),
  })
  return { ...page, data: page.data.map(present) }
}

export async function find(caller: Caller, id: string): Promise<ActivityEntry> {
  const { runtime, project } = caller
  const row = await store.find(runtime.db, {
    project_id: project.id,
    id,
    first: firstKept(runtime),
  })
  if (!row || (caller.access && row.actor_id !== actorId(caller))) {
    throw new Problem('not_found', 'The activity has no entry with this id.')
  }
  return present(row)
}

/** A limited caller sees its own changes only, because the others may name records beyond its limits. */
function visibleTo(caller: Caller, asked: string | undefined): { actor_id?: string } {
  if (!caller.access) return {}
  const own = actorId(caller)
  return { actor_id: asked === undefined || asked === own ? own : NO_ACTOR }
}

const NO_ACTOR = '00000000-0000-0000-0000-000000000000'

function actorId(caller: Caller): string {
  return 'person' in caller ? String(Object(caller.person).id) : caller.key_id
}

/** The smallest id within the retention period. */
export function firstKept({ clock }: Pick<Runtime, 'clock'>): string {
  return firstIdAt(clock.now_ms() - limits.activity_kept_s * 1000)
}

/** Acts of operators in all projects, newest first. */
export async function listActs(
  { db }: Pick<Runtime, 'db'>,
  wanted: { after: string | null; count: number; filter: store.ActFilter },
): Promise<Act[]> {
  const rows = await store.listActs(db, wanted)
  return rows.map(({ created_at, entry_point, project_id, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    entry_point: entry_point === 'command_line' ? entry_point : 'operator',
    project_id: project_id === INSTALLATION ? null : project_id,
  }))
}

export interface Act extends Omit<store.ActRow, 'created_at' | 'entry_point' | 'project_id'> {
  created_at: string
  entry_point: 'operator' | 'command_line'
  project_id: string | null
}

function present(row: store.ListedRow): ActivityEntry {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    actor: {
      kind: row.actor_kind,
      id: row.actor_kind === 'operator' ? null : row.actor_id,
      name: row.actor_name,
    },
    entry_point: row.entry_point,
    mode: row.mode,
    operation: row.operation,
    resource: { type: row.resource_type, id: row.resource_id, name: row.resource_name },
    changes: row.changes,
    error: row.error,
    note: row.note,
    request_id: row.request_id,
  }
}
