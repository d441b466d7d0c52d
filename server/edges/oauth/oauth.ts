/**
 * OAuth 2.1 for connections, as MCP specifies it. The library is imported at the first request that
 * needs it, because many installations have no connections.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { isScope } from '../../contract/scopes.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { createSlidingWindow } from '../../kernel/limits/sliding-window.ts'
import { toProblem, createProblemHeaders } from '../http/problems.ts'
import { sendPage } from '../portal/layout.ts'
import { problemPage } from '../portal/pages/problem.ts'
import { findLanguage } from '../portal/visit.ts'
import { findNetwork } from '../http/visitor-address.ts'
import { isOwnResource, oauthPaths, readingScopes, toAudience } from '../oauth-addresses.ts'
import { openOAuthServer } from './oauth-server.ts'
import { addMetadata } from './metadata.ts'
import { addRegistration } from './register.ts'

export function addOAuth(app: FastifyInstance, runtime: Runtime): void {
  addMetadata(app, runtime)
  addRegistration(app, runtime)
  // A separate Fastify scope, because the library parses bodies itself.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    addAuthorize(scope, runtime)
    for (const [method, url] of [
      ['GET', `${oauthPaths.authorize}/:uid`],
      ['POST', oauthPaths.token],
      ['OPTIONS', oauthPaths.token],
      ['POST', oauthPaths.revoke],
      ['OPTIONS', oauthPaths.revoke],
      ['GET', oauthPaths.keys],
      ['OPTIONS', oauthPaths.keys],
    ] as const) {
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        callProvider(runtime, request, reply)
      scope.route({ method, url, exposeHeadRoute: false, handler })
    }
  })
}

function addAuthorize(scope: FastifyInstance, runtime: Runtime): void {
  const limit = limits.oauth_requests_max
  const window_ms = limits.oauth_requests_window_s * 1000
  const rate = createSlidingWindow(runtime.clock, { limit, window_ms })
  scope.route({
    method: 'GET',
    url: oauthPaths.authorize,
    exposeHeadRoute: false,
    // A person sees these errors, so they are pages.
    errorHandler: (error, request, reply) => {
      const problem = toProblem(error, runtime, request.id)
      return sendPage(
        reply.headers(createProblemHeaders(problem)),
        problemPage(problem, findLanguage(request)),
        problem.status,
      )
    },
    handler: async (request, reply) => {
      const { allowed, retry_after_s } = rate.pass(findNetwork(request.ip))
      if (!allowed) {
        const user_message = 'Too many attempts. Please wait a few minutes, then connect again.'
        throw new Problem('rate_limited', user_message, { retry_after_s, user_message })
      }
      const asked = new URLSearchParams(request.url.split('?')[1] ?? '')
      const read = readRequest(runtime, asked)
      request.raw.url = `${oauthPaths.authorize}?${read.toString()}`
      return callProvider(runtime, request, reply)
    },
  })
}

const known = [
  'client_id',
  'response_type',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/**
 * Normalises an authorization request: known parameters only, known scopes only (read-only ones if
 * there are none), our audience for each of its spellings, and no prompt except "none", because
 * consent is always requested.
 */
function readRequest(runtime: Runtime, asked: URLSearchParams): URLSearchParams {
  const read = new URLSearchParams()
  for (const name of known) for (const value of asked.getAll(name)) read.append(name, value)
  const resources = asked
    .getAll('resource')
    .map((resource) => (isOwnResource(runtime, resource) ? toAudience(runtime) : resource))
  for (const resource of new Set(resources)) read.append('resource', resource)
  if (asked.get('prompt') === 'none') read.set('prompt', 'none')
  const wanted = asked.getAll('scope').flatMap((text) => text.split(' ').filter(isScope))
  read.set('scope', [...new Set(wanted.length > 0 ? wanted : readingScopes)].join(' '))
  return read
}

async function callProvider(
  runtime: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { provider } = await openOAuthServer(runtime)
  const { raw: response } = reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) response.setHeader(name, value)
  }
  const started_ms = performance.now()
  response.once('close', () => {
    const labels = { operation: 'oauth', status: String(response.statusCode) }
    runtime.metrics.requests.observe(labels, (performance.now() - started_ms) / 1000)
  })
  setForwardedHeaders(runtime, request.raw)
  // Already resolved from trusted proxies.
  request.raw.headers['x-forwarded-for'] = request.ip
  await provider.callback()(request.raw, response)
  return reply
}

/** Sets the forwarding headers to the public URL, whatever the request contains. */
export function setForwardedHeaders({ config }: Runtime, { headers }: IncomingMessage): void {
  const { protocol, host } = new URL(config.public_url)
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
  headers['x-forwarded-host'] = host
}
