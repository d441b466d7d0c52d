/**
 * A simulated Stripe account of a project: Checkout Sessions, PaymentIntents, refunds, the account and
 * signed callbacks. The Stripe of top-ups is another simulator, because it is an account of the server.
 */
import type { Runtime } from '../../../../kernel/runtime.ts'
import * as records from '../../../../kernel/simulator-records.ts'
import { signStripeCallback } from '../../../../providers/checkout/stripe-callback.ts'
import type { SimulatedReply, SimulatedRequest, Simulator } from '../simulator.ts'
import {
  answerPayer,
  findPayment,
  insertPayment,
  keepPayment,
  newSimulatedId,
  sendCallback,
  type SimulatedPayment,
} from './simulated-payments.ts'

const NAME = 'stripe-accounts'
/** What a payment by iDEAL leaves for later charges; its own method works once. */
const DEBIT = 'pm_simulated_debit'

export const stripeAccountSimulator: Simulator = {
  name: NAME,
  async answer(runtime, request) {
    const call = (payment: SimulatedPayment) => callBack(runtime, payment)
    return (await answerPayer(runtime, NAME, { request, call })) ?? answerKey(runtime, request)
  },
}

interface Endpoint {
  id: string
  url: string
  secret: string
}

async function callBack(runtime: Runtime, payment: SimulatedPayment): Promise<void> {
  const found = await records.findRecord(runtime, NAME, `endpoint:${payment.key}`)
  if (!found) return
  const { url, secret }: Endpoint = JSON.parse(String(found.record))
  const now = (await findPayment(runtime, NAME, payment.id)) ?? payment
  const is_charge = now.charged_back
  const object = is_charge
    ? { id: newSimulatedId('dp'), object: 'dispute', payment_intent: intentId(now.id) }
    : // Events have ids where a request could expand them.
      { ...show(runtime, now), payment_intent: intentId(now.id) }
  const type = is_charge ? 'charge.dispute.created' : 'checkout.session.completed'
  const body = JSON.stringify({
    id: newSimulatedId('evt'),
    object: 'event',
    type,
    data: { object },
  })
  const time = String(Math.floor(runtime.clock.now_ms() / 1000))
  const signature = `t=${time},v1=${signStripeCallback({ body, secret, time })}`
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  await sendCallback(runtime, { url, headers, body })
}

const intentId = (session_id: string) => session_id.replace(/^cs_/, 'pi_')
const sessionId = (intent_id: string) => intent_id.replace(/^pi_/, 'cs_')

async function answerKey(runtime: Runtime, request: SimulatedRequest): Promise<SimulatedReply> {
  const key = /^Bearer ((?:sk|rk)_\w{8,})$/.exec(request.headers['authorization'] ?? '')?.[1]
  if (key === undefined) return fault(401, 'Invalid API Key provided')
  const form = new URLSearchParams(request.method === 'POST' ? request.body : '')
  const asked = { form, key, idempotency_key: request.headers['idempotency-key'] ?? '' }
  switch (`${request.method} ${request.path}`) {
    case 'GET /v1/account':
      return { status: 200, json: accountOf(key) }
    case 'POST /v1/webhook_endpoints':
      return addEndpoint(runtime, key, form.get('url') ?? '')
    case 'POST /v1/checkout/sessions':
      return createSession(runtime, asked)
    case 'POST /v1/payment_intents':
      return charge(runtime, asked)
    case 'POST /v1/refunds':
      return refund(runtime, asked)
    default:
      return (await answerList(runtime, request, key)) ?? answerId(runtime, request.path, key)
  }
}

async function answerList(
  runtime: Runtime,
  { method, path, query }: SimulatedRequest,
  key: string,
) {
  // A new endpoint of a key takes the place of the one before.
  if (method === 'DELETE') return { status: 200, json: { deleted: true } }
  if (path === '/v1/webhook_endpoints') return listEndpoints(runtime, key)
  if (path === '/v1/checkout/sessions') {
    const id = sessionId(query.get('payment_intent') ?? '')
    return { status: 200, json: { object: 'list', data: [{ id }] } }
  }
  if (path === '/v1/refunds') return listRefunds(runtime, query.get('payment_intent') ?? '')
  return null
}

