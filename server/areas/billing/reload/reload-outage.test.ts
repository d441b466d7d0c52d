/**
 * Tests of automatic top-up while its provider fails: a fake Stripe on loopback with configurable
 * faults.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { openBareFixture, standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { readConfig } from '../../../kernel/config/config.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { startJobs } from '../../../kernel/jobs/jobs.ts'
import * as projects from '../../projects/service.ts'
import { balanceReloadFailed } from '../events.ts'
import { autoReload, resumeDueReloads, fetchSavedCard } from '../jobs.ts'
import { findLatePayment } from './late-payment.ts'
import * as billing from '../service.ts'
import { listen } from '../../../../test/fixtures/loopback.ts'

interface Taken {
  id: string
  status: string
  metadata: { reference: string }
}

const stripe = {
  /** Status of the response to a payment; null means the normal response. */
  payment_status: null as number | null,
  /** Whether the list of payments works. */
  lists: true,
  keys: [] as string[],
  taken: [] as Taken[],
}

// A long timeout, so that a slow test does not lose its kept-alive connection.
const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://stripe.invalid')
  const form = new URLSearchParams(await text(request))
  if (pathname.startsWith('/v1/payment_methods/')) {
    const card = { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 }
    return send(response, 200, { id: 'pm_1', customer: 'cus_of_card', card })
  }
  if (request.method === 'GET') {
    return stripe.lists
      ? send(response, 200, { data: stripe.taken, has_more: false })
      : send(response, 503, {})
  }
  stripe.keys.push(String(request.headers['idempotency-key']))
  if (stripe.payment_status !== null) return send(response, stripe.payment_status, { error: {} })
  const metadata = { reference: form.get('metadata[reference]') ?? '' }
  const intent = { id: `pi_${stripe.taken.length}`, status: 'succeeded', metadata }
  stripe.taken.push(intent)
  send(response, 200, intent)
})

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const port = await listen({ after }, server)

const fixture = await openBareFixture()
const clock = standingClock()
const runtime = fixture.openRuntime(clock)
runtime.config = readConfig(
  {
    HOMEPORT_PAYMENTS: 'stripe',
    HOMEPORT_PAYMENTS_KEY: 'sk_test_key',
    HOMEPORT_PAYMENTS_URL: `http://127.0.0.1:${port}`,
  },
  tmpdir(),
)
const working = startJobs(runtime, {
  jobs: [autoReload, fetchSavedCard, findLatePayment],
  reconcilers: [],
})
after(async () => {
  await working.stop()
  server.closeAllConnections()
  server.close()
})

async function rest(project_id: string): Promise<void> {
  for (;;) {
    const now = runtime.clock.now()
    const jobs = await runtime.db
      .selectFrom('jobs')
      .select(['state', 'run_at'])
      .where('project_id', '=', project_id)
      .where('state', '<>', 'dead')
      .execute()
    if (jobs.every(({ state, run_at }) => state === 'waiting' && run_at > now)) return
    await new Promise(setImmediate)
  }
}

async function pass(project_id: string, minutes: number): Promise<void> {
  clock.advance(minutes * 60)
  runtime.wakeups.announce('jobs')
  await rest(project_id)
}

async function newProject(): Promise<string> {
  const facts = { name: 'Bakery', shape: 'single', plan: 'reachable', owner_email: null } as const
  const made = await projects.create(runtime, facts)
  assert('project_id' in made)
  const { project_id } = made
  await runtime.db.transact(async (tx) => {
    await billing.topUp(tx, runtime, {
      project_id,
      amount_micro: 6_000_000n,
      source: 'payment',
      description: 'Top-up',
      reference: randomUUID(),
    })
    const card = { payment_method: 'pm_1', customer: null }
    await billing.setAutoReload(tx, runtime, { project_id, enabled: true, card })
  })
  await rest(project_id)
  stripe.keys = []
  stripe.payment_status = null
  stripe.lists = true
  return project_id
}

async function charge(project_id: string): Promise<void> {
  await runtime.db.transact((tx) =>
    billing.charge(tx, runtime, {
      project_id,
      amount_micro: 2_000_000n,
      source: 'sms',
      description: 'SMS to +31612345678',
      reference_id: randomUUID(),
      reference: randomUUID(),
    }),
  )
  await rest(project_id)
}

const balanceOf = (project_id: string) =>
  billing.readBalance(runtime.db, runtime, { project_id, test: false })
const reloadsOf = (project_id: string) =>
  runtime.db
    .selectFrom('billing_reloads')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('id')
    .execute()
const timesTold = async (project_id: string, type: string) => {
  const events = await runtime.db
    .selectFrom('events')
    .select('type')
    .where('project_id', '=', project_id)
    .where('type', '=', type)
    .execute()
  return events.length
}
const failuresTold = (project_id: string) => timesTold(project_id, 'balance.reload_failed')

