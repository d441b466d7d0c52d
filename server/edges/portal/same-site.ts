/**
 * Accepts forms from pages of this origin only (cross-site request forgery). Browsers state the
 * origin of a form in Sec-Fetch-Site and Origin; a form with a foreign or opaque origin is refused.
 * A request with neither header is not from a browser, so it carries no cookie that another site
 * could abuse.
 */
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import type { Runtime } from '../../kernel/runtime.ts'

export function requireSameSite(runtime: Runtime, request: FastifyRequest): void {
  const { headers } = request
  const site = headers['sec-fetch-site']
  const isOurs = site === undefined || site === 'same-origin' || site === 'none'
  if (isOurs && isOwnOrigin(runtime, request)) return
  throw new Problem('forbidden', 'This form was sent from another site, so nothing was done.', {
    user_message: 'This form was sent from another site, so nothing was done.',
    next_step: 'Send it from a page of the portal.',
  })
}

/**
 * Whether the origin belongs to this server. A proxy may send another Host than the browser did;
 * then the origin of the public URL counts. Another scheme is another origin.
 */
function isOwnOrigin(runtime: Runtime, { headers, protocol }: FastifyRequest): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  const public_origin = URL.parse(runtime.config.public_url)?.origin
  return origin === public_origin || origin === `${protocol}://${host}`
}
