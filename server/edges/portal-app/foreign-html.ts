/**
 * POST /portal/app/foreign-html answers with the HTML of its form field `html`, for a frame of the
 * portal that shows HTML of somebody else, such as an email. The answer has a policy of its own,
 * because a frame with `srcdoc` has that of the portal: no scripts, forms or resources of other
 * hosts, and styles inside the HTML.
 */
import type { FastifyInstance } from 'fastify'
import * as people from '../../areas/people/service.ts'
import { limits } from '../../contract/limits.ts'
import { Problem } from '../../contract/errors.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { portalCookies } from '../portal/cookies.ts'
import { requireSameSite } from '../portal/same-site.ts'

/** URL encoding writes a character as up to 12 bytes. */
const FORM_BYTES_MAX = 12 * limits.email_text_characters_max + 1_000

const headers = {
  'Content-Security-Policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

export function addForeignHtml(app: FastifyInstance, runtime: Runtime): void {
  const cookies = portalCookies(runtime)
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.post('/portal/app/foreign-html', async (request, reply) => {
      requireSameSite(runtime, request)
      const secret = cookies.read(request, 'session')
      const who = await people.authenticateSession(runtime, 'portal', secret)
      if (who === null) throw new Problem('unauthorized', 'Sign in to the portal first.')
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      return reply
        .headers(headers)
        .type('text/html; charset=utf-8')
        .send(form.get('html') ?? '')
    })
  })
}
