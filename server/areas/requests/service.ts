/** The request log: reading it, and its public interface for the entry points. */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { readPage } from '../../contract/schema/pages.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'
import { flushRequestLog } from './record.ts'
import type { LoggedRequest, RequestPage, RequestQuery } from './schema.ts'
import * as store from './store.ts'

export { flushRequestLog, logRequest, type RequestEntry } from './record.ts'

const statusRanges = {
  '2xx': [200, 300],
  '4xx': [400, 500],
  '5xx': [500, 600],
  error: [400, 600],
} as const

/**
 * Lists the log. Includes every request that ended before in this process; requests of other
 * processes may be missing for half a second.
 */
export async function list(caller: Caller, query: RequestQuery): Promise<RequestPage> {
  const { runtime, project } = caller
  await flushRequestLog(runtime)
  const { limit, cursor, status, from, to, ...equal } = query
  const page = await readPage(caller, {
    list: 'requests',
    query: { limit, ...(cursor !== undefined && { cursor }) },
    read: (count, after) =>
      store.list(runtime.db, {
        project_id: project.id,
        first: findFirstKeptId(runtime),
        count,
        after,
        statuses: status ? statusRanges[status] : null,
        from: from === undefined ? null : new Date(from),
        to: to === undefined ? null : new Date(to),
        equal: { ...equal, ...visibleTo(caller, equal.actor_id) },
      }),
  })
  return { ...page, data: page.data.map(present) }
}

export async function find(caller: Caller, id: string): Promise<LoggedRequest> {
  const { runtime, project } = caller
  await flushRequestLog(runtime)
  const key = { project_id: project.id, id, first: findFirstKeptId(runtime) }
  const row = await store.find(runtime.db, key)
  if (!row || (caller.access && row.actor_id !== actorId(caller))) {
    throw new Problem('not_found', 'The request log has no entry with this id.')
  }
  return present(row)
}

/**
 * Limits the log to the caller's own requests if the caller is limited: other requests may name
 * records beyond its limits.
 */
function visibleTo(caller: Caller, asked: string | undefined): { actor_id?: string } {
  if (!caller.access) return {}
  const own = actorId(caller)
  return { actor_id: asked === undefined || asked === own ? own : NOBODY }
}

const NOBODY = '00000000-0000-0000-0000-000000000000'

function actorId(caller: Caller): string {
  return 'person' in caller ? String(Object(caller.person).id) : caller.key_id
}

/** Returns the smallest id within the retention period. */
export function findFirstKeptId({ clock }: Pick<Runtime, 'clock'>): string {
  return firstIdAt(clock.now_ms() - limits.requests_kept_s * 1000)
}

function present(row: store.ListedRow): LoggedRequest {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    entry_point: row.entry_point,
    mode: row.mode,
    method: row.method,
    path: row.path,
    message: row.message,
    tool: row.tool,
    operation: row.operation,
    status: row.status,
    error: row.error,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    request_id: row.request_id,
    duration_ms: row.duration_ms,
    source: row.source,
  }
}
