/** Converts every error to a problem document (RFC 9457). */
import type { FastifyReply } from 'fastify'
import { Problem, problemDocument } from '../../contract/errors.ts'
import { restPhrasing, type Phrasing } from '../../contract/problems/next-steps.ts'
import { BlobsUnavailable } from '../../kernel/blobs/faults.ts'
import { isDatabaseUnavailable, isDatabaseBusy } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { NoSlot } from '../../kernel/limits/slots.ts'
import { noteError } from './request-notes.ts'

const RETRY_AFTER_AWAY_S = 2
const RETRY_AFTER_BUSY_S = 1

/** Maps an error to a Problem. Unexpected errors are logged only here. */
export function toProblem(error: unknown, runtime: Runtime, request_id: string): Problem {
  if (error instanceof Problem) return error
  if (error instanceof BlobsUnavailable) {
    runtime.log.error({ err: error, request_id }, 'the store of files does not work')
    return new Problem('service_unavailable', 'Files cannot be kept or read at the moment.', {
      retry_after_s: RETRY_AFTER_AWAY_S,
      cause: error,
    })
  }
  // A client disconnect has the same error codes as a lost database connection.
  const broke_off = isOfRequest(error) ? fromFastify(error) : null
  if (broke_off) return broke_off
  if (isDatabaseUnavailable(error)) {
    runtime.log.warn({ err: error, request_id }, 'the database is away')
    return new Problem('service_unavailable', 'The database does not answer at the moment.', {
      retry_after_s: RETRY_AFTER_AWAY_S,
      cause: error,
    })
  }
  if (isDatabaseBusy(error)) {
    runtime.log.warn({ err: error, request_id }, 'the database was too busy for a request')
    return new Problem('service_unavailable', 'Too much is going on to do this at the moment.', {
      retry_after_s: RETRY_AFTER_BUSY_S,
      cause: error,
    })
  }
  if (error instanceof NoSlot) return busy(error)
  const said = fromFastify(error)
  if (said) return said
  runtime.log.error({ err: error, request_id }, 'unexpected error in an operation')
  return new Problem('internal_error', 'The service failed while it handled this request.', {
    cause: error,
  })
}

/** Replies 429 if the caller's own requests use up the capacity, and 503 if those of others do. */
function busy(error: NoSlot): Problem {
  const { is_own, retry_after_s, message } = error
  if (!is_own) return new Problem('service_unavailable', message, { retry_after_s, cause: error })
  return new Problem('rate_limited', message, {
    retry_after_s,
    cause: error,
    user_message: 'The service is still working on your other requests of this kind.',
    next_step: 'Wait for one of the requests under way to end, or the seconds in Retry-After.',
  })
}

/** Fastify errors have a status code; Node reports a request that breaks off as "aborted". */
function isOfRequest(error: unknown): boolean {
  return error instanceof Error && ('statusCode' in error || error.message === 'aborted')
}

/** Maps errors of Fastify and of broken connections; null for other errors. */
function fromFastify(error: unknown): Problem | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  const sentence = fastifyRefusals[error.code]
  if (sentence) return new Problem('bad_request', sentence)
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new Problem('not_found', 'There is nothing with this id.')
  const refused = 'statusCode' in error && Number(error.statusCode) < 500
  return refused ? new Problem('bad_request', 'The request could not be read.') : null
}

const fastifyRefusals: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body of the request is larger than this route takes.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body does not have the length that its header says.',
  FST_ERR_BAD_URL: 'The address of the request is not a valid URL.',
  ECONNRESET: 'The connection ended before the request did.',
  ERR_STREAM_PREMATURE_CLOSE: 'The connection ended before the request did.',
}

/** Headers of a Problem. */
export function createProblemHeaders(problem: Problem): Record<string, string> {
  const { retry_after_s, headers } = problem.extra
  return {
    ...headers,
    ...(retry_after_s === undefined ? {} : { 'Retry-After': String(retry_after_s) }),
  }
}

export function toDocsUrl(runtime: Pick<Runtime, 'config'>): string {
  return `${runtime.config.public_url}/docs`
}

export function sendProblem(runtime: Runtime, reply: FastifyReply, error: unknown): FastifyReply {
  return sendProblemIn(restPhrasing, { runtime, reply, error })
}

interface Failure {
  runtime: Runtime
  reply: FastifyReply
  error: unknown
}

/** Sends a Problem with its next step worded for the entry point (REST or MCP). */
export function sendProblemIn(
  phrasing: Phrasing,
  { runtime, reply, error }: Failure,
): FastifyReply {
  const { id: request_id } = reply.request
  const problem = toProblem(error, runtime, request_id)
  noteError(reply.request, problem.slug)
  const about = { request_id, docs_url: toDocsUrl(runtime), phrasing }
  const document = problemDocument(problem, about)
  return (
    reply
      .code(problem.status)
      .headers(createProblemHeaders(problem))
      .header('Content-Type', 'application/problem+json')
      // A Buffer, because Fastify appends a charset to strings, which this media type does not have
      // (RFC 9457).
      .send(Buffer.from(JSON.stringify(document)))
  )
}
