/**
 * Tests of the free daily budget of test calls with a real language model, over the provider's
 * socket.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { openOpenAiServer } from '../../../../test/fixtures/external/openai-server.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import * as billing from '../../billing/service.ts'
import * as projects from '../../projects/service.ts'

const provider = await openOpenAiServer()
const fixture = await openTestRuntime({
  work: false,
  settings: {
    HOMEPORT_MODEL: 'openai_compatible',
    HOMEPORT_MODEL_NAME: 'small-1',
    HOMEPORT_MODEL_KEY: 'a-key-of-the-provider',
    HOMEPORT_MODEL_URL: provider.url,
  },
})
const { runtime } = fixture
const free = limits.test_replies_free_per_day
const answer = { text: 'Yes, behind the shop.' }
const summary = {
  text: JSON.stringify({
    text: 'The caller asked about parking.',
    topics: ['parking'],
    sentiment: 'neutral',
    action_items: [],
    next_step: 'Nothing.',
  }),
}
/** The price of a reply: the provider reports 10 tokens read and 5 written. */
const reply_eur = 0.000021

beforeEach(() => {
  provider.requests.length = 0
})

async function openShop(project_id: string, on = fixture) {
  const key = await on.newKey({ project_id })
  await on.call('PUT /assistant', { key, body: { name: 'Mill Bakery', languages: ['en'] } })
  const number = await on.call('POST /numbers', {
    key,
    body: {},
    headers: { 'idempotency-key': randomUUID() },
  })
  const body = { number_id: number.body.id, turns: [{ say: 'Can I park my car near your shop?' }] }
  return { project_id, key, ring: () => on.call('POST /test/calls', { key, body }) }
}

async function newShop() {
  const { project_id } = await fixture.newProject()
  return openShop(project_id)
}

async function useUp(project_id: string, replies: number = free): Promise<void> {
  const day = billing.toDay(runtime.clock.now(), runtime.config.billing_timezone)
  const row = { project_id, day, replies }
  await runtime.db.transact((tx) => tx.insertInto('assistant_test_replies').values(row).execute())
}

async function usedBy(project_id: string, on = fixture): Promise<number> {
  const rows = await on.runtime.db
    .selectFrom('assistant_test_replies')
    .select('replies')
    .where('project_id', '=', project_id)
    .execute()
  return rows[0]?.replies ?? 0
}

async function topUp(project_id: string, euro: number): Promise<void> {
  await runtime.db.transact((tx) =>
    billing.topUp(tx, runtime, {
      project_id,
      amount_micro: microFromEuro(euro),
      source: 'payment',
      description: 'Top-up by card',
      reference: randomUUID(),
    }),
  )
}

async function chargesOf(project_id: string) {
  const balance = await billing.readBalance(runtime.db, runtime, { project_id, test: false })
  return balance.transactions.filter(({ type }) => type !== 'top_up')
}

test('the budget of test calls counts the answer and the summary, and charges nothing', async () => {
  const { project_id, ring } = await newShop()
  await topUp(project_id, 1)
  provider.script(answer, summary)
  assert.equal((await ring()).status, 201)
  assert.equal(provider.requests.length, 2)
  assert.equal(await usedBy(project_id), 2)
  assert.deepEqual(await chargesOf(project_id), [])
})

test('the budget of test calls charges the tokens of each reply beyond the budget, and releases the rest', async () => {
  const { project_id, key, ring } = await newShop()
  await topUp(project_id, 1)
  await useUp(project_id, free - 1)
  provider.script(answer, summary)
  const { body } = await ring()
  const [charge, ...others] = await chargesOf(project_id)
  assert.deepEqual(others, [])
  assert.equal(charge?.source, 'ai')
  assert.equal(charge.amount_eur, -reply_eur)
  assert.equal(charge.quantity, 15)
  assert.equal(charge.unit, 'tokens')
  assert.equal(charge.reference_id, body.id)
  const { body: listed } = await fixture.call('GET /calls', { key })
  assert.deepEqual(
    listed.data.map(({ cost_eur }: { cost_eur: number }) => cost_eur),
    [reply_eur],
  )
  assert.equal((await fixture.call(`GET /calls/${body.id}`, { key })).body.cost_eur, reply_eur)
  const balance = await fixture.call('GET /balance', { key })
  assert.equal(balance.body.spent_this_month_eur, reply_eur)
})

test('the budget of test calls charges the live project of a pair', async () => {
  const { test_project_id, live_project_id } = await fixture.newProject({ shape: 'pair' })
  const { ring } = await openShop(test_project_id)
  await topUp(live_project_id, 1)
  await useUp(test_project_id)
  provider.script(answer, summary)
  assert.equal((await ring()).status, 201)
  assert.equal((await chargesOf(live_project_id)).length, 2)
})

test('the budget of test calls refuses a test call if the live project of its pair was deleted', async () => {
  const { test_project_id, live_project_id } = await fixture.newProject({ shape: 'pair' })
  const { ring } = await openShop(test_project_id)
  await topUp(live_project_id, 1)
  await useUp(test_project_id)
  await projects.remove(runtime, live_project_id)
  assert.equal((await ring()).status, 402)
})

test('the budget of test calls refuses with 402 without a balance, and writes no call', async () => {
  const { project_id, key, ring } = await newShop()
  await useUp(project_id)
  const { status, body } = await ring()
  assert.equal(status, 402)
  assert.match(body.type, /\/errors\/test_free_replies_used$/)
  assert.equal(provider.requests.length, 0)
  assert.deepEqual((await fixture.call('GET /calls', { key })).body.data, [])
})

test('the budget of test calls refuses beyond the spending cap of the month', async () => {
  const { project_id, ring } = await newShop()
  await topUp(project_id, 1)
  await projects.change(runtime.db, project_id, { spending_limit_micro: 0n })
  await useUp(project_id)
  const { status, body } = await ring()
  assert.equal(status, 402)
  assert.match(body.type, /\/errors\/test_free_replies_used$/)
})

test('the budget of test calls uses the last free reply once, however many calls run at once', async () => {
  const { project_id, ring } = await newShop()
  await useUp(project_id, free - 1)
  provider.script(answer)
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await ring()).status))
  assert.equal(provider.requests.length, 1)
  assert.equal(await usedBy(project_id), free)
  assert.ok(statuses.includes(201))
})

test('the budget of test calls does not count a failed request, which costs nothing', async () => {
  const { project_id, ring } = await newShop()
  await topUp(project_id, 1)
  await useUp(project_id, free - 1)
  const failure = { status: 500, message: 'overloaded' }
  provider.script(failure, failure)
  assert.equal((await ring()).status, 201)
  assert.equal(await usedBy(project_id), free - 1)
  assert.deepEqual(await chargesOf(project_id), [])
})

test('the budget of test calls starts a new budget the next day', async () => {
  const { project_id, ring } = await newShop()
  await useUp(project_id)
  fixture.passes('1 day')
  provider.script(answer, summary)
  assert.equal((await ring()).status, 201)
  assert.equal(await usedBy(project_id), 2)
})

test('the budget of test calls counts nothing with the built-in model', async () => {
  const builtin = await openTestRuntime({ work: false })
  const { project_id } = await builtin.newProject()
  const { ring } = await openShop(project_id, builtin)
  assert.equal((await ring()).status, 201)
  assert.equal(await usedBy(project_id, builtin), 0)
})