async function answerId(runtime: Runtime, path: string, key: string): Promise<SimulatedReply> {
  const [, session, intent, part] =
    /^\/v1\/(?:checkout\/sessions\/(\w+)|payment_intents\/(\w+))(\/expire)?$/.exec(path) ?? []
  if (part !== undefined) return expire(runtime, { id: session, key })
  if (session !== undefined) {
    return answerOne(runtime, { id: session, key }, (payment) => show(runtime, payment))
  }
  return answerOne(runtime, { id: sessionId(intent ?? ''), key }, intentOf)
}

function accountOf(key: string): object {
  const is_new = key.includes('unverified')
  return {
    object: 'account',
    charges_enabled: !is_new,
    payouts_enabled: !is_new,
    capabilities: { card_payments: is_new ? 'pending' : 'active', ideal_payments: 'active' },
    requirements: { currently_due: is_new ? ['external_account'] : [] },
  }
}

async function listEndpoints(runtime: Runtime, key: string): Promise<SimulatedReply> {
  const found = await records.findRecord(runtime, NAME, `endpoint:${key}`)
  const data: Endpoint[] = found ? [JSON.parse(String(found.record))] : []
  return { status: 200, json: { object: 'list', data: data.map(({ id, url }) => ({ id, url })) } }
}

async function listRefunds(runtime: Runtime, intent_id: string): Promise<SimulatedReply> {
  const payment = await findPayment(runtime, NAME, sessionId(intent_id))
  return { status: 200, json: { object: 'list', data: (payment?.refunds ?? []).map(refundOf) } }
}

const refundOf = ({ id }: { id: string }) => ({
  id: `re_${id.replaceAll('-', '')}`,
  status: 'succeeded',
  metadata: { refund_id: id },
})

async function addEndpoint(runtime: Runtime, key: string, url: string): Promise<SimulatedReply> {
  const secret = newSimulatedId('whsec')
  const id = newSimulatedId('we')
  const record = JSON.stringify({ id, url, secret })
  const place = { simulator: NAME, id: `endpoint:${key}`, record }
  if (!(await records.insertRecord(runtime, place))) await records.updateRecord(runtime, place)
  return { status: 200, json: { id, object: 'webhook_endpoint', url, secret } }
}

interface Asked {
  form: URLSearchParams
  key: string
  idempotency_key: string
}

async function createSession(runtime: Runtime, { form, ...place }: Asked): Promise<SimulatedReply> {
  const price = 'line_items[0][price_data]'
  const amount_cents = Number(form.get(`${price}[unit_amount]`))
  if (!(amount_cents >= 50) || form.get(`${price}[currency]`) !== 'eur') {
    return fault(400, 'The Checkout Session total amount must be at least €0.50.')
  }
  const keeps = form.get('payment_intent_data[setup_future_usage]') === 'off_session'
  const payment = await insertPayment(runtime, NAME, {
    ...place,
    id: newSimulatedId('cs'),
    amount_cents,
    order_id: form.get('client_reference_id') ?? '',
    description: form.get(`${price}[product_data][name]`) ?? '',
    return_url: form.get('success_url') ?? '',
    customer: keeps ? newSimulatedId('cus') : null,
  })
  return { status: 200, json: show(runtime, payment) }
}

async function charge(runtime: Runtime, { form, ...place }: Asked): Promise<SimulatedReply> {
  const customer = form.get('customer')
  const is_poor = form.get('payment_method') !== DEBIT
  if (form.get('automatic_payment_methods[allow_redirects]') !== 'never') {
    return fault(400, 'A return_url is required for methods that redirect.')
  }
  const payment = await insertPayment(runtime, NAME, {
    ...place,
    id: newSimulatedId('cs'),
    amount_cents: Number(form.get('amount')),
    order_id: form.get('metadata[order_id]') ?? '',
    customer,
    state: is_poor ? 'failed' : 'paid',
  })
  if (!is_poor) return { status: 200, json: intentOf(payment) }
  const error = { type: 'card_error', code: 'card_declined', payment_intent: intentOf(payment) }
  return { status: 402, json: { error } }
}

