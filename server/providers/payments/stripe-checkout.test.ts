/**
 * Tests of the simulated Stripe pages with Stripe's own SDK, and of the adapter's requests, which
 * must equal those of the SDK.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { Stripe } from 'stripe'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { listen } from '../../../test/fixtures/loopback.ts'
import { microFromEuro } from '../../kernel/values/money.ts'
import { paymentsOf } from './payments.ts'
import { PaymentUnknown, type CheckoutOrder } from './payment-contract.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { port } = new URL(fixture.url)
const httpClient = Stripe.createFetchHttpClient((url: string | Request | URL, init?: RequestInit) =>
  fetch(String(url).replace('/v1/', '/dev/simulators/stripe/v1/'), init),
)
const options = { protocol: 'http', maxNetworkRetries: 0, telemetry: false } as const
const stripe = new Stripe('sk_test_any', { ...options, host: '127.0.0.1', port, httpClient })

const inAnHour_s = () => Math.floor(fixture.clock.now_ms() / 1000) + 3600
const session = (more: object = {}) => ({
  mode: 'payment' as const,
  success_url: 'https://home.example/done',
  cancel_url: 'https://home.example/back',
  customer_email: 'owner@home.example',
  client_reference_id: 'one',
  expires_at: inAnHour_s(),
  payment_method_types: ['card' as const],
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'eur', unit_amount: 2500, product_data: { name: 'Top-up' } },
    },
  ],
  ...more,
})
const open = (more: object = {}) => stripe.checkout.sessions.create(session(more))
const read = (id: string) =>
  stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] })
const pay = (url: string | null, card = 'pm_card_visa') =>
  fetch(url ?? '', { method: 'POST', body: new URLSearchParams({ card }), redirect: 'manual' })

describe('a page of the simulated Stripe', () => {
  test('is opened, paid and read by the SDK', async () => {
    const opened = await open({
      customer_creation: 'always',
      payment_intent_data: { setup_future_usage: 'off_session' },
      payment_method_options: { card: { request_three_d_secure: 'any' } },
    })
    assert.deepEqual(
      [opened.status, opened.payment_status, opened.amount_total],
      ['open', 'unpaid', 2500],
    )
    const paid = await pay(opened.url)
    assert.deepEqual(
      [paid.status, paid.headers.get('location')],
      [303, 'https://home.example/done'],
    )
    const after = await read(opened.id)
    assert.deepEqual([after.status, after.payment_status, after.url], ['complete', 'paid', null])
    assert.match(String(after.customer), /^cus_/)
    const intent = after.payment_intent
    assert(intent !== null && typeof intent === 'object')
    assert.equal(intent.payment_method, 'pm_card_visa')
    const charge = intent.latest_charge
    assert(charge !== null && typeof charge === 'object')
    assert.equal(charge.payment_method_details?.card?.three_d_secure?.result, 'authenticated')
  })

  test('expires at its time', async () => {
    const { id, url } = await open()
    fixture.passes('59 minutes')
    assert.equal((await read(id)).status, 'open')
    fixture.passes('2 minutes')
    assert.equal((await read(id)).status, 'expired')
    assert.equal((await pay(url)).status, 404)
  })

  test('is paid once', async () => {
    const { id, url } = await open()
    assert.equal((await pay(url)).status, 303)
    assert.equal((await pay(url)).status, 404)
    assert.equal((await read(id)).payment_status, 'paid')
  })

  test('reports invalid requests as Stripe does', async () => {
    const wrong = [
      { expires_at: inAnHour_s() - 3000 },
      { expires_at: inAnHour_s() + 90_000 },
      {
        line_items: [
          {
            quantity: 1,
            price_data: { currency: 'eur', unit_amount: 1, product_data: { name: 'x' } },
          },
        ],
      },
      { locale: 'nl' },
    ]
    for (const more of wrong) {
      await assert.rejects(open(more), Stripe.errors.StripeInvalidRequestError)
    }
    await assert.rejects(read('cs_test_nobody'), Stripe.errors.StripeInvalidRequestError)
  })

  test('escapes untrusted text', async () => {
    const name = '<script>alert(1)</script>'
    const { url } = await open({
      line_items: [
        { quantity: 1, price_data: { currency: 'eur', unit_amount: 500, product_data: { name } } },
      ],
    })
    const page = await (await fetch(url ?? '')).text()
    assert.ok(!page.includes('<script>'), page)
  })
})

const order: CheckoutOrder = {
  amount_micro: microFromEuro(25),
  reference: 'ref-1',
  description: 'Top-up',
  email: 'owner@home.example',
  saves_card: true,
  expires_at: new Date(Date.now() + 3_600_000),
  done_url: 'https://home.example/done?top_up=1',
  back_url: 'https://home.example/back',
}

/** Listens on a local server that records the form fields and headers of requests. */
async function overhear(t: Parameters<typeof listen>[0], reply: { status: number; json: object }) {
  const heard: { path: string; fields: Record<string, string>; key: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    const fields = Object.fromEntries(new URLSearchParams(await text(request)))
    const key = request.headers['idempotency-key']
    heard.push({ path: request.url ?? '', fields, key: typeof key === 'string' ? key : undefined })
    response.writeHead(reply.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply.json))
  })
  const on = await listen(t, server)
  const other = await openTestRuntime({
    work: false,
    settings: {
      HOMEPORT_PAYMENTS: 'stripe',
      HOMEPORT_PAYMENTS_KEY: 'sk_test_x',
      HOMEPORT_PAYMENTS_URL: `http://127.0.0.1:${on}`,
    },
  })
  const payments = paymentsOf(other.runtime)
  assert(payments)
  return { heard, payments, on }
}

