/**
 * Tests of automatic top-up, with the functions that charge, the workers of a real server, and the
 * payment provider simulated by this server over HTTP.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { trackPendingLines } from '../../../../test/fixtures/external/impatience.ts'
import { openReceiver } from '../../../../test/fixtures/external/outside.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import * as records from '../../../kernel/simulator-records.ts'
import * as projects from '../../projects/service.ts'
import type { AutoReloadChanges } from './auto-reload.ts'
import { resumeDueReloads } from '../jobs.ts'
import { toMonth } from '../ledger/ledger.ts'
import { reload } from './reload.ts'
import * as billing from '../service.ts'

const fixture = await openTestRuntime({ clock: standingClock() })
const { runtime, call } = fixture
const { hangUp } = trackPendingLines(fixture)

const set = (project_id: string, changes: AutoReloadChanges) =>
  runtime.db.transact((tx) => billing.setAutoReload(tx, runtime, { project_id, ...changes }))

const card = (name: string) => ({ payment_method: `pm_card_${name}`, customer: null })

const topUp = (project_id: string, euro: number) =>
  runtime.db.transact((tx) =>
    billing.topUp(tx, runtime, {
      project_id,
      amount_micro: microFromEuro(euro),
      source: 'payment',
      description: 'Top-up',
      reference: randomUUID(),
    }),
  )

const order = (project_id: string, euro: number) => ({
  project_id,
  amount_micro: microFromEuro(euro),
  source: 'sms' as const,
  description: 'SMS to +31612345678',
  reference_id: randomUUID(),
  reference: randomUUID(),
})
const charge = (project_id: string, euro: number) =>
  runtime.db.transact((tx) => billing.charge(tx, runtime, order(project_id, euro)))
const hold = (project_id: string, euro: number) =>
  runtime.db.transact((tx) => billing.hold(tx, runtime, order(project_id, euro)))

/** A project with a balance and a card, and automatic top-up enabled. */
async function newProject(euro: number, name: string, changes: AutoReloadChanges = {}) {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id })
  await topUp(project_id, euro)
  await set(project_id, { enabled: true, card: card(name), ...changes })
  await rest(project_id)
  return { project_id, key }
}

/** Waits until every job of a project is done or scheduled for later. */
function rest(project_id: string): Promise<true> {
  return eventually(async () => {
    const now = runtime.clock.now()
    const jobs = await runtime.db
      .selectFrom('jobs')
      .select(['state', 'run_at'])
      .where('project_id', '=', project_id)
      .where('state', '<>', 'dead')
      .execute()
    return jobs.every(({ state, run_at }) => state === 'waiting' && run_at > now)
  })
}

/** Advances the clock, and waits until all due work is done. */
function pass(project_id: string, time: string): Promise<true> {
  fixture.passes(time)
  return rest(project_id)
}

const balanceOf = (project_id: string) =>
  billing.readBalance(runtime.db, runtime, { project_id, test: false })

/** The number of payments that the simulated provider took for a reference. */
async function takenFor(reference: string): Promise<number> {
  const rows = await records.listRecords(runtime, 'stripe')
  const intents = rows
    .map(({ record }) => JSON.stringify(record))
    .filter((json) => json.includes('"payment_intent"') && json.includes('"succeeded"'))
  return intents.filter((json) => json.includes(reference) && !json.includes('made_at_ms')).length
}

const reloadsOf = (project_id: string) =>
  runtime.db
    .selectFrom('billing_reloads')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('id')
    .execute()

/** A webhook endpoint for the balance events; returns what it has received. */
async function openEndpoint(t: TestContext, key: string) {
  const received: { type: string; data: Record<string, unknown> }[] = []
  const { port } = await openReceiver(t, async (request, response) => {
    received.push(JSON.parse(await text(request)))
    response.end()
  })
  const events = ['balance.low', 'balance.topped_up', 'balance.reload_failed']
  const body = { url: `http://127.0.0.1:${port}/hook`, events }
  assert.equal((await call('POST /webhooks', { key, body })).status, 201)
  return {
    received,
    has: (count: number) => eventually(() => received.length >= count),
  }
}

