/** Tests of GET /balance and the balance events over HTTP. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { openTestRuntime, type NewTestProject } from '../../../../test/fixtures/runtime.ts'
import { openReceiver } from '../../../../test/fixtures/external/outside.ts'
import { scopeNames } from '../../../contract/scopes.ts'
import { isUuid, newId } from '../../../kernel/values/ids.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import * as projects from '../../projects/service.ts'
import * as events from '../events.ts'
import { toMonth } from './ledger.ts'
import * as billing from '../service.ts'

const fixture = await openTestRuntime()
const { runtime, call } = fixture

const topUp = (project_id: string, euro: number) =>
  runtime.db.transact((tx) =>
    billing.topUp(tx, runtime, {
      project_id,
      amount_micro: microFromEuro(euro),
      source: 'payment',
      description: 'Top-up by card',
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

async function newProjectWithKey(): Promise<{ project_id: string; key: string }> {
  const { project_id } = await fixture.newProject()
  return { project_id, key: await fixture.newKey({ project_id }) }
}

async function newPair(): Promise<NewTestProject & { live_key: string; test_key: string }> {
  const pair = await fixture.newProject({ shape: 'pair' })
  const live_key = await fixture.newKey({ project_id: pair.live_project_id, mode: 'live' })
  return { ...pair, live_key, test_key: await fixture.newKey({ project_id: pair.test_project_id }) }
}

test('the balance of a new project is zero, with no cap and default automatic top-up settings', async () => {
  const { status, body } = await call('GET /balance')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    balance_eur: 0,
    currency: 'EUR',
    spent_this_month_eur: 0,
    spend_cap_eur: null,
    auto_reload: {
      enabled: false,
      active: false,
      threshold_eur: 5,
      amount_eur: 20,
      max_per_month: 5,
      used_this_month: 0,
      disabled_reason: null,
      card: null,
    },
    transactions: [],
    test: true,
  })
})

test('GET /balance returns a transaction with exactly the fields of the specification', async () => {
  const { project_id, key } = await newProjectWithKey()
  await topUp(project_id, 20)
  const { body } = await call('GET /balance', { key })
  const [{ id, reference_id, created_at, ...rest }] = body.transactions
  assert(isUuid(id) && isUuid(reference_id))
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(rest, {
    type: 'top_up',
    source: 'payment',
    amount_eur: 20,
    balance_after_eur: 20,
    description: 'Top-up by card',
    quantity: null,
    unit: null,
  })
})

test('GET /balance returns the latest 20 transactions, newest first', async () => {
  const { project_id, key } = await newProjectWithKey()
  await topUp(project_id, 20)
  for (let number = 1; number <= 21; number += 1) await charge(project_id, number / 1000)
  const { body } = await call('GET /balance', { key })
  const amounts = body.transactions.map((row: { amount_eur: number }) => row.amount_eur)
  assert.deepEqual(
    amounts,
    Array.from({ length: 20 }, (_, index) => -(21 - index) / 1000),
  )
  assert.equal(body.balance_eur, body.transactions[0].balance_after_eur)
})

test('GET /balance excludes held money from the balance and from the transactions', async () => {
  const { project_id, key } = await newProjectWithKey()
  await topUp(project_id, 20)
  await hold(project_id, 8)
  const { body } = await call('GET /balance', { key })
  assert.equal(body.balance_eur, 12)
  assert.equal(body.spent_this_month_eur, 8)
  assert.equal(body.transactions.length, 1)
})

test('GET /balance returns the monthly spending cap if one is set', async () => {
  const { project_id, key } = await newProjectWithKey()
  await projects.change(runtime.db, project_id, { spending_limit_micro: 250_500_000n })
  assert.equal((await call('GET /balance', { key })).body.spend_cap_eur, 250.5)
})

test('the balance resets the spending with the month and keeps the transactions', async () => {
  const { project_id, key } = await newProjectWithKey()
  await topUp(project_id, 20)
  await charge(project_id, 3)
  assert.equal((await call('GET /balance', { key })).body.spent_this_month_eur, 3)
  fixture.passes('32 days')
  const { body } = await call('GET /balance', { key })
  assert.equal(body.spent_this_month_eur, 0)
  assert.equal(body.balance_eur, 17)
  assert.equal(body.transactions.length, 2)
})

test('GET /balance returns the balance of the live project for its test key, marked as test', async () => {
  const pair = await newPair()
  await topUp(pair.live_project_id, 20)
  await projects.change(runtime.db, pair.live_project_id, { spending_limit_micro: 40_000_000n })
  const by_test = await call('GET /balance', { key: pair.test_key })
  const by_live = await call('GET /balance', { key: pair.live_key })
  assert.equal(by_live.body.balance_eur, 20)
  assert.equal(by_live.body.spend_cap_eur, 40)
  assert.equal(by_live.body.test, false)
  assert.deepEqual(by_test.body, { ...by_live.body, test: true })
})

test('GET /balance returns the same balance for test and live keys of a single project', async () => {
  const { project_id, key } = await newProjectWithKey()
  const live_key = await fixture.newKey({ project_id, mode: 'live' })
  await topUp(project_id, 20)
  const { body } = await call('GET /balance', { key: live_key })
  assert.equal(body.balance_eur, 20)
  assert.equal(body.test, false)
  assert.deepEqual((await call('GET /balance', { key })).body, { ...body, test: true })
})

test('GET /balance shows no balance of another project', async () => {
  const [mine, other] = [await newProjectWithKey(), await newProjectWithKey()]
  await topUp(mine.project_id, 20)
  await charge(mine.project_id, 1)
  const { body } = await call('GET /balance', { key: other.key })
  assert.equal(body.balance_eur, 0)
  assert.deepEqual(body.transactions, [])
})

test('GET /balance answers 404 not_found for a test project whose live project was deleted', async () => {
  const pair = await newPair()
  await projects.remove(runtime, pair.live_project_id)
  const { status, body } = await call('GET /balance', { key: pair.test_key })
  assert.equal(status, 404)
  assert.match(body.type, /\/errors\/not_found$/)
})

test('GET /balance requires project:read, and answers 403 to a key limited to some sites and apps', async () => {
  const scopes = scopeNames.filter((scope) => scope !== 'project:read')
  const without = await call('GET /balance', { key: await fixture.newKey({ scopes }) })
  assert.equal(without.status, 403)
  assert.match(without.body.type, /\/errors\/missing_scope$/)
  const access = { sites: [], apps: [], collections: [], limited_by: 'api_key' as const }
  const limited = await call('GET /balance', { key: await fixture.newKey({ access }) })
  assert.equal(limited.status, 403)
  assert.match(limited.body.type, /\/errors\/forbidden$/)
})

test('GET /balance returns the automatic top-up settings of the owner and the reason if it is inactive', async () => {
  const { project_id, key } = await newProjectWithKey()
  const card = { brand: 'visa', last4: '4242', expiry: '12/28' }
  const set = {
    project_id,
    reload_enabled: true,
    reload_threshold_micro: 7_500_000n,
    reload_amount_micro: 50_000_000n,
    reload_max_per_month: 2,
    reload_disabled_reason: 'card_expired' as const,
    payment_method: 'pm_card_chargeDeclinedExpiredCard',
    card: JSON.stringify({ ...card, token: 'not for anybody' }),
  }
  await runtime.db.transact((tx) => tx.insertInto('billing_settings').values(set).execute())
  for (const state of ['paid', 'pending', 'failed'] as const) await newReload(project_id, state)
  const { body } = await call('GET /balance', { key })
  assert.deepEqual(body.auto_reload, {
    enabled: true,
    active: false,
    threshold_eur: 7.5,
    amount_eur: 50,
    max_per_month: 2,
    used_this_month: 2,
    disabled_reason: 'card_expired',
    card,
  })
})

async function newReload(project_id: string, state: 'paid' | 'pending' | 'failed') {
  const now = runtime.clock.now()
  const row = {
    project_id,
    id: newId(runtime.clock),
    state,
    amount_micro: 20_000_000n,
    payment_method: 'pm_card_visa',
    payment_id: state === 'paid' ? 'pi_1' : null,
    failed_reason: state === 'failed' ? ('card_declined' as const) : null,
    month: toMonth(now),
    created_at: now,
    ended_at: state === 'pending' ? null : now,
  }
  await runtime.db.transact((tx) => tx.insertInto('billing_reloads').values(row).execute())
  return row
}

interface Received {
  type: string
  data: { balance_eur: number; transaction: { id: string; amount_eur: number } }
}

/** A webhook endpoint of a project; `next` waits for the next event that it receives. */
async function openEndpoint(t: TestContext, key: string) {
  const received: Received[] = []
  let heard = Promise.withResolvers<void>()
  const { port } = await openReceiver(t, async (request, response) => {
    received.push(JSON.parse(await text(request)))
    response.end()
    heard.resolve()
  })
  const url = `http://127.0.0.1:${port}/hook`
  const body = { url, events: ['balance.low', 'balance.topped_up'] }
  const { status } = await call('POST /webhooks', { key, body })
  assert.equal(status, 201)
  return {
    async next(): Promise<Received> {
      for (;;) {
        const event = received.shift()
        if (event) return event
        heard = Promise.withResolvers<void>()
        await heard.promise
      }
    },
  }
}

