/**
 * Development mailbox: the latest mails that HOMEPORT_MAIL=log wrote to the log, as they would look. A
 * mail may contain a sign-in code, so only this machine can read them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { renderMailHtml } from '../../providers/mail/mail-layout.ts'
import { listLoggedMails, type LoggedMail } from '../../providers/mail/mail.ts'
import { html, type Html } from '../html/html.ts'
import { renderPlainPage } from '../html/plain-page.ts'
import { isLoopbackRequest } from '../http/own-host.ts'

const ROOT = '/dev/mail'

const style = `
  body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark; overflow-wrap: anywhere; }
  li { margin: 0 0 .6rem; }
  iframe { width: 100%; height: 40rem; border: 1px solid #8888; border-radius: 8px; background: #fff; }
  pre { white-space: pre-wrap; padding: 1rem; border: 1px solid #8888; border-radius: 8px; }`

export function addDevelopmentMail(app: FastifyInstance, runtime: Runtime): void {
  if (runtime.config.mail.provider !== 'log') return
  app.get(ROOT, (request, reply) => {
    requireThisMachine(request)
    return sendPage(reply, { title: 'Mail', main: renderList(listLoggedMails(runtime)) })
  })
  app.get<{ Params: { reference: string } }>(`${ROOT}/:reference`, (request, reply) => {
    const mail = findMail(runtime, request)
    return sendPage(reply, { title: mail.subject, main: renderMail(mail) })
  })
  app.get<{ Params: { reference: string } }>(`${ROOT}/:reference/html`, (request, reply) =>
    reply
      .headers({
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      })
      .type('text/html; charset=utf-8')
      .send(renderMailHtml(findMail(runtime, request))),
  )
}

/** Throws not_found for other machines, so that they do not learn of the page. */
function requireThisMachine(request: FastifyRequest): void {
  if (!isLoopbackRequest(request)) throw new Problem('not_found', 'There is no such page.')
}

function findMail(
  runtime: Runtime,
  request: FastifyRequest<{ Params: { reference: string } }>,
): LoggedMail {
  requireThisMachine(request)
  const { reference } = request.params
  const mail = listLoggedMails(runtime).find((one) => one.reference === reference)
  if (mail) return mail
  throw new Problem('not_found', 'There is no mail with this reference, or it is too old.')
}

function sendPage(reply: FastifyReply, page: { title: string; main: Html }): FastifyReply {
  return reply
    .headers({
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'",
    })
    .type('text/html; charset=utf-8')
    .send(renderPlainPage({ language: 'en', ...page, style }))
}

function renderList(mails: readonly LoggedMail[]): Html {
  return html`<h1>Mail</h1>
    <p>The latest mails that this server wrote to its log instead of sending them.</p>
    ${mails.length === 0 && html`<p>There is none yet.</p>`}
    <ul>
      ${mails.map(
        ({ reference, subject, to, sent_at }) =>
          html`<li>
            <a href="${ROOT}/${reference}">${subject}</a><br />
            ${to}, ${sent_at.toISOString().slice(0, 16).replace('T', ' ')} UTC
          </li>`,
      )}
    </ul>`
}

function renderMail({ reference, subject, to, text }: LoggedMail): Html {
  return html`<p><a href="${ROOT}">All mails</a></p>
    <h1>${subject}</h1>
    <p>To ${to}</p>
    <iframe src="${ROOT}/${reference}/html" title="The mail as HTML" sandbox></iframe>
    <h2>Text</h2>
    <pre tabindex="0">${text}</pre>`
}
