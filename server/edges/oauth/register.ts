/**
 * POST /oauth/register: dynamic client registration (RFC 7591), a few per hour from one network.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ClientMetadataError, registerClient } from '../../areas/connections/service.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { createSlidingWindow } from '../../kernel/limits/sliding-window.ts'
import { sendProblem } from '../http/problems.ts'
import { readJson } from '../http/request.ts'
import { findNetwork } from '../http/visitor-address.ts'
import { oauthPaths } from '../oauth-addresses.ts'
import { allowAnyOrigin, sendPreflight } from './metadata.ts'

const HOUR_MS = 3_600_000

export function addRegistration(app: FastifyInstance, runtime: Runtime): void {
  const limit = limits.oauth_registrations_per_hour_max
  const rate = createSlidingWindow(runtime.clock, { limit, window_ms: HOUR_MS })
  const admit = (request: FastifyRequest) => {
    const { allowed, retry_after_s } = rate.pass(findNetwork(request.ip))
    if (!allowed) throw new TooMany(retry_after_s)
  }
  app.options(oauthPaths.register, (_request, reply) => sendPreflight(reply, 'POST'))
  app.post(oauthPaths.register, {
    bodyLimit: limits.oauth_document_bytes_max,
    handler: async (request, reply) => {
      const given = readDocument(request.body)
      const made = await registerClient(runtime, given, () => admit(request))
      return allowAnyOrigin(reply.code(201)).send(
        JSON.stringify({
          client_id: made.id,
          client_id_issued_at: Math.floor(made.created_at.getTime() / 1000),
          ...(made.secret !== null && { client_secret: made.secret, client_secret_expires_at: 0 }),
          ...made.metadata,
        }),
      )
    },
    errorHandler: (error, _request, reply) => answerFault(runtime, reply, error),
  })
}

class TooMany extends Error {
  readonly retry_after_s: number
  constructor(retry_after_s: number) {
    super('Too many clients were registered from this network. Try again later.')
    this.retry_after_s = retry_after_s
  }
}

function readDocument(body: unknown): unknown {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  try {
    return readJson(bytes, limits.json_depth_max).body
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new ClientMetadataError('invalid_client_metadata', error.detail)
  }
}

/** Replies with OAuth's error format; other errors go to the common handler. */
function answerFault(runtime: Runtime, reply: FastifyReply, error: Error): FastifyReply {
  const say = (status: number, fault: string) =>
    allowAnyOrigin(reply.code(status)).send(
      JSON.stringify({ error: fault, error_description: error.message }),
    )
  if (error instanceof ClientMetadataError) return say(400, error.error)
  if (!(error instanceof TooMany)) return sendProblem(runtime, reply, error)
  runtime.log.info({ network: findNetwork(reply.request.ip) }, 'too many clients were registered')
  reply.header('Retry-After', String(error.retry_after_s))
  return say(429, 'temporarily_unavailable')
}
