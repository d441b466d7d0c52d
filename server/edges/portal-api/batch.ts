/**
 * POST /portal/api/v1/batch: the reads that a page begins with, in one request. Each is admitted,
 * counted and answered as if it were sent alone, and its answer is a line as soon as it is known.
 */
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Operation } from '../../contract/operation.ts'
import { isPeopleStream } from '../../contract/operations/people-streams.ts'
import { mediaOf } from '../../contract/operations/streams.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { sendProblemIn } from '../http/problems.ts'
import { createInvalidBodyProblem, readJson } from '../http/request.ts'
import { requireSameSite } from '../portal/same-site.ts'
import { portalPhrasing } from './phrasing.ts'
import { PORTAL_API_ROOT } from './session-admission.ts'

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
  const isReadable = createMatcher(operations)
  app.post(`${PORTAL_API_ROOT}/batch`, {
    errorHandler: (error, _request, reply) =>
      sendProblemIn(portalPhrasing, { runtime, reply, error }),
    async handler(request, reply) {
      requireSameSite(runtime, request)
      const { body } = readJson(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
      if (!Value.Check(Reads, body)) {
        const message = `must be a list of 1 to ${READS_MAX} objects with a path and a mode`
        throw createInvalidBodyProblem([{ path: '', message }])
      }
      const faults = body.flatMap(({ path }, index) => {
        const message = 'must be the path of a GET operation with a JSON reply'
        return isReadable(path) ? [] : [{ path: `/${index}/path`, message }]
      })
      if (faults.length > 0) throw createInvalidBodyProblem(faults)
      const lines = new PassThrough()
      const reads = body.map(async (read, index) => {
        const { statusCode, payload } = await app.inject(requestOf(request, read))
        lines.write(`${JSON.stringify({ index, status: statusCode, body: payload })}\n`)
      })
      void Promise.all(reads).then(
        () => lines.end(),
        (error) => lines.destroy(error),
      )
      return reply
        .header('Cross-Origin-Resource-Policy', 'same-origin')
        .type('application/x-ndjson; charset=utf-8')
        .send(lines)
    },
  })
}

/** Returns whether a path is that of a GET operation with a JSON reply, neither a file nor a stream. */
function createMatcher(operations: readonly Operation[]): (path: string) => boolean {
  const reads = operations
    .filter(({ method }) => method === 'GET')
    // A fixed part of a path precedes a parameter, as for the router: `{` follows the letters.
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map((operation) => ({
      pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`),
      isJson: !mediaOf(operation) && !isPeopleStream(operation),
    }))
  return (path) => reads.find(({ pattern }) => pattern.test(path))?.isJson === true
}

/** The cookie, language and address of the person stay; the headers about the body do not. */
function requestOf({ headers, ip }: FastifyRequest, read: { path: string; mode?: string }) {
  const { 'content-type': _type, 'content-length': _length, ...kept } = headers
  return {
    method: 'GET',
    url: PORTAL_API_ROOT + read.path,
    remoteAddress: ip,
    headers: {
      ...kept,
      accept: 'application/json',
      ...(read.mode !== undefined && { 'homeport-mode': read.mode }),
    },
  } as const
}
