/**
 * Tests of the Stripe adapter: its requests equal those of the SDK, on a server that records both,
 * and definite failures are distinguished from unknown outcomes.
 */
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { after, beforeEach, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import { openBareRuntime, standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { withShortTimeout, PATIENCE_MS } from '../../../test/fixtures/external/impatience.ts'
import { openMisbehavingReceiver } from '../../../test/fixtures/external/outside.ts'
import { readConfig } from '../../kernel/config/config.ts'
import { PaymentUnknown, type Payment } from './payment-contract.ts'
import { paymentsOf } from './payments.ts'
import { listen } from '../../../test/fixtures/loopback.ts'

interface Recorded {
  method: string
  path: string
  query: [string, string][]
  headers: IncomingHttpHeaders
  form: [string, string][]
}

let recorded: Recorded[] = []
let answers: ((response: ServerResponse) => void)[] = []

// Node closes idle connections after 5 s by default, which could be during a slow test.
const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe.invalid')
  recorded.push({
    method: request.method ?? '',
    path: pathname,
    query: [...searchParams].toSorted(),
    headers: request.headers,
    form: [...new URLSearchParams(await text(request))].toSorted(),
  })
  const answer = answers.shift()
  assert(answer, 'A request too many.')
  answer(response)
})
const port = await listen({ after }, server)

const KEY = 'sk_test_51Adapter'
const runtime = openBareRuntime({}, standingClock())
const settings = {
  HOMEPORT_PAYMENTS: 'stripe',
  HOMEPORT_PAYMENTS_KEY: KEY,
  HOMEPORT_PAYMENTS_URL: `http://127.0.0.1:${port}/`,
}
runtime.config = readConfig(settings, tmpdir())
const found = paymentsOf(runtime)
assert(found)
const payments = found
const sdk = new Stripe(KEY, {
  host: '127.0.0.1',
  port,
  protocol: 'http',
  maxNetworkRetries: 0,
  telemetry: false,
})

after(async () => {
  server.closeAllConnections()
  server.close()
  await runtime.close()
})
beforeEach(() => {
  recorded = []
  answers = []
})

const json = (status: number, body: unknown) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const payment: Payment = {
  amount_micro: 20_500_000n,
  reference: '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59',
  payment_method: 'pm_1Q0PsIJvEtkwdCNYMSaVuRz6',
  customer: 'cus_NffrFeUfNV2Hib',
  description: 'Automatic top-up & more',
}
const intent = { id: 'pi_1', object: 'payment_intent', status: 'succeeded', metadata: {} }

/** Returns the headers that must be equal. */
function meaningOf({ headers }: Recorded) {
  const { authorization, accept } = headers
  return {
    authorization,
    accept,
    version: headers['stripe-version'],
    type: headers['content-type'],
    key: headers['idempotency-key'],
  }
}

/** Asserts equal requests, except that the SDK sends a content type without a body. */
function assertSame() {
  const [ours, theirs] = recorded
  assert(ours && theirs && recorded.length === 2)
  const what = ({ method, path, query, form }: Recorded) => ({ method, path, query, form })
  assert.deepEqual(what(ours), what(theirs))
  const { type: our_type, ...our_headers } = meaningOf(ours)
  const { type: their_type, ...their_headers } = meaningOf(theirs)
  assert.deepEqual(our_headers, their_headers)
  if (ours.method === 'POST') assert.equal(our_type, their_type)
}

test('a payment sends the request of the SDK', async () => {
  answers = [json(200, intent), json(200, intent)]
  assert.deepEqual(await payments.take(payment), { state: 'paid', payment_id: 'pi_1' })
  await sdk.paymentIntents.create(
    {
      amount: 2050,
      currency: 'eur',
      payment_method: payment.payment_method,
      customer: 'cus_NffrFeUfNV2Hib',
      allowed_payment_method_types: ['card'],
      confirm: true,
      off_session: true,
      description: payment.description,
      metadata: { reference: payment.reference },
    },
    { idempotencyKey: payment.reference },
  )
  assertSame()
})