test('automatic top-up runs after a charge that leaves the balance low, and sends the event', async (t) => {
  const { project_id, key } = await newProject(6, 'visa')
  const endpoint = await openEndpoint(t, key)
  await charge(project_id, 1)
  await rest(project_id)
  assert.equal((await balanceOf(project_id)).balance_eur, 5)
  await charge(project_id, 0.01)
  await rest(project_id)
  const { body } = await call('GET /balance', { key })
  const [reload] = await reloadsOf(project_id)
  assert.equal(body.balance_eur, 24.99)
  assert.equal(body.auto_reload.used_this_month, 1)
  assert.equal(body.auto_reload.active, true)
  const { id: _id, created_at: _created_at, ...shown } = body.transactions[0]
  assert.deepEqual(shown, {
    type: 'top_up',
    source: 'payment',
    amount_eur: 20,
    balance_after_eur: 24.99,
    description: 'Automatic top-up',
    quantity: null,
    unit: null,
    reference_id: reload?.id,
  })
  assert.equal(reload?.state, 'paid')
  assert.match(reload.payment_id ?? '', /^pi_/)
  assert.equal(await takenFor(reload.id), 1)
  await endpoint.has(2)
  assert.deepEqual(endpoint.received.map(({ type }) => type).toSorted(), [
    'balance.low',
    'balance.topped_up',
  ])
})

test('automatic top-up uses the configured amount, threshold and card', async () => {
  const changes = { threshold_micro: 50_000_000n, amount_micro: 123_450_000n }
  const { project_id } = await newProject(60, 'mastercard', changes)
  await charge(project_id, 10.5)
  await rest(project_id)
  const { balance_eur, auto_reload } = await balanceOf(project_id)
  assert.equal(balance_eur, 172.95)
  assert.deepEqual([auto_reload.threshold_eur, auto_reload.amount_eur], [50, 123.45])
  assert.equal(auto_reload.card?.brand, 'mastercard')
})

test('automatic top-up runs after a hold as after a charge', async () => {
  const { project_id } = await newProject(6, 'visa')
  await hold(project_id, 2)
  await rest(project_id)
  assert.equal((await balanceOf(project_id)).balance_eur, 24)
})

test('automatic top-up runs at once when it is turned on with a low balance', async () => {
  const { project_id } = await newProject(2, 'visa', { enabled: false })
  assert.equal((await balanceOf(project_id)).balance_eur, 2)
  await set(project_id, { enabled: true })
  await rest(project_id)
  assert.equal((await balanceOf(project_id)).balance_eur, 22)
})

test('automatic top-up takes no payment while it is off or without a card', async () => {
  const off = await newProject(6, 'visa', { enabled: false })
  const cardless = await newProject(6, 'visa')
  await set(cardless.project_id, { card: null })
  for (const { project_id } of [off, cardless]) {
    await charge(project_id, 3)
    await rest(project_id)
    const { balance_eur, auto_reload } = await balanceOf(project_id)
    assert.equal(balance_eur, 3)
    assert.equal(auto_reload.active, false)
    assert.deepEqual(await reloadsOf(project_id), [])
  }
})

const refusals = [
  ['chargeDeclined', 'card_declined'],
  ['chargeDeclinedInsufficientFunds', 'insufficient_funds'],
  ['chargeDeclinedExpiredCard', 'card_expired'],
  ['authenticationRequired', 'authentication_required'],
] as const

for (const [name, reason] of refusals) {
  test(`is disabled by one failed payment of the card, with the reason ${reason}`, async (t) => {
    const { project_id, key } = await newProject(6, name)
    assert.equal((await balanceOf(project_id)).auto_reload.active, true)
    const endpoint = await openEndpoint(t, key)
    await charge(project_id, 2)
    await rest(project_id)
    await charge(project_id, 1)
    await rest(project_id)
    await pass(project_id, '1 hours')
    const { body } = await call('GET /balance', { key })
    assert.equal(body.balance_eur, 3)
    const { enabled, active, disabled_reason, used_this_month } = body.auto_reload
    assert.deepEqual(
      { enabled, active, disabled_reason, used_this_month },
      {
        enabled: true,
        active: false,
        disabled_reason: reason,
        used_this_month: 0,
      },
    )
    await endpoint.has(2)
    const failed = endpoint.received.filter(({ type }) => type === 'balance.reload_failed')
    assert.equal(failed.length, 1)
    const [ended] = await reloadsOf(project_id)
    assert.deepEqual(failed[0]?.data, {
      amount_eur: 20,
      currency: 'EUR',
      reason,
      occurred_at: ended?.ended_at?.toISOString(),
    })
  })
}

