/**
 * Feeds the request log. Entry points note during a request what the log needs: the caller, the
 * operation and the error. The entry is written after the response. Requests without an
 * authenticated caller in a project are not logged.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as activity from '../../areas/activity/service.ts'
import * as requests from '../../areas/requests/service.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { redactPath } from './path-for-request-log.ts'

/** The authenticated caller, possibly before its permissions are checked. */
export type NotedCaller = Pick<Caller, 'project' | 'mode' | 'key_id' | 'is_connection'> & {
  person?: { id: string }
}

export interface RequestNote {
  entry_point: requests.RequestEntry['entry_point']
  caller: NotedCaller
  operation: Operation | null
  error: string | null
  /** The status of a failed MCP tool, whose response has the status 200. */
  status: number | null
  message: string | null
  tool: string | null
}

const notes = new WeakMap<FastifyRequest, RequestNote>()

/** Notes the caller; without this the request is not logged. */
export function noteCaller(
  request: FastifyRequest,
  {
    entry_point,
    caller,
    operation = null,
  }: Pick<RequestNote, 'entry_point' | 'caller'> & {
    operation?: Operation | null
  },
): RequestNote {
  const rest = { error: null, status: null, message: null, tool: null }
  const note: RequestNote = { ...rest, entry_point, caller, operation }
  notes.set(request, note)
  return note
}

/** Notes the error of a request whose caller is known. */
export function noteError(request: FastifyRequest, slug: string): void {
  const note = notes.get(request)
  if (note) note.error = slug
}

/** Logs every request that `noteCaller` named, and writes the rest of the log when the app closes. */
export function addRequestLog(app: FastifyInstance, runtime: Runtime): void {
  app.addHook('onResponse', async (request, reply) => {
    const note = notes.get(request)
    if (!note) return
    const status = note.status ?? reply.statusCode
    if (isLogged(note, status)) {
      requests.logRequest(
        runtime,
        entryOf(note, { request, status, elapsed_ms: reply.elapsedTime }),
      )
    }
  })
  app.addHook('onClose', () =>
    Promise.all([requests.flushRequestLog(runtime), activity.flush(runtime)]),
  )
}

/**
 * Whether a request is logged. Pages of the portal read all the time, and their reads would push
 * the requests of programs out of the log.
 */
function isLogged({ entry_point, operation }: RequestNote, status: number): boolean {
  return entry_point !== 'portal' || status >= 400 || operation?.effect !== 'read'
}

interface Ended {
  request: FastifyRequest
  status: number
  elapsed_ms: number
}

function entryOf(note: RequestNote, { request, status, elapsed_ms }: Ended): requests.RequestEntry {
  const { entry_point, caller, operation, error, message, tool } = note
  const { person, is_connection, key_id } = caller
  const kind = person ? 'person' : is_connection ? 'connection' : 'api_key'
  return {
    project_id: caller.project.id,
    entry_point,
    mode: caller.mode,
    method: request.method,
    path: redactPath(request.url, operation),
    message,
    tool,
    operation: operation?.name ?? null,
    status,
    error,
    actor_kind: kind,
    actor_id: person?.id ?? key_id,
    request_id: request.id,
    duration_ms: Math.round(elapsed_ms),
    source: person ? null : request.ip,
  }
}