test('a card without a customer is charged without one', async () => {
  answers = [json(200, intent)]
  await payments.take({ ...payment, customer: null })
  assert(!recorded[0]?.form.some(([name]) => name === 'customer'))
})

test('reading a card sends the request of the SDK', async () => {
  const card = { brand: 'visa', last4: '4242', exp_month: 3, exp_year: 2029 }
  const method = { id: 'pm_1', object: 'payment_method', customer: 'cus_1', card }
  answers = [json(200, method), json(200, method)]
  assert.deepEqual(await payments.readCard('pm_1'), {
    brand: 'visa',
    last4: '4242',
    expiry: '03/29',
    customer: 'cus_1',
  })
  await sdk.paymentMethods.retrieve('pm_1')
  assertSame()
})

test('finding a payment sends the list request of the SDK', async () => {
  const list = { object: 'list', data: [], has_more: false }
  answers = [json(200, list), json(200, list)]
  const since = new Date('2026-03-02T09:00:00.500Z')
  const search = { reference: 'r', customer: 'cus_1', since }
  assert.equal(await payments.find(search), null)
  await sdk.paymentIntents.list({
    created: { gte: Date.parse('2026-03-02T08:00:00.000Z') / 1000 },
    customer: 'cus_1',
    limit: 100,
  })
  assertSame()
})

test('finding a payment reads every page of the list', async () => {
  const other = { ...intent, metadata: { reference: 'another' } }
  const ours = { ...intent, id: 'pi_3', metadata: { reference: 'r' } }
  answers = [
    json(200, { data: [other, { ...other, id: 'pi_2' }], has_more: true }),
    json(200, { data: [ours], has_more: false }),
  ]
  const outcome = await payments.find({ reference: 'r', customer: null, since: new Date(0) })
  assert.deepEqual(outcome, { state: 'paid', payment_id: 'pi_3' })
  assert.deepEqual(recorded[1]?.query.find(([name]) => name === 'starting_after')?.[1], 'pi_2')
})

test('a found payment has an outcome', async () => {
  const found_as = async (fields: object) => {
    const data = [{ ...intent, metadata: { reference: 'r' }, ...fields }]
    answers = [json(200, { data, has_more: false })]
    return payments.find({ reference: 'r', customer: null, since: new Date(0) })
  }
  const failed = (reason: string) => ({ state: 'failed', reason })
  assert.deepEqual(await found_as({ status: 'canceled' }), failed('payment_refused'))
  assert.deepEqual(await found_as({ status: 'requires_action' }), failed('authentication_required'))
  const last_payment_error = { type: 'card_error', code: 'expired_card' }
  assert.deepEqual(
    await found_as({ status: 'requires_payment_method', last_payment_error }),
    failed('card_expired'),
  )
  await assert.rejects(found_as({ status: 'processing' }), PaymentUnknown)
})

const cardErrors = [
  [{ code: 'card_declined', decline_code: 'generic_decline' }, 'card_declined'],
  [{ code: 'card_declined', decline_code: 'lost_card' }, 'card_declined'],
  [{ code: 'card_declined', decline_code: 'insufficient_funds' }, 'insufficient_funds'],
  [{ code: 'card_declined', decline_code: 'authentication_required' }, 'authentication_required'],
  [{ code: 'authentication_required' }, 'authentication_required'],
  [{ code: 'expired_card' }, 'card_expired'],
  [{ code: 'expired_payment_method' }, 'card_expired'],
  [{ code: 'processing_error' }, 'card_declined'],
] as const

test('each refusal of a card has its reason', async () => {
  for (const [error, reason] of cardErrors) {
    answers = [json(402, { error: { type: 'card_error', message: 'No.', ...error } })]
    assert.deepEqual(await payments.take(payment), { state: 'failed', reason })
  }
})