test('automatic top-up stays off after a card replacement until the owner turns it on', async () => {
  const { project_id } = await newProject(6, 'chargeDeclined')
  await charge(project_id, 2)
  await rest(project_id)
  await set(project_id, { card: card('visa') })
  await rest(project_id)
  const { auto_reload } = await balanceOf(project_id)
  assert.equal(auto_reload.disabled_reason, 'card_declined')
  assert.equal(auto_reload.active, false)
  assert.equal((await reloadsOf(project_id)).length, 1)
  await set(project_id, { enabled: true })
  await rest(project_id)
  const after = await balanceOf(project_id)
  assert.equal(after.balance_eur, 24)
  assert.equal(after.auto_reload.disabled_reason, null)
  assert.equal(after.auto_reload.active, true)
})

for (const name of ['takenThenSilence', 'takenThenTrouble']) {
  test(`takes a payment once if its outcome is unknown at first (${name})`, async () => {
    const { project_id } = await newProject(6, name)
    await charge(project_id, 2)
    if (name === 'takenThenSilence') {
      await eventually(async () => {
        const [begun] = await reloadsOf(project_id)
        return begun !== undefined && (await takenFor(begun.id)) === 1
      })
      hangUp()
    }
    await rest(project_id)
    const [pending] = await reloadsOf(project_id)
    assert.equal(pending?.state, 'pending')
    const waiting = await balanceOf(project_id)
    assert.equal(waiting.balance_eur, 4)
    assert.equal(waiting.auto_reload.used_this_month, 1)
    await pass(project_id, '10 seconds')
    const known = await balanceOf(project_id)
    assert.equal(known.balance_eur, 24)
    assert.equal(known.auto_reload.used_this_month, 1)
    assert.equal(await takenFor(pending.id), 1)
    assert.equal((await reloadsOf(project_id)).length, 1)
  })
}

/** Runs the top-up, and ends before its outcome is stored, like a process that dies. */
async function crash(project_id: string): Promise<void> {
  const finish = () => Promise.reject(new Error('The process ends.'))
  const { signal } = new AbortController()
  const work = { runtime, payload: { project_id }, project_id, attempt: 1, signal, finish }
  await assert.rejects(reload(work), /The process ends/)
}

for (const later of ['1 seconds', '100 minutes', '30 hours']) {
  test(`takes a payment once if the process dies after it and the payment is found ${later} later`, async () => {
    const { project_id } = await newProject(6, 'visa', { enabled: false })
    await charge(project_id, 2)
    await runtime.db.transact((tx) =>
      tx
        .updateTable('billing_settings')
        .set({ reload_enabled: true })
        .where('project_id', '=', project_id)
        .execute(),
    )
    await crash(project_id)
    const [pending] = await reloadsOf(project_id)
    assert.equal(pending?.state, 'pending')
    assert.equal(await takenFor(pending.id), 1)
    fixture.passes(later)
    await resumeDueReloads.run(runtime)
    await rest(project_id)
    assert.equal((await balanceOf(project_id)).balance_eur, 24)
    assert.equal(await takenFor(pending.id), 1)
    assert.equal((await reloadsOf(project_id)).length, 1)
  })
}

test('automatic top-up makes one top-up for any number of concurrent charges', async () => {
  const { project_id } = await newProject(6, 'visa')
  await Promise.all(Array.from({ length: 22 }, () => charge(project_id, 0.1)))
  await rest(project_id)
  assert.equal((await reloadsOf(project_id)).length, 1)
  assert.equal((await balanceOf(project_id)).balance_eur, 23.8)
})

test('automatic top-up runs at most the set number of times a calendar month, and again in the next', async () => {
  const { project_id } = await newProject(6, 'visa', { max_per_month: 1 })
  await charge(project_id, 2)
  await rest(project_id)
  assert.equal((await balanceOf(project_id)).auto_reload.active, false)
  await charge(project_id, 23)
  await rest(project_id)
  await resumeDueReloads.run(runtime)
  await rest(project_id)
  assert.equal((await balanceOf(project_id)).balance_eur, 1)
  const month = toMonth(runtime.clock.now())
  const next_ms = Temporal.PlainDate.from(month)
    .add({ months: 1 })
    .toZonedDateTime('Europe/Amsterdam').epochMilliseconds
  fixture.passes(`${(next_ms - runtime.clock.now_ms()) / 1000 + 1} seconds`)
  await resumeDueReloads.run(runtime)
  await rest(project_id)
  const { balance_eur, auto_reload } = await balanceOf(project_id)
  assert.equal(balance_eur, 21)
  assert.equal(auto_reload.used_this_month, 1)
})