test('automatic top-up stores the customer of the card together with the card', async () => {
  const project_id = await newProject()
  await charge(project_id)
  assert.deepEqual(
    (await reloadsOf(project_id)).map(({ customer }) => customer),
    ['cus_of_card'],
  )
})

test('automatic top-up retries the same payment with the same idempotency key during an outage', async () => {
  const project_id = await newProject()
  stripe.payment_status = 503
  await charge(project_id)
  for (const minutes of [1, 5, 30, 60]) await pass(project_id, minutes)
  const [pending] = await reloadsOf(project_id)
  assert.equal(pending?.state, 'pending')
  assert(stripe.keys.length >= 4)
  assert.deepEqual(new Set(stripe.keys), new Set([pending.id]))
  assert.equal(await failuresTold(project_id), 0)
  stripe.payment_status = null
  await pass(project_id, 60)
  assert.equal((await balanceOf(project_id)).balance_eur, 24)
  assert.equal((await reloadsOf(project_id)).length, 1)
})

test('automatic top-up orders no second payment for charges during an outage', async () => {
  const project_id = await newProject()
  stripe.payment_status = 500
  await charge(project_id)
  await charge(project_id)
  assert.equal((await reloadsOf(project_id)).length, 1)
  assert.equal(new Set(stripe.keys).size, 1)
})

test('automatic top-up fails a payment that the provider does not know after hours, without blaming the card', async () => {
  const project_id = await newProject()
  stripe.payment_status = 500
  await charge(project_id)
  await pass(project_id, 200)
  const asked = stripe.keys.length
  await pass(project_id, 60)
  assert.equal(stripe.keys.length, asked)
  const [failed] = await reloadsOf(project_id)
  assert.equal(failed?.failed_reason, 'provider_unavailable')
  assert.equal(await failuresTold(project_id), 1)
  const { auto_reload } = await balanceOf(project_id)
  assert.equal(auto_reload.disabled_reason, null)
  assert.equal(auto_reload.active, true)
  assert.equal(auto_reload.used_this_month, 0)
  stripe.payment_status = null
  await resumeDueReloads.run(runtime)
  await rest(project_id)
  assert.equal((await balanceOf(project_id)).balance_eur, 24)
  assert.deepEqual(
    (await reloadsOf(project_id)).map(({ state }) => state),
    ['failed', 'paid'],
  )
})

test('automatic top-up decides nothing while the provider cannot report the payment', async () => {
  const project_id = await newProject()
  stripe.payment_status = 503
  stripe.lists = false
  await charge(project_id)
  await pass(project_id, 300)
  assert.equal((await reloadsOf(project_id))[0]?.state, 'pending')
  assert.equal(await failuresTold(project_id), 0)
  const [{ id } = assert.fail('There is no reload.')] = await reloadsOf(project_id)
  stripe.taken.push({ id: 'pi_late', status: 'succeeded', metadata: { reference: id } })
  stripe.lists = true
  await pass(project_id, 60)
  assert.equal((await balanceOf(project_id)).balance_eur, 24)
})

test('automatic top-up is inactive and attempts nothing without a provider', async () => {
  const project_id = await newProject()
  const none = { ...runtime, config: readConfig({ HOMEPORT_PAYMENTS: 'none' }, tmpdir()) }
  const read = { project_id, test: false }
  assert.equal((await billing.readBalance(none.db, none, read)).auto_reload.active, false)
  assert.equal((await billing.readBalance(runtime.db, runtime, read)).auto_reload.active, true)
  await resumeDueReloads.run(none)
})

/** Creates a project whose top-up was given up because the provider did not know it for hours. */
async function newGivenUp() {
  const project_id = await newProject()
  stripe.payment_status = 500
  await charge(project_id)
  await pass(project_id, 250)
  const [failed = assert.fail('There is no reload.')] = await reloadsOf(project_id)
  assert.equal(failed.failed_reason, 'provider_unavailable')
  return { project_id, failed }
}

function turnUp(reference: string, status = 'succeeded'): void {
  stripe.taken.push({ id: `pi_late_${stripe.taken.length}`, status, metadata: { reference } })
}

const lateJobsOf = (project_id: string) =>
  runtime.db
    .selectFrom('jobs')
    .select(['state', 'attempt'])
    .where('project_id', '=', project_id)
    .where('kind', '=', findLatePayment.name)
    .execute()