test('an invalid request is a failure without a charge', async () => {
  const type = 'invalid_request_error'
  answers = [
    json(400, { error: { type, code: 'resource_missing', message: 'No such PaymentMethod' } }),
    json(400, { error: { type, code: 'amount_too_large', message: 'Too much' } }),
  ]
  assert.deepEqual(await payments.take(payment), { state: 'failed', reason: 'card_unusable' })
  assert.deepEqual(await payments.take(payment), { state: 'failed', reason: 'payment_refused' })
})

const error = (type: string) => ({ error: { type, message: 'Trouble.' } })
const unknowns: [string, (response: ServerResponse) => void][] = [
  ['500', json(500, error('api_error'))],
  ['503', json(503, {})],
  ['a refused key', json(401, error('invalid_request_error'))],
  ['too many requests', json(429, error('rate_limit_error'))],
  ['the same key under way', json(409, error('idempotency_error'))],
  ['the key of another payment', json(400, error('idempotency_error'))],
  ['a page of a proxy', (response) => void response.writeHead(200).end('<html>')],
  ['an answer without a status', json(200, { id: 'pi_1' })],
  ['a redirect', (response) => void response.writeHead(302, { location: '/' }).end()],
  ['a broken connection', (response) => void response.destroy()],
]

test('every other response leaves the outcome unknown', async () => {
  for (const [name, answer] of unknowns) {
    answers = [answer]
    await assert.rejects(payments.take(payment), PaymentUnknown, name)
  }
})

test('no response before the timeout leaves the outcome unknown', async (t) => {
  const { config } = runtime
  const url = await openMisbehavingReceiver(t, () => {})
  t.after(() => void (runtime.config = config))
  runtime.config = { ...config, payments: { ...config.payments, url } }
  const taken = withShortTimeout(runtime, 'payments', () => payments.take(payment))
  const message = `Stripe: 127.0.0.1 did not answer within ${PATIENCE_MS / 1000} s.`
  await assert.rejects(taken, { name: 'PaymentUnknown', message })
})

test('a pending payment is read again, because the idempotent replay returns its old state', async () => {
  answers = [json(200, { ...intent, status: 'processing' }), json(200, intent)]
  assert.deepEqual(await payments.take(payment), { state: 'paid', payment_id: 'pi_1' })
  assert.deepEqual(
    recorded.map(({ method, path }) => `${method} ${path}`),
    ['POST /v1/payment_intents', 'GET /v1/payment_intents/pi_1'],
  )
  const processing = { ...intent, status: 'processing' }
  answers = [json(200, processing), json(200, processing)]
  await assert.rejects(payments.take(payment), PaymentUnknown)
})

test('an error does not contain the key', async () => {
  const refused = json(401, { error: { message: `Invalid API Key provided: ${KEY}` } })
  answers = [(response) => void response.destroy(), refused]
  for (const _ of [1, 2]) {
    await assert.rejects(payments.take(payment), (thrown) => {
      assert(thrown instanceof Error)
      return !thrown.message.includes(KEY)
    })
  }
})

test('a missing card, or a payment method of another type, is read as null', async () => {
  const missing = { error: { type: 'invalid_request_error', code: 'resource_missing' } }
  answers = [json(404, missing), json(200, { id: 'pm_1', type: 'sepa_debit', customer: null })]
  assert.equal(await payments.readCard('pm_1'), null)
  assert.equal(await payments.readCard('pm_1'), null)
})

test('fractions of a cent are refused', async () => {
  await assert.rejects(payments.take({ ...payment, amount_micro: 1n }), /charged in cents/)
  assert.deepEqual(recorded, [])
})

test('paymentsOf returns null without a provider', () => {
  const none = { ...runtime, config: readConfig({ HOMEPORT_PAYMENTS: 'none' }, tmpdir()) }
  assert.equal(paymentsOf(none), null)
})
