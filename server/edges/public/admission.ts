/**
 * Admission of visitors' pages. Order of checks: public token, origin, rate limit of the address,
 * rate limit of the token, client project. All precede the lookup of the collection and the body.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as publicTokens from '../../areas/public-tokens/service.ts'
import { findSiteOfOrigin } from '../../areas/sites/service.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { GuestRate } from '../../contract/operations/guests.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { createSlidingWindow, type SlidingWindow } from '../../kernel/limits/sliding-window.ts'
import { refuseClientProject } from '../client-project.ts'
import { hashAddress } from '../http/visitor-address.ts'

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
  meetAddress(request: FastifyRequest, rate: GuestRate): void
}

export interface PublicPageRequest {
  token: string | undefined
  rate: GuestRate
  /** Whether the request was counted in the rate limit of the address before. */
  is_met: boolean
}

export interface AdmittedPage extends publicTokens.TokenHolder {
  origin: string
}

type Rates = Record<GuestRate, SlidingWindow>

/**
 * Maximum requests of one address and of one token in a window. Submissions count as requests too.
 */
const maxima: Record<GuestRate, { address: number; token: number }> = {
  requests: {
    address: limits.public_requests_per_address_max,
    token: limits.public_requests_per_token_max,
  },
  submissions: {
    address: limits.public_submissions_per_address_max,
    token: limits.public_submissions_per_token_max,
  },
  chat_starts: {
    address: limits.public_chat_starts_per_address_max,
    token: limits.public_chat_starts_per_token_max,
  },
  chat_messages: {
    address: limits.public_chat_messages_per_address_max,
    token: limits.public_chat_messages_per_token_max,
  },
  chat_reads: {
    address: limits.public_chat_reads_per_address_max,
    token: limits.public_chat_reads_per_token_max,
  },
}

export function createPublicAdmission(runtime: Runtime): PublicAdmission {
  const window_ms = limits.public_window_s * 1000
  const ratesOf = (whose: 'address' | 'token'): Rates => {
    const windowOf = (rate: GuestRate) =>
      createSlidingWindow(runtime.clock, { limit: maxima[rate][whose], window_ms })
    return {
      requests: windowOf('requests'),
      submissions: windowOf('submissions'),
      chat_starts: windowOf('chat_starts'),
      chat_messages: windowOf('chat_messages'),
      chat_reads: windowOf('chat_reads'),
    }
  }
  const addresses = ratesOf('address')
  const tokens = ratesOf('token')
  const startChat = createLongLimits(runtime, 'conversations were started', [
    { limit: limits.public_chat_starts_per_address_hour_max, window_s: HOUR_S },
    { limit: limits.public_chat_starts_per_address_day_max, window_s: 24 * HOUR_S },
  ])
  const submit = createLongLimits(runtime, 'forms were sent', [
    { limit: limits.public_submissions_per_address_day_max, window_s: 24 * HOUR_S },
  ])
  const meetAddress = (request: FastifyRequest, rate: GuestRate) =>
    count(addresses, { key: hashAddress(request.ip), rate, who: 'from this address' })
  return {
    meetAddress,
    async admit(request, reply, { token, rate, is_met }) {
      const holder = await publicTokens.authenticateToken(runtime, token)
      const origin = await requireOrigin(runtime, request, holder)
      openTo(reply, origin)
      if (!is_met) meetAddress(request, rate)
      count(tokens, { key: holder.token_id, rate, who: 'with this public token' })
      const key = `${holder.project.id} ${hashAddress(request.ip)}`
      if (rate === 'chat_starts') startChat(key)
      if (rate === 'submissions') submit(key)
      refuseClientProject(request.headers)
      return { ...holder, origin }
    },
    async preflight(request, reply) {
      meetAddress(request, 'requests')
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
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Conversation-Token, X-Request-Id',
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
  const origin = headers.origin ?? findOwnOrigin(runtime, headers)
  if (origin === undefined) throw notAllowed(origin)
  if (publicTokens.allowsOrigin(allowed_origins, origin)) return origin
  const site = await findSiteOfOrigin(runtime.db, runtime, origin)
  const is_own = site?.project_id === project.id
  if (is_own && (site.id === site_id || allowed_origins.includes(site.origin))) return origin
  throw notAllowed(origin)
}

/**
 * Returns the origin of this server if one of its own pages sends the request: browsers leave the
 * Origin out of such a GET, and say instead that it is same-origin, which no page can forge.
 */
function findOwnOrigin(
  { config }: Runtime,
  { host, ...headers }: FastifyRequest['headers'],
): string | undefined {
  if (headers['sec-fetch-site'] !== 'same-origin' || host === undefined) return undefined
  return `${new URL(config.public_url).protocol}//${host}`
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
  rates: Rates,
  { key, rate, who }: { key: string; rate: GuestRate; who: string },
): void {
  const counted = rate === 'submissions' ? (['requests', 'submissions'] as const) : [rate]
  const passages = counted.map((one) => rates[one].pass(key))
  const refused = passages.find(({ allowed }) => !allowed)
  if (!refused) return
  throw new Problem(
    'rate_limited',
    `Too many requests ${who} in the last ${limits.public_window_s} seconds.`,
    { retry_after_s: refused.retry_after_s },
  )
}

const HOUR_S = 3600

interface LongLimit {
  limit: number
  window_s: number
}

/**
 * Limits what an address sends to one project in hours and days, so that one address cannot use up
 * what a project has for all its visitors.
 */
function createLongLimits(
  { clock }: Runtime,
  what: string,
  all: readonly LongLimit[],
): (key: string) => void {
  const windows = all.map(({ limit, window_s }) => ({
    per: window_s === HOUR_S ? 'hour' : '24 hours',
    window: createSlidingWindow(clock, { limit, window_ms: window_s * 1000 }),
  }))
  return (key) => {
    for (const { per, window } of windows) {
      const { allowed, retry_after_s } = window.pass(key)
      if (allowed) continue
      const detail = `Too many ${what} from this address in the last ${per}.`
      throw new Problem('rate_limited', detail, { retry_after_s })
    }
  }
}
