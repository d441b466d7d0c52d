/** Pages that customers open from a mail: the PDF of an invoice, and their subscription. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as payments from '../../areas/payments/service.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { html } from '../html/html.ts'
import type { PageLanguage } from '../html/language.ts'
import { languageOf, send } from './link-routes.ts'
import { formatMoney, render, type PayPage } from './pay-pages.ts'
import { payTexts } from './pay-texts.ts'

const FORM_BYTES_MAX = 1_024
const page = `${payments.SUBSCRIPTION_PATH}/:token`

type TokenRequest = FastifyRequest<{ Params: { token: string } }>

export function addCustomerPages(scope: FastifyInstance, runtime: Runtime): void {
  scope.get(`${payments.INVOICE_PATH}/:token`, (request: TokenRequest, reply) =>
    sendInvoice(runtime, request, reply),
  )
  scope.get(page, async (request: TokenRequest, reply) => {
    const opened = await payments.findSubscriptionByToken(runtime, request.params.token)
    const timezone = runtime.config.billing_timezone
    return send(reply, renderSubscription(opened, { language: languageOf(request), timezone }))
  })
  scope.post(page, { bodyLimit: FORM_BYTES_MAX }, async (request: TokenRequest, reply) => {
    const { token } = request.params
    await payments.cancelByToken(runtime, token)
    return reply.redirect(`${payments.SUBSCRIPTION_PATH}/${token}`, 303)
  })
}

async function sendInvoice(runtime: Runtime, request: TokenRequest, reply: FastifyReply) {
  const opened = await payments.findInvoiceByToken(runtime, request.params.token)
  const timezone = runtime.config.billing_timezone
  const pdf = await payments.drawInvoice(opened, { language: languageOf(request), timezone })
  return reply
    .type('application/pdf')
    .headers({
      'Content-Disposition': `inline; filename="${opened.invoice.kind}-${opened.invoice.number}.pdf"`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    })
    .send(pdf)
}

interface Place {
  language: PageLanguage
  timezone: string
}

function renderSubscription(
  { subscription, business, orders }: payments.OpenedSubscription,
  place: Place,
): PayPage {
  const { language } = place
  const t = payTexts[language]
  const { description, amount_cents, every, next_at, ended_at, status } = subscription
  const next = next_at && t.subscription_next(formatDay(next_at, place))
  const waiting = status === 'past_due' ? t.subscription_past_due : (next ?? t.subscription_pending)
  const lines = orders.map(
    (order) =>
      html`<li>
        <span>${formatDay(order.created_at, place)}: ${t.subscription_states[order.status]}</span>
        <span>${formatMoney(order.amount_cents, language)}</span>
      </li>`,
  )
  const main = html`<p class="note">${business}</p>
    <h1>${description}</h1>
    <div class="total">
      <span>${t.subscription_periods[every]}</span>
      <span>${formatMoney(amount_cents, language)}</span>
    </div>
    <p>${ended_at === null ? waiting : t.subscription_ended}</p>
    <h2>${t.subscription_orders}</h2>
    <ul>
      ${lines}
    </ul>
    ${
      ended_at === null &&
      html`<details>
        <summary>${t.subscription_cancel}</summary>
        <form method="post">
          <p class="note">${t.subscription_cancel_about}</p>
          <button>${t.subscription_cancel}</button>
        </form>
      </details>`
    }`
  return render({ status: 200, language, title: description, main, origins: [] })
}

function formatDay(day: Date, { language, timezone }: Place): string {
  const locale = language === 'nl' ? 'nl-NL' : 'en-IE'
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: timezone }).format(day)
}