for (const hours of [1, 20, 60]) {
  test(`credits a payment once that appears ${hours} hours after it was given up`, async () => {
    const { project_id, failed } = await newGivenUp()
    for (let passed = 0; passed < hours; passed += 1) await pass(project_id, 60)
    const asked = stripe.keys.length
    turnUp(failed.id)
    await pass(project_id, 24 * 60)
    await pass(project_id, 24 * 60)
    const { balance_eur, auto_reload, transactions } = await balanceOf(project_id)
    assert.equal(balance_eur, 24)
    assert.equal(auto_reload.used_this_month, 1)
    const [first] = transactions
    assert.deepEqual([first?.type, first?.source, first?.amount_eur], ['top_up', 'payment', 20])
    assert.equal(first?.reference_id, failed.id)
    const [paid] = await reloadsOf(project_id)
    assert.deepEqual([paid?.state, paid?.failed_reason], ['paid', null])
    assert.match(paid?.payment_id ?? '', /^pi_late_/)
    assert.equal(await timesTold(project_id, 'balance.topped_up'), 2)
    assert.equal(await failuresTold(project_id), 1)
    assert.equal(stripe.keys.length, asked, 'it is looked for and not asked for')
    assert.deepEqual(await lateJobsOf(project_id), [])
  })
}

test('automatic top-up leaves the reported failure unchanged if the payment appears later', async () => {
  const { project_id, failed } = await newGivenUp()
  const load = () => balanceReloadFailed.load(runtime.db, project_id, { reload_id: failed.id })
  const payload = await load()
  assert.deepEqual(payload, {
    amount_eur: 20,
    currency: 'EUR',
    reason: 'provider_unavailable',
    occurred_at: failed.ended_at?.toISOString(),
  })
  turnUp(failed.id)
  await pass(project_id, 60)
  assert.equal((await reloadsOf(project_id))[0]?.state, 'paid')
  assert.deepEqual(await load(), payload)
})

test('automatic top-up keeps both a later top-up and a late payment', async () => {
  const { project_id, failed } = await newGivenUp()
  stripe.payment_status = null
  await resumeDueReloads.run(runtime)
  await rest(project_id)
  turnUp(failed.id)
  await pass(project_id, 60)
  assert.equal((await balanceOf(project_id)).balance_eur, 44)
  assert.deepEqual(
    (await reloadsOf(project_id)).map(({ state }) => state),
    ['paid', 'paid'],
  )
})

test('automatic top-up credits a late payment once if two checks find it at once', async () => {
  const { project_id, failed } = await newGivenUp()
  turnUp(failed.id)
  const work = {
    runtime,
    payload: { project_id, reload_id: failed.id },
    project_id,
    attempt: 1,
    signal: new AbortController().signal,
    finish: async (write?: (tx: Transaction) => Promise<void>) => {
      await runtime.db.transact(async (tx) => write?.(tx))
    },
  }
  await Promise.all([
    findLatePayment.run(work),
    findLatePayment.run(work),
    findLatePayment.run(work),
  ])
  await findLatePayment.run(work)
  await pass(project_id, 60)
  assert.equal((await balanceOf(project_id)).balance_eur, 24)
  assert.equal(await timesTold(project_id, 'balance.topped_up'), 2)
})

test('automatic top-up adds nothing for a failed late payment and stops looking for it', async () => {
  const { project_id, failed } = await newGivenUp()
  turnUp(failed.id, 'canceled')
  await pass(project_id, 60)
  assert.equal((await balanceOf(project_id)).balance_eur, 4)
  assert.deepEqual(await reloadsOf(project_id), [failed])
  assert.deepEqual(await lateJobsOf(project_id), [])
  assert.equal((await balanceOf(project_id)).auto_reload.disabled_reason, null)
})

test('automatic top-up looks for a missing payment at growing intervals for three days', async () => {
  const { project_id, failed } = await newGivenUp()
  const looks: number[] = []
  for (let hour = 1; (await lateJobsOf(project_id)).length > 0; hour += 1) {
    const [before] = await lateJobsOf(project_id)
    await pass(project_id, 60)
    const [after] = await lateJobsOf(project_id)
    if (after?.attempt !== before?.attempt) looks.push(hour)
  }
  assert.equal(looks[0], 1)
  assert.equal(looks.at(-1), 76)
  const pauses = looks.slice(1).map((hour, index) => hour - looks[index]!)
  assert.deepEqual(pauses, [1, 2, 4, 8, 12, 24, 24])
  assert.deepEqual(await reloadsOf(project_id), [failed])
})

test('automatic top-up keeps looking for a late payment during an outage or without a provider', async () => {
  const { project_id, failed } = await newGivenUp()
  turnUp(failed.id)
  stripe.lists = false
  await pass(project_id, 60)
  const { config } = runtime
  runtime.config = readConfig({ HOMEPORT_PAYMENTS: 'none' }, tmpdir())
  await pass(project_id, 60)
  runtime.config = config
  assert.equal((await balanceOf(project_id)).balance_eur, 4)
  stripe.lists = true
  await pass(project_id, 24 * 60)
  assert.equal((await balanceOf(project_id)).balance_eur, 24)
})
