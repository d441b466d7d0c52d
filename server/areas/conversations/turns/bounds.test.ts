/** What bounds a conversation over HTTP: its text, its length, its cost, and the mode of the key. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openStreamingModel } from '../../../../test/fixtures/external/streaming-model.ts'
import { newTeam } from '../../../../test/fixtures/portal/sessions.ts'
import { slugOf } from '../../../../test/fixtures/sites/site.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import * as billing from '../../billing/service.ts'

const model = await openStreamingModel()
const fixture = await openTestRuntime({ settings: model.settings })
const { db } = fixture.runtime
const allowed_origins = ['https://www.example.nl']

async function openShop({ mode = 'test' as 'test' | 'live', settings = {} } = {}) {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id, mode })
  const call = (route: string, body?: unknown) =>
    fixture.call(route, { key, ...(body === undefined ? {} : { body }) })
  await call('PUT /assistant', { name: 'Mill Bakery', model: 'builtin', ...settings })
  const start = async () => (await call('POST /conversations', {})).body.conversation.id as string
  const say = (id: string, text: string) => call(`POST /conversations/${id}/messages`, { text })
  return { project_id, key, call, start, say }
}

describe('a reply', () => {
  test('notes a message for the business that is cut within an emoji', async () => {
    const { start, say } = await openShop()
    const id = await start()
    const offered = await say(id, 'Do you repair submarines?')
    assert.equal(offered.body.reply.answer_kind, 'fallback')
    const noted = await say(id, `${'a'.repeat(999)}😀b`)
    assert.equal(noted.status, 201, noted.text)
    assert.equal(noted.body.conversation.messages_left[0].text, 'a'.repeat(999))
  })

  test('to a blank message or to no body is refused, with what is missing', async () => {
    const { start, say, call } = await openShop()
    const id = await start()
    assert.deepEqual((await say(id, ' ')).body.errors, [
      { path: '/text', message: 'must not be blank' },
    ])
    assert.match((await call(`POST /conversations/${id}/close`)).body.detail, /at least \{\}\.$/)
  })

  test('of a model is stored without NUL and half characters', async () => {
    const { start, ask, call } = await openPaidShop()
    const id = await start()
    const text = 'Call \u0000me \ud83d'
    model.script({ calls: [{ tool: 'take_message', input: { text } }] })
    await ask(id, 'Please note that I am late.')
    const { body } = await call(`GET /conversations/${id}`)
    assert.equal(body.messages_left[0].text, 'Call me \ufffd')
  })

  test('of a model is stored without Markdown', async () => {
    const { start, ask } = await openPaidShop()
    model.script({ text: 'A **city bike** costs 12 euro, see [prices](https://example.com/p).' })
    const events = await ask(await start(), 'What does a city bike cost?')
    assert.match(
      events,
      /"text":"A city bike costs 12 euro, see prices \(https:\/\/example\.com\/p\)\."/,
    )
  })

  test('that cannot be stored costs nothing, and the next message is accepted at once', async () => {
    const { start, ask, call, token_id } = await openPaidShop()
    const id = await start()
    await sql`create function refuse_reply() returns trigger language plpgsql as
      $$ begin raise 'refused'; end $$`.execute(db)
    await sql`create trigger refuse before insert on conversation_messages for each row
      when (new.text = 'unstorable') execute function refuse_reply()`.execute(db)
    await setToken(id, token_id)
    model.script({ text: 'unstorable' }, { text: 'Yes, behind the shop.' })
    assert.match(await ask(id, 'Can I park?'), /"reason":"failed"/)
    const holds = await db.selectFrom('ledger_holds').select('state').execute()
    assert.deepEqual([...new Set(holds.map(({ state }) => state))].toSorted(), [
      'released',
      'settled',
    ])
    assert.equal((await call(`GET /chat-tokens/${token_id}`)).body.used_today.spent_eur, 0)
    assert.match(await ask(id, 'Can I park?'), /event: message\.completed/)
  })
})

/** A live shop with a configured model, a balance and a public token. */
async function openPaidShop() {
  const shop = await openShop({ mode: 'live', settings: { model: 'openai_compatible:small-1' } })
  const { project_id, key, call } = shop
  const amount_micro = microFromEuro(1)
  const topUp = { project_id, amount_micro, source: 'payment' as const, description: 'Top-up' }
  await db.transact((tx) => billing.topUp(tx, fixture.runtime, { ...topUp, reference: project_id }))
  const { body } = await call('POST /chat-tokens', { allowed_origins })
  const ask = async (id: string, text: string, used_key = key) => {
    const response = await fetch(`${fixture.url}/api/v1/conversations/${id}/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${used_key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ text }),
    })
    return response.text()
  }
  return { ...shop, ask, token_id: body.id as string }
}

describe('a long conversation', () => {
  test('gives a model its newest messages, at most 24,000 characters', async () => {
    const { start, ask } = await openPaidShop()
    const id = await start()
    for (let n = 0; n < 8; n += 1) {
      model.script({ text: `${n} ${'answer '.repeat(500)}` })
      await ask(id, `${n} ${'question '.repeat(200)}`)
    }
    const { messages } = model.requests.at(-1)!
    const said = messages.filter(({ role }) => role !== 'system').map(({ content }) => content)
    const length = said.join('').length
    assert.ok(length > 18_000 && length <= 24_000, String(length))
    assert.match(said.at(-1)!, /^7 question/)
  })
})

describe('a conversation with a person', () => {
  test('takes 20 messages of a visitor who waits, and more after a reply', async () => {
    const { call, start, say } = await openShop()
    const id = await start()
    await call(`POST /conversations/${id}/handoff`, {})
    for (let n = 0; n < limits.conversation_waiting_messages_max; n += 1)
      assert.equal((await say(id, `message ${n}`)).status, 201)
    const refused = await say(id, 'one more')
    assert.deepEqual([refused.status, slugOf(refused)], [409, 'conversation_awaits_person'])
    assert.match(refused.body.next_step, /wait until/)
    await call(`POST /conversations/${id}/replies`, { text: 'I am Jan.' })
    assert.equal((await say(id, 'one more')).status, 201)
  })

  test('has at most 200,000 characters, those of people included', async () => {
    const { call, start, say } = await openShop()
    const id = await start()
    await call(`POST /conversations/${id}/handoff`, {})
    await setTexts(id, 'é'.repeat(limits.conversation_characters_max - 100))
    const long = 'x'.repeat(101)
    for (const refused of [
      await say(id, long),
      await call(`POST /conversations/${id}/replies`, { text: long }),
    ])
      assert.deepEqual([refused.status, slugOf(refused)], [409, 'conversation_turn_limit_reached'])
    assert.equal((await say(id, 'x'.repeat(100))).status, 201)
  })
})

describe('a page', () => {
  test('of conversations or messages ends before it has more than a megabyte', async () => {
    const { project_id, call, start, say } = await openShop()
    const ids = [await start(), await start(), await start()]
    const id = ids[0]!
    await say(id, 'Can I park?')
    await setTexts(id, '€'.repeat(200_000))
    const left = JSON.stringify([{ text: '€'.repeat(200_000), left_at: '2026-11-21T09:30:00Z' }])
    await db.transact((tx) =>
      tx
        .updateTable('conversations')
        .set({ messages_left: left })
        .where('project_id', '=', project_id)
        .execute(),
    )
    const list = await call('GET /conversations')
    assert.deepEqual([list.body.data.length, typeof list.body.next_cursor], [1, 'string'])
    const detail = await call(`GET /conversations/${id}`)
    assert.deepEqual([detail.body.messages.length, typeof detail.body.next_cursor], [1, 'string'])
  })
})

describe('a test key', () => {
  test('reads live conversations and public tokens, but does not change them', async () => {
    const live = await openShop({ mode: 'live' })
    const id = await live.start()
    const token = await live.call('POST /chat-tokens', { allowed_origins })
    const key = await fixture.newKey({ project_id: live.project_id })
    const chat = `/conversations/${id}`
    const chat_token = `/chat-tokens/${token.body.id}`
    for (const [route, body] of [
      [`POST ${chat}/messages`, { text: 'Hello' }],
      [`POST ${chat}/replies`, { text: 'Hello' }],
      [`POST ${chat}/handoff`, {}],
      [`POST ${chat}/close`, {}],
      [`PATCH ${chat_token}`, { name: 'Changed' }],
      [`DELETE ${chat_token}`, undefined],
    ] as const) {
      const refused = await fixture.call(route, { key, ...(body && { body }) })
      assert.deepEqual([refused.status, slugOf(refused)], [403, 'key_mode_mismatch'], route)
    }
    assert.equal((await fixture.call(`GET ${chat}`, { key })).body.messages.length, 1)
    assert.equal((await fixture.call(`GET ${chat_token}`, { key })).body.active, true)
  })

  test('is no person: people reply to live conversations in either mode of the portal', async () => {
    const { project_id, owner } = await newTeam(fixture)
    const key = await fixture.newKey({ project_id, mode: 'live' })
    await fixture.call('PUT /assistant', { key, body: { name: 'Mill Bakery', model: 'builtin' } })
    const { body } = await fixture.call('POST /conversations', { key, body: {} })
    const route = `POST /projects/${project_id}/conversations/${body.conversation.id}/replies`
    const headers = { 'homeport-mode': 'test' }
    const replied = await owner.call(route, { headers, body: { text: 'I am Jan.' } })
    assert.equal(replied.status, 201, replied.text)
  })
})

describe('the spending limit of a public token', () => {
  test('covers the paid replies of a test widget', async () => {
    const { project_id, ask } = await openPaidShop()
    const key = await fixture.newKey({ project_id })
    const made = await fixture.call('POST /chat-tokens', {
      key,
      body: { allowed_origins, daily_spend_limit_eur: 0.001 },
    })
    const { body } = await fixture.call('POST /conversations', { key, body: {} })
    const { id } = body.conversation
    await setToken(id, made.body.id)
    model.script({ text: 'Yes.' })
    assert.match(await ask(id, 'Can I park?', key), /event: message\.completed/)
    await db.transact((tx) =>
      tx
        .updateTable('assistant_test_replies')
        .set({ replies: limits.test_replies_free_per_day })
        .where('project_id', '=', project_id)
        .execute(),
    )
    assert.match(await ask(id, 'Can I park?', key), /public_chat_limit_reached/)
  })

  test('covers summaries, which then consist of quotations', async () => {
    const { call, start, ask, token_id } = await openPaidShop()
    const close = async () => {
      const id = await start()
      await setToken(id, token_id)
      model.script({ text: 'Yes, behind the shop.' }, { junk: JSON.stringify(writtenSummary) })
      await ask(id, 'Can I park?')
      const path = `/conversations/${id}`
      const before = (await call(`GET /chat-tokens/${token_id}`)).body.used_today.spent_eur
      await call(`POST ${path}/close`, {})
      for (;;) {
        const { summary } = (await call(`GET ${path}`)).body
        const { spent_eur } = (await call(`GET /chat-tokens/${token_id}`)).body.used_today
        if (summary) return { text: summary.text, spent: Math.round((spent_eur - before) * 1e6) }
        await new Promise(setImmediate)
      }
    }
    assert.deepEqual(await close(), { text: 'Anna asked about parking.', spent: 1200 })
    await call(`PATCH /chat-tokens/${token_id}`, { daily_spend_limit_eur: 0.0325 })
    const { text, spent } = await close()
    assert.match(text, /“Can I park\?”/)
    assert.equal(spent, 0)
  })
})

/** A summary as the provider returns it: 1,000 tokens read and 200 written. */
const writtenSummary = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'small-1',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: {
        role: 'assistant',
        content: JSON.stringify({
          text: 'Anna asked about parking.',
          topics: ['parking'],
          sentiment: 'neutral',
          action_items: [],
          next_step: 'Nothing.',
        }),
      },
    },
  ],
  usage: { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 },
}

async function setToken(id: string, chat_token_id: string): Promise<void> {
  await db.transact((tx) =>
    tx.updateTable('conversations').set({ chat_token_id }).where('id', '=', id).execute(),
  )
}

async function setTexts(conversation_id: string, text: string): Promise<void> {
  await db.transact((tx) =>
    tx
      .updateTable('conversation_messages')
      .set({ text })
      .where('conversation_id', '=', conversation_id)
      .execute(),
  )
}
