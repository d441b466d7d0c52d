/**
 * The checkout page of an order, /pay/{token}: it leads the customer to the provider, or is the test page
 * of the built-in provider. /pay/{token}/return takes the customer back to the business.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as payments from '../../areas/payments/service.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { createSlidingWindow } from '../../kernel/limits/sliding-window.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { CheckoutUnknown } from '../../providers/checkout/checkout-contract.ts'
import { findLanguage } from '../html/language.ts'
import { hashAddress } from '../http/visitor-address.ts'
import { addCustomerPages } from './customer-routes.ts'
import { addLinks, languageOf, send, sendQr } from './link-routes.ts'
import {
  isPageOutcome,
  renderMessage,
  renderOutcome,
  renderTestPage,
  renderWaiting,
} from './pay-pages.ts'

const FORM_BYTES_MAX = 4_096
const WINDOW_MS = 60_000
const page = `${payments.CHECKOUT_PATH}/:token`

type PayRequest = FastifyRequest<{ Params: { token: string } }>

export function addPay(app: FastifyInstance, runtime: Runtime): void {
  const addresses = createSlidingWindow(runtime.clock, {
    limit: limits.checkout_requests_per_address_max,
    window_ms: WINDOW_MS,
  })
  // An encapsulated scope, because errors here are pages instead of problem documents.
  void app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendError(runtime, { error, request, reply }))
    scope.addHook('onRequest', async (request) => {
      const verdict = addresses.pass(hashAddress(request.ip))
      if (!verdict.allowed)
        throw new Problem('rate_limited', 'Too many requests for checkout pages.')
    })
    scope.get(page, (request: PayRequest, reply) => showPage(runtime, request, reply))
    scope.post(page, { bodyLimit: FORM_BYTES_MAX }, (request: PayRequest, reply) =>
      takeChoice(runtime, request, reply),
    )
    addLinks(scope, runtime)
    addCustomerPages(scope, runtime)
    scope.get(`${page}/${payments.QR_FILE}`, async (request: PayRequest, reply) => {
      const row = await payments.findByToken(runtime, request.params.token)
      return sendQr(reply, payments.createCheckoutUrl(runtime, row))
    })
    scope.get(`${page}/return`, (request: PayRequest, reply) => goBack(runtime, request, reply))
  })
}

async function showPage(runtime: Runtime, request: PayRequest, reply: FastifyReply) {
  const row = await payments.findByToken(runtime, request.params.token)
  const language = languageOf(request)
  const url = await payments.openPayment(runtime, row, findLanguage(request.headers))
  if (url !== null) return reply.redirect(url, 303)
  const is_open = row.status === 'open' && row.expires_at.getTime() > runtime.clock.now_ms()
  const again = findAgain(runtime, row)
  return send(reply, (is_open ? renderTestPage : renderOutcome)({ row, language, again }))
}

async function takeChoice(runtime: Runtime, request: PayRequest, reply: FastifyReply) {
  const { token } = request.params
  const row = await payments.findByToken(runtime, token)
  const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '')
  const outcome = form.get('outcome')
  if (!isPageOutcome(outcome)) throw new Problem('bad_request', 'The form names no outcome.')
  const calls_back = form.get('silent') !== 'yes'
  await payments.play(runtime, row, { outcome, calls_back })
  const back = `${payments.CHECKOUT_PATH}/${token}/return`
  // Without a callback the customer does not come back either, as after a closed window.
  if (!calls_back) return send(reply, renderWaiting({ row, language: languageOf(request) }, token))
  return reply.redirect(back, 303)
}

async function goBack(runtime: Runtime, request: PayRequest, reply: FastifyReply) {
  const { token } = request.params
  const row = await payments.returnFromPayment(runtime, token)
  const language = languageOf(request)
  const waits = row.status === 'open' && row.expires_at.getTime() > runtime.clock.now_ms()
  if (waits) return send(reply, renderWaiting({ row, language }, token))
  const is_paid = row.paid_at !== null || row.status === 'pending'
  const url = is_paid ? row.success_url : row.cancel_url
  if (url !== null) return reply.redirect(url, 303)
  return send(reply, renderOutcome({ row, language, again: findAgain(runtime, row) }))
}

function findAgain(runtime: Runtime, row: payments.OrderRow): string | null {
  const { payment_link_id: id, project_id } = row
  if (id === null || row.paid_at !== null || row.status === 'pending') return null
  return new URL(payments.createLinkUrl(runtime, { project_id, id })).pathname
}

interface Failure {
  error: unknown
  request: FastifyRequest
  reply: FastifyReply
}

function sendError(runtime: Runtime, { error, request, reply }: Failure): FastifyReply {
  const language = languageOf(request)
  if (error instanceof CheckoutUnknown) {
    runtime.log.warn({ err: error }, 'a checkout page could not be opened')
    return send(reply, renderMessage('broken', language))
  }
  if (error instanceof Problem) {
    const name = error.slug === 'rate_limited' ? 'busy' : 'not_found'
    return send(reply, renderMessage(error.slug === 'conflict' ? 'conflict' : name, language))
  }
  throw error
}
