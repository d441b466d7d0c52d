/**
 * Four wishes of an owner in one conversation over MCP, each within 8 calls and 1,500 tokens beside
 * tools/list, and none that says success without its effect. What an earlier reply showed is not searched again.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import { eventually } from '../test/fixtures/eventually.ts'
import { openAgentClient } from './agent/agent-client.ts'
import { scriptedAgent } from './agent/scripted.ts'
import { readAssistantWords, simulateCall } from './calls.ts'
import { formOn, sendForm } from './form.ts'
import { openWorld, type ReplyValue } from './world.ts'

const CALLS_MAX = 8
const TOKENS_MAX = 1_500

const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closers.toReversed()) await close()
})
const world = await openWorld({ seed: randomInt(1_000_000) }, (close) => void closers.push(close))
const client = await openAgentClient(world)
closers.push(client.close)
const agent = scriptedAgent(client, async () => null)

let before = { calls: 0, tokens: client.tokens() }

/** Runs a wish and asserts what it cost. */
function wish(name: string, fulfil: () => Promise<void>, check: () => Promise<void>): void {
  test(name, async (t) => {
    await fulfil()
    const now = { calls: client.used.length, tokens: client.tokens() }
    const calls = now.calls - before.calls
    const tokens = now.tokens - before.tokens
    before = now
    t.diagnostic(`${calls} calls, ${tokens} tokens`)
    assert.ok(calls <= CALLS_MAX, `${calls} calls`)
    assert.ok(tokens <= TOKENS_MAX, `${tokens} tokens`)
    await check()
  })
}

const visitor = { name: 'Ada', email: 'ada@example.com', count: 3 }

async function order(): Promise<void> {
  const { data: sites } = await world.ask('GET /sites')
  const { host, origin } = new URL(sites[0].url)
  const form = formOn((await world.visit(host)).text)
  const page = await world.openPage(origin)
  assert.ok(await sendForm(page, { form, origin, filled: visitor }))
}

wish(
  'a site with an order form',
  async () => {
    await agent.use('get_state')
    const text = { type: 'string', minLength: 1 }
    const action = '/api/v1/public/collections/orders/documents'
    await agent.run('order form on a website, kept in a collection', 'collections.create', {
      name: 'orders',
      public_write: true,
      schema: {
        type: 'object',
        properties: { name: text, email: text, count: { type: 'integer', minimum: 1 } },
        required: ['name', 'email', 'count'],
      },
    })
    const content =
      '<!doctype html><html lang="en"><title>Candles</title><h1>Candles</h1><p>4.50 euro each</p>' +
      `<form method="post" action="${world.runtime.runtime.config.public_url}${action}">` +
      '<label>Name <input name="name"></label><label>Email <input name="email" type="email"></label>' +
      '<label>How many <input name="count" type="number"></label><button>Order</button></form></html>'
    const files = [{ path: 'index.html', content }]
    await agent.use('sites_create', { slug: `candles-${world.luck.letters(8)}`, files })
  },
  async () => {
    await order()
    const { data } = await world.ask('GET /collections/orders/documents')
    assert.deepEqual(
      data.map((one: ReplyValue) => one.data),
      [visitor],
    )
  },
)

wish(
  'a number with a plan, opening hours and a test call',
  async () => {
    const days = ['tue', 'wed', 'thu']
    await agent.use('assistant_put', {
      name: 'Candles',
      languages: ['en'],
      opening_hours: days.map((day) => ({ day, from: '09:00', to: '17:00' })),
      facts: [{ question: 'What does a candle cost?', answer: '4.50 euro.' }],
    })
    const ordered = { idempotency_key: 'my-number' }
    const both = 'order a phone number and simulate a test call'
    const { id } = await agent.run(both, 'numbers.order', ordered)
    await agent.argumentsOf('numbers.put_call_plan')
    const nodes = { ai: { id: 'ai', type: 'ai_agent' } }
    const put = {
      operation: 'numbers.put_call_plan',
      arguments: { id, body: { entry: 'ai', nodes } },
    }
    await agent.use('run_write_operation', put)
    const turns = [{ say: 'What does a candle cost?' }]
    const given = { operation: 'calls.simulate', arguments: { number_id: id, turns } }
    const tried = await agent.use('run_write_operation', given)
    assert.match(JSON.stringify(tried), /4\.50 euro/)
  },
  async () => {
    const { data } = await world.ask('GET /numbers')
    const says = ['What does a candle cost?']
    const call = await simulateCall(world.runtime, { number_id: data[0].id, says })
    assert.match(readAssistantWords(call), /4\.50/)
  },
)

wish(
  'a price list of thirty lines',
  async () => {
    const lines = Array.from({ length: 30 }, (_, n) => `Candle ${n + 1},${n + 2}.50`)
    const csv = ['product,price', ...lines].join('\n')
    const properties = { product: { type: 'string' }, price: { type: 'number' } }
    const schema = { type: 'object', properties }
    const make = { operation: 'collections.create', arguments: { name: 'prices', schema } }
    await agent.use('run_write_operation', make)
    await agent.run('import a price list from csv', 'documents.import', { name: 'prices', csv })
  },
  async () => {
    const { data } = await world.ask('GET /collections/prices/documents?sort=price&limit=100')
    assert.deepEqual([data.length, data[0].data.price], [30, 2.5])
  },
)

const receiver = await world.openReceiver()

wish(
  'a webhook for orders',
  async () => {
    const { warnings } = await agent.run('webhook for each new order', 'webhooks.create', {
      url: receiver.url,
      events: ['document.created'],
    })
    assert.match(warnings[0], /orders/)
    const given = { name: 'orders', webhook_on_insert: true }
    await agent.use('run_write_operation', { operation: 'collections.update', arguments: given })
  },
  async () => {
    await order()
    await eventually(() => receiver.received.some(({ body }) => body.includes('Ada')))
  },
)
