/**
 * The payments that the simulated accounts of Stripe and Mollie share: their records, the page of the
 * payer, and callbacks. No money moves.
 */
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../../../kernel/values/typebox.ts'
import type { Outbound } from '../../../../kernel/outbound/outbound.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import * as records from '../../../../kernel/simulator-records.ts'
import { randomBase62 } from '../../../../kernel/values/ids.ts'
import { openProviderOutbound } from '../../../../providers/provider-outbound.ts'
import { html } from '../../../html/html.ts'
import { renderPlainPage } from '../../../html/plain-page.ts'
import type { SimulatedReply, SimulatedRequest } from '../simulator.ts'

const CALLBACK_MS_MAX = 5_000
const ID_CHARACTERS = 20

const Payment = Type.Object({
  id: Type.String(),
  key: Type.String(),
  order_id: Type.String(),
  amount_cents: Type.Integer(),
  description: Type.String(),
  return_url: Type.String(),
  callback_url: Type.String(),
  state: Type.Enum(['open', 'pending', 'paid', 'failed', 'expired', 'canceled']),
  refunds: Type.Array(Type.Object({ id: Type.String(), cents: Type.Integer() })),
  charged_back: Type.Boolean(),
  /** Set if the payment method is kept; whether later charges with it succeed. */
  customer: Type.Union([Type.String(), Type.Null()]),
})
export type SimulatedPayment = Static<typeof Payment>

/** Makes a payment once for each idempotency key. */
export async function insertPayment(
  runtime: Runtime,
  simulator: string,
  {
    idempotency_key,
    ...given
  }: Partial<SimulatedPayment> & { id: string; idempotency_key: string },
): Promise<SimulatedPayment> {
  const blank = { refunds: [], charged_back: false, customer: null, state: 'open' } as const
  const record = { key: '', order_id: '', description: '', return_url: '', callback_url: '' }
  const payment = schemaChecks().Parse(Payment, { ...record, ...blank, amount_cents: 0, ...given })
  const alias = { simulator, id: `key:${idempotency_key}`, record: payment.id }
  if (idempotency_key !== '' && !(await records.insertRecord(runtime, alias))) {
    const known = await records.findRecord(runtime, simulator, alias.id)
    const first = await findPayment(runtime, simulator, String(known?.record))
    if (first) return first
  }
  await records.insertRecord(runtime, { simulator, id: payment.id, record: payment })
  return payment
}

export async function findPayment(
  runtime: Runtime,
  simulator: string,
  id: string,
): Promise<SimulatedPayment | null> {
  const found = await records.findRecord(runtime, simulator, id)
  return found && schemaChecks().Check(Payment, found.record) ? found.record : null
}

export async function listPayments(
  runtime: Runtime,
  simulator: string,
): Promise<SimulatedPayment[]> {
  const rows = await records.listRecords(runtime, simulator)
  return rows.flatMap(({ record }) => (schemaChecks().Check(Payment, record) ? [record] : []))
}

export function keepPayment(runtime: Runtime, simulator: string, record: SimulatedPayment) {
  return records.updateRecord(runtime, { simulator, id: record.id, record })
}

export function newSimulatedId(prefix: string): string {
  return `${prefix}_${randomBase62(ID_CHARACTERS)}`
}

const outcomes = ['paid', 'pending', 'failed', 'expired', 'canceled', 'charged_back'] as const
type Callback = (payment: SimulatedPayment) => Promise<void>

/** The page of the payer; `silent` sends no callback, and `early` waits for it before the redirect. */
export async function answerPayer(
  runtime: Runtime,
  simulator: string,
  { request, call }: { request: SimulatedRequest; call: Callback },
): Promise<SimulatedReply | null> {
  const id = /^\/pay\/(\w+)$/.exec(request.path)?.[1]
  const payment = id === undefined ? null : await findPayment(runtime, simulator, id)
  if (!payment) return null
  const form = new URLSearchParams(request.body)
  const chosen = outcomes.find((outcome) => outcome === form.get('outcome'))
  if (request.method !== 'POST' || chosen === undefined) return showPage(payment)
  const is_back = chosen === 'charged_back'
  await keepPayment(runtime, simulator, {
    ...payment,
    state: is_back ? payment.state : chosen,
    charged_back: payment.charged_back || is_back,
  })
  if (form.get('silent') !== 'yes') await call(payment)
  return { to: payment.return_url }
}

function showPage({ amount_cents, description }: SimulatedPayment): SimulatedReply {
  const title = `Pay € ${(amount_cents / 100).toFixed(2)}`
  const main = html`<h1>${title}</h1>
    <p>${description}. This is a simulated provider: no money moves.</p>
    <form method="post">
      ${outcomes.map((name) => html`<button name="outcome" value="${name}">${name}</button> `)}
      <label><input type="checkbox" name="silent" value="yes" /> no callback</label>
    </form>`
  return { status: 200, page: renderPlainPage({ language: 'en', title, main, style: '' }) }
}

const outbounds = new WeakMap<Runtime['metrics'], Outbound>()

/** Sends a callback once; this server reads the payment again by itself if it is lost. */
export async function sendCallback(
  runtime: Runtime,
  { url, headers, body }: { url: string; headers: Record<string, string>; body: string },
): Promise<void> {
  const { metrics, config, log } = runtime
  const outbound = outbounds.get(metrics) ?? openProviderOutbound(config, true)
  outbounds.set(metrics, outbound)
  try {
    await outbound.request({ url, method: 'POST', headers, body, deadline_ms: CALLBACK_MS_MAX })
  } catch (error) {
    log.warn({ err: error }, 'a simulated payment provider could not deliver a callback')
  }
}