test('automatic top-up does not count failed top-ups in the monthly limit', async () => {
  const { project_id } = await newProject(6, 'chargeDeclined', { max_per_month: 1 })
  await charge(project_id, 2)
  await rest(project_id)
  await set(project_id, { enabled: true, card: card('visa') })
  await rest(project_id)
  const { balance_eur, auto_reload } = await balanceOf(project_id)
  assert.equal(balance_eur, 24)
  assert.equal(auto_reload.used_this_month, 1)
})

test('automatic top-up ignores a failure of the old card after its replacement', async () => {
  const { project_id } = await newProject(6, 'chargeDeclined', { enabled: false })
  await charge(project_id, 2)
  const work = { runtime, payload: { project_id }, project_id, attempt: 1 }
  await runtime.db.transact((tx) =>
    tx
      .updateTable('billing_settings')
      .set({ reload_enabled: true })
      .where('project_id', '=', project_id)
      .execute(),
  )
  await reload({
    ...work,
    signal: new AbortController().signal,
    async finish(write) {
      await set(project_id, { card: card('visa') })
      await runtime.db.transact(async (tx) => write?.(tx))
    },
  })
  await rest(project_id)
  const { auto_reload, balance_eur } = await balanceOf(project_id)
  assert.equal(auto_reload.disabled_reason, null)
  assert.equal(balance_eur, 24)
  assert.deepEqual(
    (await reloadsOf(project_id)).map(({ state }) => state),
    ['failed', 'paid'],
  )
})

test('automatic top-up does not top up a deleted project', async () => {
  const { project_id } = await newProject(6, 'visa')
  await projects.remove(runtime, project_id)
  await charge(project_id, 2)
  await rest(project_id)
  await resumeDueReloads.run(runtime)
  await rest(project_id)
  assert.deepEqual(await reloadsOf(project_id), [])
})

test('automatic top-up reads the card details for display from the provider', async () => {
  const { project_id, key } = await newProject(6, 'visa')
  const year = (runtime.clock.now().getUTCFullYear() + 1) % 100
  const { body } = await call('GET /balance', { key })
  assert.deepEqual(body.auto_reload.card, { brand: 'visa', last4: '4242', expiry: `12/${year}` })
  assert.equal((await projects.find(runtime.db, project_id))?.card, true)
  assert.equal((await projects.find(runtime.db, project_id))?.payment_authenticated, false)
  await set(project_id, { card: null })
  assert.equal((await balanceOf(project_id)).auto_reload.card, null)
  assert.equal((await projects.find(runtime.db, project_id))?.card, false)
})

test('automatic top-up is turned off if the provider does not know the card', async () => {
  const { project_id } = await newProject(6, 'of_nobody')
  const { auto_reload } = await balanceOf(project_id)
  assert.equal(auto_reload.card, null)
  assert.equal(auto_reload.active, false)
  assert.equal(auto_reload.disabled_reason, 'card_unusable')
})

test('automatic top-up accepts only amounts that a card can be charged', async () => {
  const { project_id } = await fixture.newProject()
  const wrong: AutoReloadChanges[] = [
    { amount_micro: 4_990_000n },
    { amount_micro: 10_000_010_000n },
    { amount_micro: 5_001_000n },
    { threshold_micro: -1n },
    { threshold_micro: 10_000_000_001n },
    { max_per_month: 0 },
    { max_per_month: 101 },
  ]
  for (const changes of wrong) await assert.rejects(set(project_id, changes), assert.AssertionError)
})

test('automatic top-up adds no database query to a charge while it is off', async () => {
  const { project_id } = await newProject(6, 'visa', { enabled: false })
  await charge(project_id, 2)
  const jobs = await runtime.db
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', project_id)
    .execute()
  assert.deepEqual(jobs, [])
})