// A time limit, so that a test fails instead of hanging if an event never arrives.
const patience = { timeout: 60_000 }

test(
  'the balance sends balance.topped_up with the transaction of a top-up',
  patience,
  async (t) => {
    const { project_id, key } = await newProjectWithKey()
    const endpoint = await openEndpoint(t, key)
    await topUp(project_id, 20)
    const { type, data } = await endpoint.next()
    const [transaction] = (await call('GET /balance', { key })).body.transactions
    assert.equal(type, 'balance.topped_up')
    assert.deepEqual(data, { balance_eur: 20, currency: 'EUR', transaction })
  },
)

test(
  'the balance sends balance.low when a charge crosses the threshold, and not again below it',
  patience,
  async (t) => {
    const { project_id, key } = await newProjectWithKey()
    const endpoint = await openEndpoint(t, key)
    await topUp(project_id, 6)
    assert.equal((await endpoint.next()).type, 'balance.topped_up')
    await hold(project_id, 2)
    await charge(project_id, 1)
    await charge(project_id, 0.5)
    const { type, data } = await endpoint.next()
    assert.equal(type, 'balance.low')
    assert.equal(data.transaction.amount_eur, -0.5)
    assert.deepEqual(data, {
      balance_eur: 2.5,
      currency: 'EUR',
      threshold_eur: 5,
      transaction: data.transaction,
    })
    await charge(project_id, 0.5)
    await topUp(project_id, 10)
    assert.equal((await endpoint.next()).type, 'balance.topped_up')
    await charge(project_id, 9.5)
    const again = await endpoint.next()
    assert.equal(again.type, 'balance.low')
    assert.equal(again.data.balance_eur, 2.5)
  },
)

test('the balance sends balance.reload_failed with the amount and the reason', async () => {
  const { project_id } = await newProjectWithKey()
  const { id, ended_at } = await newReload(project_id, 'failed')
  const subject = { reload_id: id }
  assert.deepEqual(await events.balanceReloadFailed.load(runtime.db, project_id, subject), {
    amount_eur: 20,
    currency: 'EUR',
    reason: 'card_declined',
    occurred_at: ended_at?.toISOString(),
  })
})

test('the balance keeps the data of an event unchanged when the balance changes later', async () => {
  const { project_id } = await newProjectWithKey()
  await topUp(project_id, 6)
  const [transaction] = (
    await billing.readBalance(runtime.db, runtime, { project_id, test: false })
  ).transactions
  const subject = { transaction_id: transaction?.id ?? '' }
  const load = () => events.balanceToppedUp.load(runtime.db, project_id, subject)
  const first = await load()
  await charge(project_id, 5)
  assert.deepEqual(await load(), first)
})
