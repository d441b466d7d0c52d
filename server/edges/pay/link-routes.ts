/** The page of a payment link, /pay/link/{token}, and its QR code. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as payments from '../../areas/payments/service.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { createSlidingWindow } from '../../kernel/limits/sliding-window.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { chooseLanguage, type PageLanguage } from '../html/language.ts'
import { hashAddress } from '../http/visitor-address.ts'
import { readLinkAmount, renderLink, type LinkForm } from './link-page.ts'
import { renderOutcome, type PayPage } from './pay-pages.ts'

const FORM_BYTES_MAX = 4_096
const WINDOW_MS = 60_000
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,180}\.[^\s@]{2,60}$/
const page = `${payments.LINK_PATH}/:token`

type LinkRequest = FastifyRequest<{ Params: { token: string } }>

export function addLinks(scope: FastifyInstance, runtime: Runtime): void {
  const addresses = createSlidingWindow(runtime.clock, {
    limit: limits.payment_link_orders_per_address_max,
    window_ms: WINDOW_MS,
  })
  scope.get(page, (request: LinkRequest, reply) => showLink(runtime, request, reply))
  scope.post(page, { bodyLimit: FORM_BYTES_MAX }, (request: LinkRequest, reply) => {
    if (!addresses.pass(hashAddress(request.ip)).allowed) {
      throw new Problem('rate_limited', 'Too many orders by payment links from this address.')
    }
    return takeForm(runtime, request, reply)
  })
  scope.get(`${page}/${payments.QR_FILE}`, async (request: LinkRequest, reply) => {
    const { link } = await payments.findLinkByToken(runtime, request.params.token)
    return sendQr(reply, payments.createLinkUrl(runtime, link))
  })
}

/** The QR code of a page. */
export function sendQr(reply: FastifyReply, url: string): FastifyReply {
  return reply
    .type('image/svg+xml')
    .headers({ 'Content-Security-Policy': "default-src 'none'; sandbox" })
    .send(payments.renderQr(url))
}

async function showLink(runtime: Runtime, request: LinkRequest, reply: FastifyReply) {
  const opened = await payments.findLinkByToken(runtime, request.params.token)
  const language = languageOf(request)
  const { order } = opened
  if (order?.status === 'open') {
    return reply.redirect(pathOf(runtime, order), 303)
  }
  if (order !== null) return send(reply, renderOutcome({ row: order, language }))
  return send(reply, renderLink({ opened, language }))
}

async function takeForm(runtime: Runtime, request: LinkRequest, reply: FastifyReply) {
  const opened = await payments.findLinkByToken(runtime, request.params.token)
  const language = languageOf(request)
  const form = readForm(request.body, opened)
  if (!opened.is_open || form.faults.length > 0) {
    return send(reply, renderLink({ opened, language, form }))
  }
  const order = await payments.orderByLink(runtime, opened, {
    amount_cents: readLinkAmount(form.amount),
    name: form.name || null,
    email: form.email || null,
  })
  return reply.redirect(pathOf(runtime, order), 303)
}

/** Without the origin: a form may not lead to another one, and the page can have several names. */
function pathOf(runtime: Runtime, order: payments.OrderRow): string {
  return new URL(payments.createCheckoutUrl(runtime, order)).pathname
}

function readForm(body: unknown, { link }: payments.OpenedLink): LinkForm {
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : '')
  const textOf = (name: string) =>
    (form.get(name) ?? '')
      .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
      .trim()
      .slice(0, 200)
  const [amount, name, email] = [textOf('amount'), textOf('name'), textOf('email')]
  const faults: LinkForm['faults'][number][] = []
  if (link.amount_cents === null && readLinkAmount(amount) === null) faults.push('amount')
  if (email !== '' && !EMAIL.test(email)) faults.push('email')
  return { amount, name, email, faults }
}

export function languageOf({ headers }: FastifyRequest): PageLanguage {
  return chooseLanguage(undefined, headers)
}

export function send(reply: FastifyReply, { status, policy, text }: PayPage): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    })
    .send(text)
}
