/**
 * A request below /api/_auth/ of a site: the app that people sign in to, and limits against guessing.
 * Requests with an effect need the origin of the site, so that no other page makes them.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  findOfSite,
  findSession,
  type PasskeyPlace,
  type ServedApp,
  type Session,
} from '../../../areas/apps/service.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { createSlidingWindow } from '../../../kernel/limits/sliding-window.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { chooseLanguage, pickAccepted, type PageLanguage } from '../../html/language.ts'
import { portalCookies } from '../../portal/cookies.ts'
import { isKnownBrowser, rememberBrowser } from '../../portal/known-browser.ts'
import { createRates } from '../../portal/rates.ts'
import { findNetwork, hashAddress } from '../../http/visitor-address.ts'
import type { SitesHandler } from '../sites-handler.ts'

export const AUTH_PATH = '/api/_auth/'

const HOUR_MS = 3_600_000
const PER_ADDRESS_MAX = 60
const PER_APP_MAX = 2_000

export type AuthMethod = NonNullable<ServedApp['auth']>['methods'][number]

export interface AuthVisit extends PasskeyPlace {
  request: FastifyRequest
  reply: FastifyReply
  /** The name of the service for people. */
  place: string
  color: string | null
  methods: readonly AuthMethod[]
  language: PageLanguage
  /** Throws above the requests with an effect of this address, and of all at the app. */
  countTry(): void
  /** Throws above the attempts with a password at one account. Browsers that it knows have their own. */
  countGuess(email: string): void
  /** Whether the account signed in with this browser before. */
  isKnown(email: string): boolean
  /** Makes this browser one that the account knows. */
  rememberBrowser(email: string): void
}

export interface AuthGate {
  /** Throws unless the site has an app with sign-in that the visitor may use. */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<AuthVisit>
  /** The same for a request with an effect, which only pages of the site may make. */
  act(request: FastifyRequest, reply: FastifyReply): Promise<AuthVisit>
  /** The same, counted. */
  change(request: FastifyRequest, reply: FastifyReply): Promise<AuthVisit>
}

export function createAuthGate(runtime: Runtime, sites: SitesHandler): AuthGate {
  const windowOf = (limit: number) =>
    createSlidingWindow(runtime.clock, { limit, window_ms: HOUR_MS })
  const ofAddress = windowOf(PER_ADDRESS_MAX)
  const ofApp = windowOf(PER_APP_MAX)
  const rates = createRates(runtime)

  async function enter(request: FastifyRequest, reply: FastifyReply): Promise<AuthVisit> {
    const entry = await sites.entryOf(request.raw)
    const site = entry?.layout ? entry.site : null
    if (!site || site.preview) throw missing()
    if (site.visibility === 'password' && !sites.gate.mayEnter(site, request.headers.cookie))
      throw missing()
    const { project_id, id: site_id } = site
    const app = await findOfSite(runtime.db, { project_id, site_id })
    if (!app?.auth) throw missing()
    const { name, color, methods } = app.auth
    const { protocol } = new URL(runtime.config.public_url)
    const browser = { runtime, cookies: portalCookies(runtime), request, reply }
    const accountOf = (email: string) => `${app.id} ${email.trim().toLowerCase()}`
    const isKnown = (email: string) => isKnownBrowser(browser, accountOf(email))
    return {
      request,
      reply,
      app,
      origin: `${protocol}//${request.headers.host}`,
      place: name ?? site.title,
      color,
      methods,
      language: chooseLanguage(undefined, pickAccepted(request.headers)),
      countTry: () => countTry(request, app),
      countGuess(email) {
        const network = findNetwork(request.ip)
        const large_network = findNetwork(request.ip, 48)
        // Any text can be given as an address. Its hash bounds the memory of the count.
        const account = sha256(accountOf(email)).toString('base64url')
        rates.guess({ email: account, network, large_network, is_known: isKnown(email) })
      },
      isKnown,
      rememberBrowser: (email) => rememberBrowser(browser, accountOf(email)),
    }
  }

  function countTry(request: FastifyRequest, { id }: ServedApp): void {
    const own = ofAddress.pass(`${id} ${hashAddress(request.ip)}`)
    // A refused address takes nothing from the others.
    const { allowed, retry_after_s } = own.allowed ? ofApp.pass(id) : own
    if (!allowed)
      throw new Problem('rate_limited', 'Too many attempts to sign in.', { retry_after_s })
  }

  async function act(request: FastifyRequest, reply: FastifyReply): Promise<AuthVisit> {
    const visit = await enter(request, reply)
    requireOwnPage(request)
    return visit
  }

  return {
    enter,
    act,
    async change(request, reply) {
      const visit = await act(request, reply)
      visit.countTry()
      return visit
    },
  }
}

function requireOwnPage(request: FastifyRequest): void {
  const { origin, host } = request.headers
  if (origin === undefined || URL.parse(origin)?.host === host) return
  throw new Problem('origin_not_allowed', 'Only pages of this site may sign people in.')
}

function missing(): Problem {
  return new Problem('not_found', 'There is no app with sign-in at this address.')
}

export function findVisitSession(runtime: Runtime, visit: AuthVisit): Promise<Session | null> {
  return findSession(runtime, visit.app, visit.request.headers.cookie)
}

const SECRET_BYTES = 32
const secretPattern = /^[\w-]{43}$/

/** The secret of the browser that a passkey challenge is bound to; empty without one. */
export function readPasskeySecret(runtime: Runtime, { request }: AuthVisit): string {
  const held = portalCookies(runtime).read(request, 'passkey') ?? ''
  return secretPattern.test(held) ? held : ''
}

/** Returns the secret of the browser, which keeps it in a cookie from now on. */
export function keepPasskeySecret(runtime: Runtime, visit: AuthVisit): string {
  const value = readPasskeySecret(runtime, visit) || randomBytes(SECRET_BYTES).toString('base64url')
  const kept_s = limits.passkey_challenge_s
  portalCookies(runtime).set(visit.reply, 'passkey', { value, kept_s })
  return value
}