async function refund(runtime: Runtime, asked: Asked): Promise<SimulatedReply> {
  const { form, key } = asked
  const cents = Number(form.get('amount'))
  const id = form.get('metadata[refund_id]') ?? ''
  const payment = await findPayment(runtime, NAME, sessionId(form.get('payment_intent') ?? ''))
  if (!payment || payment.key !== key) return fault(404, 'No such payment_intent')
  const is_known = payment.refunds.some((one) => one.id === id)
  if (!is_known && (payment.state !== 'paid' || sumOf(payment) + cents > payment.amount_cents)) {
    return fault(400, 'Refund amount is greater than unrefunded amount on charge')
  }
  const refunds = is_known ? payment.refunds : [...payment.refunds, { id, cents }]
  await keepPayment(runtime, NAME, { ...payment, refunds })
  return { status: 200, json: refundOf({ id }) }
}

interface One {
  id: string | undefined
  key: string
}

async function answerOne(
  runtime: Runtime,
  { id = '', key }: One,
  present: (payment: SimulatedPayment) => object,
): Promise<SimulatedReply> {
  const payment = await findPayment(runtime, NAME, id)
  // A session of another account is unknown.
  if (!payment || payment.key !== key) return fault(404, `No such checkout.session: '${id}'`)
  return { status: 200, json: present(payment) }
}

async function expire(runtime: Runtime, { id = '', key }: One): Promise<SimulatedReply> {
  const payment = await findPayment(runtime, NAME, id)
  if (payment?.state !== 'open' || payment.key !== key) {
    return fault(400, 'Only Checkout Sessions with a status in ["open"] can be expired.')
  }
  await keepPayment(runtime, NAME, { ...payment, state: 'expired' })
  return { status: 200, json: show(runtime, { ...payment, state: 'expired' }) }
}

const sumOf = ({ refunds }: SimulatedPayment) => refunds.reduce((sum, { cents }) => sum + cents, 0)

function show({ config }: Runtime, payment: SimulatedPayment): object {
  const { id, state, order_id, amount_cents, return_url } = payment
  const is_open = state === 'open' || state === 'canceled'
  return {
    id,
    object: 'checkout.session',
    url: is_open ? `${config.simulators_url}/${NAME}/pay/${id}` : null,
    status: is_open ? 'open' : state === 'expired' ? 'expired' : 'complete',
    payment_status: state === 'paid' ? 'paid' : 'unpaid',
    amount_total: amount_cents,
    currency: 'eur',
    client_reference_id: order_id,
    success_url: return_url,
    payment_intent: is_open || state === 'expired' ? null : intentOf(payment),
  }
}

function intentOf(payment: SimulatedPayment): object {
  const { id, state, order_id, amount_cents, customer } = payment
  const statuses = { paid: 'succeeded', pending: 'processing' } as const
  return {
    id: intentId(id),
    object: 'payment_intent',
    status: state === 'paid' || state === 'pending' ? statuses[state] : 'requires_payment_method',
    amount: amount_cents,
    currency: 'eur',
    customer,
    payment_method: customer === null ? null : 'pm_simulated',
    setup_future_usage: customer === null ? null : 'off_session',
    metadata: { order_id },
    latest_charge:
      state === 'paid'
        ? {
            amount_refunded: sumOf(payment),
            disputed: payment.charged_back,
            payment_method_details: {
              type: 'ideal',
              ideal: { generated_sepa_debit: customer === null ? null : DEBIT },
            },
          }
        : null,
  }
}

function fault(status: number, message: string): SimulatedReply {
  return { status, json: { error: { type: 'invalid_request_error', message } } }
}
