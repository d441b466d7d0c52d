/**
 * Signing in to an app, at /api/_auth/ of its site: a code by email, a session in a cookie. Requests with
 * an effect need JSON and the origin of the site, so that no other page makes them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  closeApps,
  endedCookie,
  endSession,
  findOfSite,
  findUserOfCookie,
  flushAppLogs,
  requestCode,
  signIn,
  type ServedApp,
} from '../../areas/apps/service.ts'
import type { ServedSite } from '../../areas/sites/service.ts'
import { Problem } from '../../contract/errors.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { createSlidingWindow } from '../../kernel/limits/sliding-window.ts'
import { hashAddress } from '../public/visitors/visitor-address.ts'
import type { SitesHandler } from './sites-handler.ts'

export const AUTH_PATH = '/api/_auth/'

const BODY_BYTES_MAX = 4_096
const HOUR_MS = 3_600_000
const PER_ADDRESS_MAX = 60
const PER_APP_MAX = 2_000

export function addAppAuth(app: FastifyInstance, runtime: Runtime, sites: SitesHandler): void {
  const windowOf = (limit: number) =>
    createSlidingWindow(runtime.clock, { limit, window_ms: HOUR_MS })
  const ofAddress = windowOf(PER_ADDRESS_MAX)
  const ofApp = windowOf(PER_APP_MAX)

  /** Throws unless the site has an app with sign-in that the visitor may use. */
  async function appAt(request: FastifyRequest): Promise<{ app: ServedApp; site: ServedSite }> {
    const entry = await sites.entryOf(request.raw)
    const site = entry?.layout ? entry.site : null
    if (!site) throw missing()
    if (site.visibility === 'password' && !sites.gate.mayEnter(site, request.headers.cookie))
      throw missing()
    const { project_id, id: site_id } = site
    const found = await findOfSite(runtime.db, { project_id, site_id })
    if (!found?.auth) throw missing()
    return { app: found, site }
  }

  function requireOwnPage(request: FastifyRequest): void {
    const { origin, host } = request.headers
    if (origin === undefined || URL.parse(origin)?.host === host) return
    throw new Problem('origin_not_allowed', 'Only pages of this site may sign people in.')
  }

  function countTry(request: FastifyRequest, { id }: ServedApp): void {
    const own = ofAddress.pass(`${id} ${hashAddress(request.ip)}`)
    // A refused address takes nothing from the others.
    const { allowed, retry_after_s } = own.allowed ? ofApp.pass(id) : own
    if (!allowed)
      throw new Problem('rate_limited', 'Too many attempts to sign in.', { retry_after_s })
  }

  async function changing(request: FastifyRequest) {
    const { app: found, site } = await appAt(request)
    requireOwnPage(request)
    countTry(request, found)
    return { app: found, site, body: readBody(request) }
  }

  const options = { bodyLimit: BODY_BYTES_MAX }

  app.post(`${AUTH_PATH}code`, options, async (request, reply) => {
    const { app: found, site, body } = await changing(request)
    const language = /^nl\b/i.test(request.headers['accept-language'] ?? '') ? 'nl' : 'en'
    await requestCode(runtime, found, { email: body.email, place: site.title, language })
    return fresh(reply).code(204).send()
  })

  app.post(`${AUTH_PATH}session`, options, async (request, reply) => {
    const { app: found, body } = await changing(request)
    const { user, cookie } = await signIn(runtime, found, body)
    return fresh(reply).header('Set-Cookie', cookie).send({ user })
  })

  app.delete(`${AUTH_PATH}session`, options, async (request, reply) => {
    const { app: found } = await changing(request)
    await endSession(runtime, found, request.headers.cookie)
    return fresh(reply).header('Set-Cookie', endedCookie(runtime)).code(204).send()
  })

  app.get(`${AUTH_PATH}session`, async (request, reply) => {
    const { app: found } = await appAt(request)
    return fresh(reply).send({ user: await findUserOfCookie(runtime, found, request.headers) })
  })
}

/** Ends the processes of apps when the server closes, and writes their log. */
export function closeAppsAtClose(app: FastifyInstance, runtime: Runtime): void {
  app.addHook('onClose', async () => {
    await closeApps(runtime)
    await flushAppLogs(runtime)
  })
}

function readBody({ body }: FastifyRequest): { email: string; code: string } {
  let read: unknown = null
  try {
    read = JSON.parse(String(body ?? '{}') || '{}')
  } catch {
    throw new Problem('invalid_json', 'The body is not JSON.')
  }
  const { email = '', code = '' } = Object(read)
  return { email: textOf(email), code: textOf(code) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function fresh(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-store')
}

function missing(): Problem {
  return new Problem('not_found', 'There is no app with sign-in at this address.')
}
