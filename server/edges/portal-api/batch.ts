/**
 * POST /portal/api/v1/batch: the reads that a page begins with, in one request. Each is admitted,
 * counted and answered as if it were sent alone, and its answer is a line as soon as it is known.
 */
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import type { Operation } from '../../contract/operation.ts'
import { isPeopleStream } from '../../contract/operations/people-streams.ts'
import { mediaOf } from '../../contract/operations/streams.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { sendProblemIn } from '../http/problems.ts'
import { createInvalidBodyProblem, readJson } from '../http/request.ts'
import { requireSameSite } from '../portal/same-site.ts'
import { portalPhrasing } from './phrasing.ts'
import { PORTAL_API_ROOT, requireSession } from './session-admission.ts'

const READS_MAX = 30

const Reads = Type.Array(
  Type.Object({ path: Type.String({ maxLength: 4_000 }), mode: Type.Optional(Type.String()) }),
  { minItems: 1, maxItems: READS_MAX },
)

export interface BatchOptions {
  runtime: Runtime
  operations: readonly Operation[]
}

export function addBatch(app: FastifyInstance, { runtime, operations }: BatchOptions): void {
  const findUrl = createMatcher(operations)
  app.post(`${PORTAL_API_ROOT}/batch`, {
    errorHandler: (error, _request, reply) =>
      sendProblemIn(portalPhrasing, { runtime, reply, error }),
    async handler(request, reply) {
      requireSameSite(runtime, request)
      await requireSession(runtime, request)
      const { body } = readJson(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
      if (!schemaChecks().Check(Reads, body)) {
        const message = `must be a list of 1 to ${READS_MAX} objects with a path and a mode`
        throw createInvalidBodyProblem([{ path: '', message }])
      }
      const urls = body.map(({ path }) => findUrl(path))
      const faults = urls.flatMap((url, index) => {
        const message = 'must be the path of a GET operation with a JSON reply'
        return url === null ? [{ path: `/${index}/path`, message }] : []
      })
      if (faults.length > 0) throw createInvalidBodyProblem(faults)
      const lines = new PassThrough()
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      const reads = body.map(async ({ mode }, index) => {
        const asked = requestOf(request, { url: urls[index] ?? '', mode })
        const { statusCode, payload } = await app.inject({ ...asked, signal: left.signal })
        lines.write(`${JSON.stringify({ index, status: statusCode, body: payload })}\n`)
      })
      void Promise.all(reads).then(
        () => lines.end(),
        () => lines.destroy(),
      )
      return reply
        .header('Cross-Origin-Resource-Policy', 'same-origin')
        .header('Cache-Control', 'no-store, no-transform')
        .header('X-Accel-Buffering', 'no')
        .type('application/x-ndjson; charset=utf-8')
        .send(lines)
    },
  })
}

/**
 * Returns the URL of a path if it is that of a GET operation with a JSON reply, neither a file nor a
 * stream; otherwise null. Compares what the router sees: the decoded path without a fragment.
 */
function createMatcher(operations: readonly Operation[]): (path: string) => string | null {
  const reads = operations
    .filter(({ method }) => method === 'GET')
    // A fixed part of a path precedes a parameter, as for the router: `{` follows the letters.
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map((operation) => ({
      pattern: new RegExp(`^${PORTAL_API_ROOT}${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      isJson: !mediaOf(operation) && !isPeopleStream(operation),
    }))
  return (path) => {
    const url = URL.parse(PORTAL_API_ROOT + path, 'http://batch')
    const known = url && decoded(url.pathname)
    if (known === null) return null
    const found = reads.find(({ pattern }) => pattern.test(known))
    return found?.isJson === true ? url!.pathname + url!.search : null
  }
}

function decoded(pathname: string): string | null {
  try {
    return decodeURI(pathname)
  } catch {
    return null
  }
}

/** The cookie, language and address of the person stay; the headers about the body do not. */
function requestOf(
  { headers, ip }: FastifyRequest,
  { url, mode }: { url: string; mode: string | undefined },
) {
  const { 'content-type': _type, 'content-length': _length, ...kept } = headers
  return {
    method: 'GET',
    url,
    remoteAddress: ip,
    headers: {
      ...kept,
      accept: 'application/json',
      ...(mode !== undefined && { 'homeport-mode': mode }),
    },
  } as const
}
