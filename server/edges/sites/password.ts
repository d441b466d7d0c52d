/**
 * POST /_homeport/password at the host of a site, which needs no script. The correct password sets
 * a cookie and redirects to the requested page of the same site; a wrong one shows the form again.
 * Attempts are limited by address and by site.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServedSite } from '../../areas/sites/service.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { localPath } from '../../kernel/values/local-path.ts'
import { verifyPassword } from '../../kernel/secrets/passwords.ts'
import { NoSlot } from '../../kernel/limits/slots.ts'
import { createSlidingWindow } from '../../kernel/limits/sliding-window.ts'
import { hashAddress } from '../http/visitor-address.ts'
import type { SitesHandler } from './sites-handler.ts'
import { createNotice, PASSWORD_PATH, type NoticeOptions } from './notices.ts'
import type { NoticeName } from './wording.ts'

const WINDOW_MS = 60_000
const FORM_BYTES_MAX = 8_192
const RETRY_AFTER_S = 2

export function addSitePassword(app: FastifyInstance, runtime: Runtime, sites: SitesHandler): void {
  const windowOf = (limit: number) =>
    createSlidingWindow(runtime.clock, { limit, window_ms: WINDOW_MS })
  const ofAddress = windowOf(limits.site_password_tries_per_address_max)
  const ofSite = windowOf(limits.site_password_tries_max)

  /** Returns the seconds until the next attempt is allowed; 0 means now. */
  function waitFor(site: ServedSite, request: FastifyRequest): number {
    const own = ofAddress.pass(`${site.id} ${hashAddress(request.ip)}`)
    if (!own.allowed) return own.retry_after_s
    const all = ofSite.pass(site.id)
    return all.allowed ? 0 : all.retry_after_s
  }

  async function tried(site: ServedSite, request: FastifyRequest, reply: FastifyReply) {
    const form = new URLSearchParams(String(request.body ?? ''))
    const to = pathHere(form.get('to') ?? '/')
    if (site.password_hash === null) return reply.redirect(to, 303)
    const retry_after_s = waitFor(site, request)
    if (retry_after_s > 0) return sendNotice(reply, 'wait', { retry_after_s })
    const password = form.get('password') ?? ''
    const is_right = await verifyPassword(password, site.password_hash, {
      room: 'sites',
      id: site.project_id,
    })
    if (!is_right) return sendNotice(reply, 'wrong', { to })
    return reply.header('Set-Cookie', sites.gate.cookieFor(site)).redirect(to, 303)
  }

  app.addHook('preClose', async () => sites.close())
  app.post(PASSWORD_PATH, {
    bodyLimit: FORM_BYTES_MAX,
    errorHandler: (error, _request, reply) => {
      const busy = error instanceof NoSlot
      if (!busy && Number(error.statusCode ?? 500) < 500) return sendNotice(reply, 'wrong', {})
      if (!busy) runtime.log.warn({ err: error }, 'a password of a site could not be checked')
      return sendNotice(reply, 'unavailable', { retry_after_s: RETRY_AFTER_S })
    },
    handler: async (request, reply) => {
      const entry = await sites.entryOf(request.raw)
      if (entry === null) return reply.callNotFound()
      if (entry.site === null) return sendNotice(reply, 'nowhere', {})
      if (entry.layout === null) return sendNotice(reply, 'offline', {})
      return tried(entry.site, request, reply)
    },
  })
}

/** Returns the path to return to: a path of this site, or `/` for any other text. */
function pathHere(text: string): string {
  const [path = '/'] = localPath(text)?.split('#', 1) ?? []
  return path.split('?', 1)[0] === PASSWORD_PATH ? '/' : path
}

function sendNotice(
  reply: FastifyReply,
  name: NoticeName,
  options: Omit<NoticeOptions, 'languages'>,
): FastifyReply {
  const languages = reply.request.headers['accept-language']
  const { status, fields, body } = createNotice(name, { languages, ...options })
  for (let at = 0; at < fields.length; at += 2) reply.header(fields[at]!, fields[at + 1])
  return reply.code(status).send(body)
}
