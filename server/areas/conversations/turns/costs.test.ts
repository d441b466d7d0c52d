/**
 * Tests of the charges for replies of a language model, with a provider that works and one that
 * fails.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { solveChallenge } from '../../../../test/fixtures/sites/chat-page.ts'
import { newAddress, ORIGIN, slugOf } from '../../../../test/fixtures/sites/site.ts'
import { withShortTimeout } from '../../../../test/fixtures/external/impatience.ts'
import { openStreamingModel } from '../../../../test/fixtures/external/streaming-model.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import * as billing from '../../billing/service.ts'

const model = await openStreamingModel()
const fixture = await openTestRuntime({
  work: false,
  settings: { ...model.settings, HOMEPORT_MODEL_CHOICES: 'large-1=10' },
})
const { runtime } = fixture
const text = 'Yes, behind the shop, and it is free.'
/** 1,000 tokens read and 200 written. */
const PRICE_EUR = 0.0012

async function openShop({ mode = 'live' as 'live' | 'test', balance = 1, settings = {} } = {}) {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id, mode })
  const call = (route: string, body?: unknown) =>
    fixture.call(route, { key, ...(body === undefined ? {} : { body }) })
  await call('PUT /assistant', {
    name: 'Mill',
    facts: [{ question: 'Can I park?', answer: text }],
    ...settings,
  })
  if (balance > 0) {
    const amount_micro = microFromEuro(balance)
    const topUp = { project_id, amount_micro, source: 'payment' as const, description: 'Top-up' }
    await runtime.db.transact((tx) =>
      billing.topUp(tx, runtime, { ...topUp, reference: randomUUID() }),
    )
  }
  const { body } = await call('POST /conversations', {})
  const { id } = body.conversation
  const ask = async () => {
    const response = await fetch(`${fixture.url}/api/v1/conversations/${id}/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ text: 'Can I park?' }),
    })
    return { status: response.status, text: await response.text() }
  }
  const last = async () => {
    const found = await call(`GET /conversations/${id}`)
    return { message: found.body.messages[0], conversation: found.body }
  }
  const spent = async () => {
    const state = await billing.readBalance(runtime.db, runtime, { project_id, test: false })
    return {
      balance: state.balance_eur,
      charged: state.transactions.filter(({ type }) => type === 'charge').length,
    }
  }
  return { project_id, call, ask, last, spent, path: `/conversations/${id}` }
}

const rounded = (euro: number) => Math.round(euro * 1e6) / 1e6

describe('a reply of a language model', () => {
  test('is charged by its tokens, on the message, the conversation and the usage', async () => {
    const shop = await openShop()
    model.script({ text })
    const { text: events } = await shop.ask()
    assert.match(events, /event: message\.delta/)
    const { message, conversation } = await shop.last()
    assert.deepEqual([message.text, message.answer_kind], [text, 'model'])
    assert.equal(message.model, 'openai_compatible:small-1')
    assert.deepEqual(message.usage, {
      input_tokens: 1000,
      cached_tokens: 0,
      output_tokens: 200,
      estimated: false,
    })
    assert.deepEqual([message.cost_eur, conversation.cost_eur], [PRICE_EUR, PRICE_EUR])
    assert.deepEqual(await shop.spent(), { balance: rounded(1 - PRICE_EUR), charged: 1 })
    const { body } = await shop.call('GET /usage')
    const [used] = body.data
    assert.deepEqual(
      [used.area, used.model, used.requests, used.cost_eur, used.test],
      ['chat', 'openai_compatible:small-1', 1, PRICE_EUR, false],
    )
    assert.equal(body.cost_eur, PRICE_EUR)
  })

  test('uses the model that the project chose, at its price', async () => {
    const shop = await openShop({ settings: { model: 'openai_compatible:large-1' } })
    model.script({ text })
    await shop.ask()
    assert.equal(JSON.parse(model.requests.at(-1)!.text).model, 'large-1')
    assert.equal((await shop.last()).message.cost_eur, rounded(PRICE_EUR * 10))
    const unknown = await shop.call('PUT /assistant', { name: 'x', model: 'openai:gpt-9' })
    assert.equal(unknown.status, 422)
    const builtin = await shop.call('PUT /assistant', { name: 'x', model: 'builtin' })
    assert.equal(builtin.body.model, 'builtin')
  })

  const oddUsages = {
    'no usage': { uncounted: true as const },
    'negative usage': { usage: { prompt_tokens: -5, completion_tokens: -1, total_tokens: -6 } },
    'usage of zero': { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } },
  }
  for (const [what, odd] of Object.entries(oddUsages)) {
    test(`is charged by an estimate if the provider reports ${what}`, async () => {
      const shop = await openShop()
      model.script({ text, ...odd })
      await shop.ask()
      const { message } = await shop.last()
      assert.equal(message.usage.estimated, true)
      assert.ok(message.cost_eur > 0 && message.cost_eur < 0.01, String(message.cost_eur))
      assert.deepEqual(await shop.spent(), { balance: rounded(1 - message.cost_eur), charged: 1 })
    })
  }

  test('costs no more than was held if the provider reports a huge usage', async () => {
    const shop = await openShop()
    const usage = { prompt_tokens: 9e9, completion_tokens: 9e9, total_tokens: 18e9 }
    model.script({ text, usage })
    await shop.ask()
    const { message } = await shop.last()
    assert.equal(message.cost_eur, 0.03)
    assert.deepEqual(await shop.spent(), { balance: 0.97, charged: 1 })
  })
})

describe('a provider that fails', () => {
  test('is asked once more, and only the answer is charged', async () => {
    const shop = await openShop()
    model.script({ status: 500 }, { text })
    await shop.ask()
    const { message } = await shop.last()
    assert.deepEqual([message.answer_kind, message.cost_eur], ['model', PRICE_EUR])
    assert.deepEqual(await shop.spent(), { balance: rounded(1 - PRICE_EUR), charged: 1 })
  })

  for (const [what, replies] of Object.entries({
    'with errors': [{ status: 500 }, { status: 503 }],
    'with a refused key': [{ status: 401 }],
    'with junk': [{ junk: '<html>gateway</html>' }, { junk: 'data: {]\n\n' }],
  })) {
    test(`${what} is replaced by the built-in model, for free`, async () => {
      const shop = await openShop()
      model.script(...replies)
      await shop.ask()
      const { message } = await shop.last()
      assert.deepEqual(
        [message.answer_kind, message.model, message.text, message.cost_eur],
        ['fallback', 'builtin', text, 0],
      )
      assert.deepEqual(await shop.spent(), { balance: 1, charged: 0 })
    })
  }

  test('in the middle of an answer is charged once for what it wrote', async () => {
    const shop = await openShop()
    model.script({ text: 'You can park', breaks: true })
    await shop.ask()
    const { message } = await shop.last()
    assert.deepEqual([message.answer_kind, message.text], ['fallback', text])
    assert.ok(message.cost_eur > 0 && message.cost_eur < 0.01)
    assert.deepEqual(await shop.spent(), { balance: rounded(1 - message.cost_eur), charged: 1 })
  })
})

describe('a provider that ignores the greatest length', () => {
  test('is stopped, and charged once for what it wrote', async () => {
    const shop = await openShop()
    model.script({ text: 'You can park here. '.repeat(2_000), stalls: true })
    await shop.ask()
    const { message } = await shop.last()
    assert.deepEqual([message.answer_kind, message.usage.estimated], ['model', true])
    assert.ok(message.text.length <= 4_000, String(message.text.length))
    assert.deepEqual(await shop.spent(), { balance: rounded(1 - message.cost_eur), charged: 1 })
    await eventually(() => model.stalled() === 0)
  })
})

describe('a provider that stalls', () => {
  test('in the middle of an answer is charged once for what it wrote', async () => {
    const shop = await openShop()
    model.script({ text: 'You can park', stalls: true })
    await withShortTimeout(runtime, 'model', () => shop.ask())
    const { message } = await shop.last()
    assert.deepEqual([message.answer_kind, message.text], ['fallback', text])
    assert.ok(message.cost_eur > 0 && message.cost_eur < 0.01)
    assert.deepEqual(await shop.spent(), { balance: rounded(1 - message.cost_eur), charged: 1 })
    await eventually(() => model.stalled() === 0)
  })
})

/** Asks, and does something else with the conversation while the answer is half written. */
async function meanwhile(shop: Awaited<ReturnType<typeof openShop>>, act: () => Promise<unknown>) {
  const pause = Promise.withResolvers<void>()
  const count = model.requests.length
  model.script({ text, pause: pause.promise })
  const asking = shop.ask()
  await eventually(() => model.requests.length > count)
  await act()
  pause.resolve()
  return (await asking).text
}

describe('an answer that is being written', () => {
  test('is charged and not stored if the conversation is closed meanwhile', async () => {
    const shop = await openShop()
    const events = await meanwhile(shop, () => shop.call(`POST ${shop.path}/close`, {}))
    assert.match(events, /conversation_busy|conversation_closed/)
    assert.doesNotMatch(events, /message\.completed/)
    const { conversation } = await shop.last()
    assert.equal(conversation.status, 'closed')
    assert.ok(!conversation.messages.some((one: any) => one.text === text))
    assert.deepEqual(await shop.spent(), { balance: rounded(1 - PRICE_EUR), charged: 1 })
  })

  test('is not repeated by a person who takes over meanwhile', async () => {
    const shop = await openShop()
    await meanwhile(shop, () => shop.call(`POST ${shop.path}/replies`, { text: 'I am Jan.' }))
    const { conversation } = await shop.last()
    assert.equal(conversation.status, 'handed_off')
    const said = conversation.messages.filter(({ role }: any) => role !== 'visitor')
    assert.equal(said.filter(({ text: of }: any) => of === 'I am Jan.').length, 1)
    assert.ok(said.filter(({ text: of }: any) => of === text).length <= 1)
    assert.deepEqual(await shop.spent(), { balance: rounded(1 - PRICE_EUR), charged: 1 })
  })

  test('refuses a second message with 409 conversation_busy', async () => {
    const shop = await openShop()
    let second: Awaited<ReturnType<typeof shop.ask>> | null = null
    await meanwhile(shop, async () => (second = await shop.ask()))
    assert.equal(second!.status, 409)
    assert.match(second!.text, /conversation_busy/)
  })
})

describe('the payment of a reply', () => {
  test('is refused with 402 insufficient_balance in live mode, without a request or a turn', async () => {
    const shop = await openShop({ balance: 0.001 })
    const before = model.requests.length
    const refused = await shop.ask()
    assert.equal(refused.status, 402)
    assert.match(refused.text, /insufficient_balance/)
    assert.equal(model.requests.length, before)
    assert.equal((await shop.last()).conversation.turns, 0)
  })

  test('that cannot be paid is 503 chat_unavailable for a visitor, without the reason', async () => {
    const shop = await openShop({ balance: 0.001 })
    const made = await shop.call('POST /chat-tokens', { allowed_origins: [ORIGIN] })
    const { token } = made.body
    const headers = { origin: ORIGIN, 'x-forwarded-for': newAddress() }
    const visit = (route: string, body: object, more = {}) =>
      fixture.call(route, { key: token, body, headers: { ...headers, ...more } })
    const challenge = await solveChallenge(fixture, { token, headers })
    const { body } = await visit('POST /public/conversations', { challenge })
    const route = `POST /public/conversations/${body.conversation.id}/messages`
    const mine = { 'x-conversation-token': body.conversation_token }
    const refused = await visit(route, { text: 'Can I park?' }, mine)
    assert.deepEqual([refused.status, slugOf(refused)], [503, 'chat_unavailable'])
    assert.doesNotMatch(refused.text, /balance|pay|top/i)
  })

  test('uses the free replies of the day in test mode, then the balance, and then gets 402', async () => {
    const shop = await openShop({ mode: 'test', balance: 0.031 })
    model.script({ text })
    await shop.ask()
    assert.equal((await shop.last()).message.cost_eur, 0)
    await runtime.db.transact((tx) =>
      tx
        .updateTable('assistant_test_replies')
        .set({ replies: limits.test_replies_free_per_day })
        .where('project_id', '=', shop.project_id)
        .execute(),
    )
    model.script({ text })
    await shop.ask()
    assert.equal((await shop.last()).message.cost_eur, PRICE_EUR)
    const refused = await shop.ask()
    assert.equal(refused.status, 402)
    assert.match(refused.text, /test_free_replies_used/)
  })
})
