/**
 * The forms of the subscription by mail. The reply to a request is the same for each address, and is
 * written before anything is known about the address.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as status from '../../areas/status/service.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { createSlidingWindow, type RateDecision } from '../../kernel/limits/sliding-window.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { html } from '../html/html.ts'
import { findNetwork } from '../http/visitor-address.ts'
import { HTML, setSecurityHeaders, renderMessage, STATUS_PATH } from './frame.ts'
import { chooseLanguage, pickAccepted } from '../html/language.ts'
import { pageTexts } from './texts.ts'

const FORM_BYTES_MAX = 4_096
const HOUR_MS = 3_600_000

interface Message {
  title: string
  text: string
  more?: ReturnType<typeof html>
}

export function addSubscriptions(app: FastifyInstance, runtime: Runtime): void {
  addAsking(app, runtime)
  addLink(app, runtime, {
    purpose: 'confirm',
    use: status.confirmSubscription,
    ask: ({ confirm_title, confirm_about, confirm }) => [confirm_title, confirm_about, confirm],
    done: ({ confirmed_title, confirmed }) => [confirmed_title, confirmed],
  })
  addLink(app, runtime, {
    purpose: 'unsubscribe',
    use: status.unsubscribe,
    ask: ({ leave_title, leave_about, leave }) => [leave_title, leave_about, leave],
    done: ({ left_title, left }) => [left_title, left],
  })
}

function addAsking(app: FastifyInstance, runtime: Runtime): void {
  const window_ms = HOUR_MS
  const { status_subscriptions_per_network_max, status_subscriptions_per_hour_max } = limits
  const network = createSlidingWindow(runtime.clock, {
    limit: status_subscriptions_per_network_max,
    window_ms,
  })
  const total = createSlidingWindow(runtime.clock, {
    limit: status_subscriptions_per_hour_max,
    window_ms,
  })
  app.post(`${STATUS_PATH}/subscribe`, async (request, reply) => {
    const form = readForm(request)
    const language = chooseLanguage(form.get('lang'), pickAccepted(request.headers))
    const t = pageTexts[language]
    if (!status.canSubscribe(runtime) || !status.hasOwnPage(runtime.config)) {
      throw new Problem('not_found', 'This installation sends no mail.')
    }
    // Refused requests are not counted in the total, so that one network cannot use it up.
    const of_network = network.pass(findNetwork(request.ip))
    if (!of_network.allowed) return sendTooMany(reply, language, of_network)
    const email = status.readAddress(form.get('email') ?? '')
    if (email === null) {
      return send(reply.code(422), language, { title: t.failed_title, text: t.bad_address })
    }
    const of_all = total.pass('all')
    if (!of_all.allowed) return sendTooMany(reply, language, of_all)
    await status.subscribe(runtime, { email, language })
    return send(reply.code(202), language, { title: t.asked_title, text: t.asked })
  })
}

type Texts = (typeof pageTexts)['en']

interface LinkPage {
  purpose: status.LinkPurpose
  use(runtime: Runtime, token: string): Promise<boolean>
  /** Title, text and button. */
  ask(t: Texts): readonly [string, string, string]
  done(t: Texts): readonly [string, string]
}

/** A GET changes nothing, because mail scanners follow links. A POST also is the one click of RFC 8058. */
function addLink(app: FastifyInstance, runtime: Runtime, page: LinkPage): void {
  const path = `${STATUS_PATH}/${page.purpose}`
  app.get(path, async (request, reply) => {
    const token = tokenOf(request.query)
    const language = languageOf(request)
    const t = pageTexts[language]
    if (status.readToken(runtime, page.purpose, token) === null) return sendBadLink(reply, language)
    const [title, text, button] = page.ask(t)
    const more = html`<form method="post" action="${path}">
      <input type="hidden" name="token" value="${token}" />
      <input type="hidden" name="lang" value="${language}" />
      <button type="submit">${button}</button>
    </form>`
    return send(reply, language, { title, text, more })
  })
  app.post(path, async (request, reply) => {
    const form = readForm(request)
    const token = form.get('token') ?? tokenOf(request.query)
    const language = chooseLanguage(form.get('lang'), pickAccepted(request.headers))
    if (!(await page.use(runtime, token))) return sendBadLink(reply, language)
    const [title, text] = page.done(pageTexts[language])
    return send(reply, language, { title, text })
  })
}

function tokenOf(query: unknown): string {
  const { token } = Object(query)
  return typeof token === 'string' ? token : ''
}

function languageOf({ query, headers }: FastifyRequest): status.PageLanguage {
  return chooseLanguage(Object(query).lang, pickAccepted(headers))
}

function readForm({ body }: FastifyRequest): URLSearchParams {
  if (!Buffer.isBuffer(body)) return new URLSearchParams()
  if (body.length > FORM_BYTES_MAX) {
    throw new Problem('bad_request', `A form has at most ${FORM_BYTES_MAX} bytes.`)
  }
  return new URLSearchParams(body.toString())
}

function sendTooMany(
  reply: FastifyReply,
  language: status.PageLanguage,
  { retry_after_s }: RateDecision,
): FastifyReply {
  const t = pageTexts[language]
  reply.code(429).header('Retry-After', String(retry_after_s))
  return send(reply, language, { title: t.failed_title, text: t.too_many })
}

function sendBadLink(reply: FastifyReply, language: status.PageLanguage): FastifyReply {
  const t = pageTexts[language]
  return send(reply.code(404), language, { title: t.bad_link_title, text: t.bad_link })
}

function send(reply: FastifyReply, language: status.PageLanguage, message: Message): FastifyReply {
  return setSecurityHeaders(reply).type(HTML).send(renderMessage(language, message))
}