describe('the adapter', () => {
  const opened = { id: 'cs_test_1', url: 'https://checkout.stripe.com/c/pay/1' }

  test('sends the fields that the SDK sends', async (t) => {
    const { heard, payments, on } = await overhear(t, { status: 200, json: opened })
    assert.deepEqual(await payments.openCheckout(order), { checkout: opened.id, url: opened.url })
    const sdk = new Stripe('sk_test_x', { ...options, host: '127.0.0.1', port: on })
    await sdk.checkout.sessions.create({
      ...session({
        client_reference_id: 'ref-1',
        success_url: order.done_url,
        expires_at: Math.floor(order.expires_at.getTime() / 1000),
        customer_creation: 'always',
        payment_method_options: { card: { request_three_d_secure: 'any' } },
        payment_intent_data: {
          description: 'Top-up',
          metadata: { reference: 'ref-1' },
          setup_future_usage: 'off_session',
        },
      }),
    })
    const [ours, theirs] = heard
    assert.equal(ours?.path, theirs?.path)
    assert.deepEqual(ours?.fields, theirs?.fields)
    assert.equal(ours?.key, 'checkout:ref-1')
  })

  test('does not save a card without a request', async (t) => {
    const { heard, payments } = await overhear(t, { status: 200, json: opened })
    await payments.openCheckout({ ...order, saves_card: false })
    const fields = Object.keys(heard[0]?.fields ?? {})
    assert.ok(!fields.some((name) => /customer_creation|setup_future_usage/.test(name)))
  })

  test('throws PaymentUnknown if Stripe did not reply', async (t) => {
    const said = { status: 500, json: {} }
    const { payments } = await overhear(t, said)
    for (const reply of [
      { status: 500, json: {} },
      { status: 400, json: { error: {} } },
      { status: 200, json: { id: 'x' } },
      { status: 200, json: [] },
    ]) {
      Object.assign(said, reply)
      await assert.rejects(payments.openCheckout(order), PaymentUnknown)
    }
  })

  test('treats an unknown page as expired', async (t) => {
    const { payments } = await overhear(t, { status: 404, json: { error: {} } })
    assert.deepEqual(await payments.readCheckout('cs_test_1'), { state: 'expired' })
  })

  test('treats only pages with payment status paid as paid', async (t) => {
    const said = { status: 200, json: {} }
    const { payments } = await overhear(t, said)
    for (const [json, state] of [
      [{ id: 'x', status: 'open', payment_status: 'unpaid' }, 'open'],
      [{ id: 'x', status: 'complete', payment_status: 'unpaid' }, 'open'],
      [{ id: 'x', status: 'expired', payment_status: 'unpaid' }, 'expired'],
      [{ id: 'x', status: 'complete', payment_status: 'no_payment_required' }, 'open'],
    ] as const) {
      said.json = json
      assert.equal((await payments.readCheckout('x')).state, state)
    }
  })
})
