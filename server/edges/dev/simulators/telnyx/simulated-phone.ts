/** GET /dev/phone: the verification codes that the simulated carrier sent, for this machine only. */
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../../../contract/errors.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import { html } from '../../../html/html.ts'
import { renderPlainPage } from '../../../html/plain-page.ts'
import { isLoopbackRequest } from '../../../http/own-host.ts'
import { listSentCodes } from './telnyx-codes.ts'

const style = `
  body { margin: 2rem auto; max-width: 40rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark; }
  li { margin: 0 0 .8rem; } code { font-size: 1.3rem; letter-spacing: .1em; }`

export function addSimulatedPhone(app: FastifyInstance, runtime: Runtime): void {
  app.get('/dev/phone', async (request, reply) => {
    if (!isLoopbackRequest(request)) throw new Problem('not_found', 'There is no such page.')
    const codes = await listSentCodes(runtime)
    const main = html`<h1>Phone</h1>
      <p>The latest verification codes that the simulated carrier sent.</p>
      ${codes.length === 0 && html`<p>There is none yet.</p>`}
      <ul>
        ${codes.map(
          ({ to, code, channel, sent_at }) =>
            html`<li>
              <code>${code}</code><br />${channel === 'call' ? 'Call' : 'Text message'} to ${to},
              ${sent_at.toISOString().slice(0, 16).replace('T', ' ')} UTC
            </li>`,
        )}
      </ul>`
    return reply
      .headers({ 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'" })
      .type('text/html; charset=utf-8')
      .send(renderPlainPage({ language: 'en', title: 'Phone', main, style }))
  })
}
