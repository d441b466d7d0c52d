/**
 * Admission of visitors' pages. Order of checks: public token, origin, rate limit of the address,
 * rate limit of the token, client project. All precede the lookup of the collection and the body.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as publicTokens from '../../../areas/public-tokens/service.ts'
import { findSiteOfOrigin } from '../../../areas/sites/service.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createSlidingWindow, type SlidingWindow } from '../../../kernel/limits/sliding-window.ts'
import { refuseClientProject } from '../../client-project.ts'
import { hashAddress } from './visitor-address.ts'

export interface PublicAdmission {
  /** Authenticates the page or throws a Problem. `token` is the request's token, from any place. */
  admit(
    request: FastifyRequest,
    reply: FastifyReply,
    visit: PublicPageRequest,
  ): Promise<AdmittedPage>
  /** Replies to a CORS preflight request. */
  preflight(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** Counts a request of the address and throws a Problem over its rate limit. */
  meetAddress(request: FastifyRequest, writes: boolean): void
}

export interface PublicPageRequest {
  token: string | undefined
  /** Whether it submits something, which has its own rate limit. */
  writes: boolean
  /** Whether the request was counted in the rate limit of the address before. */
  is_met: boolean
}

export interface AdmittedPage extends publicTokens.TokenHolder {
  origin: string
}

interface Rate {
  requests: SlidingWindow
  submissions: SlidingWindow
}

export function createPublicAdmission(runtime: Runtime): PublicAdmission {
  const window_ms = limits.public_window_s * 1000
  const windowOf = (limit: number) => createSlidingWindow(runtime.clock, { limit, window_ms })
  const addresses: Rate = {
    requests: windowOf(limits.public_requests_per_address_max),
    submissions: windowOf(limits.public_submissions_per_address_max),
  }
  const tokens: Rate = {
    requests: windowOf(limits.public_requests_per_token_max),
    submissions: windowOf(limits.public_submissions_per_token_max),
  }
  const meetAddress = (request: FastifyRequest, writes: boolean) =>
    count(addresses, { key: hashAddress(request.ip), writes, who: 'from this address' })
  return {
    meetAddress,
    async admit(request, reply, { token, writes, is_met }) {
      const holder = await publicTokens.authenticateToken(runtime, token)
      const origin = await requireOrigin(runtime, request, holder)
      openTo(reply, origin)
      if (!is_met) meetAddress(request, writes)
      count(tokens, { key: holder.token_id, writes, who: 'with this public token' })
      refuseClientProject(request.headers)
      return { ...holder, origin }
    },
    async preflight(request, reply) {
      meetAddress(request, false)
      const { origin } = request.headers
      const known = origin !== undefined && (await isKnownOrigin(runtime, origin))
      if (!known) throw notAllowed(origin)
      openTo(reply, origin)
      return reply.code(204).headers(preflightHeaders).send()
    },
  }
}

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Request-Id',
  'Access-Control-Max-Age': '600',
}

/** Allows the page's script to read the reply. */
function openTo(reply: FastifyReply, origin: string): void {
  reply.headers({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After',
  })
}

/**
 * Returns the page's origin if the token allows it. Browsers and tokens use the same normalised
 * form. Pages of a site may use its token, and tokens that allow the site's URL, at every address
 * of the site, previews included.
 */
async function requireOrigin(
  runtime: Runtime,
  { headers }: FastifyRequest,
  { project, site_id, allowed_origins }: publicTokens.TokenHolder,
): Promise<string> {
  const { origin } = headers
  if (origin === undefined) throw notAllowed(origin)
  if (allowed_origins.includes(origin)) return origin
  const site = await findSiteOfOrigin(runtime.db, runtime, origin)
  const is_own = site?.project_id === project.id
  if (is_own && (site.id === site_id || allowed_origins.includes(site.origin))) return origin
  throw notAllowed(origin)
}

/** Whether any page of this origin may send requests. A preflight request contains no token. */
async function isKnownOrigin(runtime: Runtime, origin: string): Promise<boolean> {
  return (
    (await publicTokens.isOriginAllowed(runtime, origin)) ||
    (await findSiteOfOrigin(runtime.db, runtime, origin)) !== null
  )
}

function notAllowed(origin: string | undefined): Problem {
  const detail =
    origin === undefined
      ? 'The request has no Origin header.'
      : `The public token does not allow pages of ${JSON.stringify(origin.slice(0, 100))}.`
  return new Problem('origin_not_allowed', detail)
}

function count(
  { requests, submissions }: Rate,
  { key, writes, who }: { key: string; writes: boolean; who: string },
): void {
  const passages = [requests.pass(key), ...(writes ? [submissions.pass(key)] : [])]
  const refused = passages.find(({ allowed }) => !allowed)
  if (!refused) return
  throw new Problem(
    'rate_limited',
    `Too many requests ${who} in the last ${limits.public_window_s} seconds.`,
    { retry_after_s: refused.retry_after_s },
  )
}
