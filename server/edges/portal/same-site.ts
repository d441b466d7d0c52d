/**
 * Forms are taken only from our own pages (cross-site request forgery). Browsers say where a form
 * comes from, in Sec-Fetch-Site and Origin; one that says another place, or hides it, is refused.
 * What says neither is no browser, and holds no cookie that somebody else could make use of.
 */
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import type { Runtime } from '../../kernel/runtime.ts'

export function requireSameSite(runtime: Runtime, { headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  const isOurs = site === undefined || site === 'same-origin' || site === 'none'
  if (isOurs && isOwnOrigin(runtime, headers)) return
  throw new Problem('forbidden', 'This form was sent from another site, so nothing was done.', {
    user_message: 'This form came from another page than ours, so nothing was done.',
    next_step: 'Send it from a page of the portal itself.',
  })
}

/** A proxy may send another host than the browser used; then the public address counts. */
function isOwnOrigin(runtime: Runtime, { origin, host }: FastifyRequest['headers']): boolean {
  if (origin === undefined) return true
  const public_origin = URL.parse(runtime.config.public_url)?.origin
  return origin === public_origin || (host !== undefined && URL.parse(origin)?.host === host)
}
