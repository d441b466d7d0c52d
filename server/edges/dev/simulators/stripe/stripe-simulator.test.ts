/** Tests of the simulated Stripe with Stripe's own SDK. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Stripe } from 'stripe'
import { standingClock } from '../../../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { trackPendingLines } from '../../../../../test/fixtures/external/impatience.ts'
import { simulatedCards } from './simulated-cards.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { hangUp } = trackPendingLines(fixture)
const { port } = new URL(fixture.url)

// The SDK has no setting for the path of its URL, and the simulator does not answer at the root.
const httpClient = Stripe.createFetchHttpClient((url: string | Request | URL, init?: RequestInit) =>
  fetch(String(url).replace('/v1/', '/dev/simulators/stripe/v1/'), init),
)
const stripe = new Stripe('sk_test_any', {
  host: '127.0.0.1',
  port,
  protocol: 'http',
  maxNetworkRetries: 0,
  telemetry: false,
  httpClient,
})

const payment = (payment_method: string, reference: string, amount = 2000) =>
  stripe.paymentIntents.create(
    {
      amount,
      currency: 'eur',
      payment_method,
      confirm: true,
      off_session: true,
      metadata: { reference },
    },
    { idempotencyKey: reference },
  )

async function listed(reference: string) {
  const { data } = await stripe.paymentIntents.list({ limit: 100 })
  return data.filter(({ metadata }) => metadata['reference'] === reference)
}

const refusedBy = (fields: object) => (error: unknown) => {
  assert(error instanceof Stripe.errors.StripeError)
  const { type, code, decline_code = '', statusCode } = error
  assert.deepEqual({ type, code, decline_code, statusCode }, fields)
  return true
}

test('the simulated Stripe charges a valid card, and finds the payment again', async () => {
  const reference = randomUUID()
  const intent = await payment('pm_card_visa', reference)
  assert.equal(intent.status, 'succeeded')
  assert.equal(intent.amount_received, 2000)
  assert.equal((await stripe.paymentIntents.retrieve(intent.id)).id, intent.id)
  assert.deepEqual(
    (await listed(reference)).map(({ id }) => id),
    [intent.id],
  )
})

test('the simulated Stripe charges once per Idempotency-Key, also for concurrent requests', async () => {
  const reference = randomUUID()
  const [one, other] = await Promise.allSettled([
    payment('pm_card_visa', reference),
    payment('pm_card_visa', reference),
  ])
  assert([one, other].some(({ status }) => status === 'fulfilled'))
  const again = await payment('pm_card_visa', reference)
  assert.deepEqual(
    (await listed(reference)).map(({ id }) => id),
    [again.id],
  )
})

test('the simulated Stripe refuses an Idempotency-Key with another payment', async () => {
  const reference = randomUUID()
  await payment('pm_card_visa', reference)
  await assert.rejects(
    payment('pm_card_visa', reference, 2001),
    Stripe.errors.StripeIdempotencyError,
  )
})

test('the simulated Stripe forgets an Idempotency-Key after a day, and then charges again', async () => {
  const reference = randomUUID()
  const first = await payment('pm_card_visa', reference)
  fixture.passes('23 hours')
  assert.equal((await payment('pm_card_visa', reference)).id, first.id)
  fixture.passes('2 hours')
  assert.notEqual((await payment('pm_card_visa', reference)).id, first.id)
})

test("the simulated Stripe declines cards with Stripe's codes, and keeps the payment as failed", async () => {
  const refusals = [
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', ''],
    ['pm_card_authenticationRequired', 'authentication_required', 'authentication_required'],
  ] as const
  for (const [name, code, decline_code] of refusals) {
    const reference = randomUUID()
    const expected = { type: 'StripeCardError', code, decline_code, statusCode: 402 }
    await assert.rejects(payment(name, reference), refusedBy(expected))
    await assert.rejects(payment(name, reference), refusedBy(expected))
    const [intent] = await listed(reference)
    assert.equal(intent?.status, 'requires_payment_method')
    assert.equal(intent.last_payment_error?.code, code)
    assert.equal(intent.amount_received, 0)
  }
})

test('the simulated Stripe leaves a request without a reply for one test card, and replays the payment for a retry', async () => {
  const reference = randomUUID()
  const unheard = assert.rejects(
    payment('pm_card_takenThenSilence', reference),
    Stripe.errors.StripeConnectionError,
  )
  const intent = await eventually(async () => (await listed(reference))[0])
  assert.equal(intent.status, 'succeeded')
  hangUp()
  await unheard
  assert.equal((await payment('pm_card_takenThenSilence', reference)).id, intent.id)
})

test('the simulated Stripe replies 500 after the payment for another test card, and replays the 500', async () => {
  const reference = randomUUID()
  for (const _ of [1, 2]) {
    const rejection = payment('pm_card_takenThenTrouble', reference)
    await assert.rejects(rejection, Stripe.errors.StripeAPIError)
  }
  assert.deepEqual(
    (await listed(reference)).map(({ status }) => status),
    ['succeeded'],
  )
})

test('the simulated Stripe returns every card, and 404 for an unknown one', async () => {
  for (const [name, { brand, last4 }] of simulatedCards) {
    const { card } = await stripe.paymentMethods.retrieve(name)
    assert.deepEqual([card?.brand, card?.last4, card?.exp_month], [brand, last4, 12])
    assert(card && card.exp_year > fixture.clock.now().getUTCFullYear())
  }
  const missing = {
    type: 'StripeInvalidRequestError',
    code: 'resource_missing',
    decline_code: '',
    statusCode: 404,
  }
  await assert.rejects(stripe.paymentMethods.retrieve('pm_nobody'), refusedBy(missing))
  await assert.rejects(
    payment('pm_nobody', randomUUID()),
    refusedBy({ ...missing, statusCode: 400 }),
  )
})

test('the simulated Stripe paginates the list, and filters it by time and customer', async () => {
  const customer = 'cus_paged'
  const ids: string[] = []
  for (const amount of [1000, 1100, 1200]) {
    const fields = { currency: 'eur', payment_method: 'pm_card_visa', customer }
    const made = { ...fields, amount, confirm: true, off_session: true }
    ids.unshift((await stripe.paymentIntents.create(made)).id)
    fixture.passes('2 seconds')
  }
  const pages = await stripe.paymentIntents
    .list({ customer, limit: 2 })
    .autoPagingToArray({ limit: 9 })
  assert.deepEqual(
    pages.map(({ id }) => id),
    ids,
  )
  const newest = pages[0]?.created ?? 0
  const late = await stripe.paymentIntents.list({ customer, created: { gte: newest } })
  assert.deepEqual(
    late.data.map(({ id }) => id),
    ids.slice(0, 1),
  )
})

test("the simulated Stripe refuses unsupported requests in Stripe's format", async () => {
  const fields = { currency: 'eur', payment_method: 'pm_card_visa', off_session: true }
  await assert.rejects(
    stripe.paymentIntents.create({ ...fields, amount: 10, confirm: true }),
    Stripe.errors.StripeInvalidRequestError,
  )
  await assert.rejects(
    stripe.paymentIntents.create({ ...fields, amount: 1000, currency: 'usd', confirm: true }),
    Stripe.errors.StripeInvalidRequestError,
  )
  const more = { ...fields, amount: 1000, confirm: true, receipt_email: 'owner@example.com' }
  await assert.rejects(
    stripe.paymentIntents.create(more),
    refusedBy({
      type: 'StripeInvalidRequestError',
      code: 'parameter_unknown',
      decline_code: '',
      statusCode: 400,
    }),
  )
  await assert.rejects(stripe.customers.list(), Stripe.errors.StripeInvalidRequestError)
  const { status } = await fetch(`${fixture.url}/dev/simulators/stripe/v1/payment_intents`)
  assert.equal(status, 401)
})
