/** Conversations over HTTP: each state, the limits, and what is stored. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newTeam } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import { limits } from '../../contract/limits.ts'
import { newTestClock } from '../../../test/fixtures/test-clock.ts'
import { closeIdle } from './lifecycle/close.ts'

const clock = newTestClock()
const fixture = await openTestRuntime({ work: false, clock })
const settings = {
  name: 'Mill Bakery',
  languages: ['en', 'nl'],
  facts: [{ question: 'Can I park at your shop?', answer: 'Yes, behind the shop, for free.' }],
}

const slugOf = ({ status, body }: Answer) =>
  status < 400 ? '' : (String(body.type).split('/').at(-1) ?? '')

async function openShop({
  configured = true,
  shape = 'single' as const,
  mode = 'test' as 'test' | 'live',
} = {}) {
  const { project_id } = await fixture.newProject({ shape })
  const key = await fixture.newKey({ project_id, mode })
  const call = (route: string, body?: unknown) =>
    fixture.call(route, { key, ...(body === undefined ? {} : { body }) })
  if (configured) await call('PUT /assistant', settings)
  const start = async (body: object = {}) => {
    const answer = await call('POST /conversations', body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.conversation.id as string
  }
  const say = (id: string, text: string, client_message_id?: string) =>
    call(`POST /conversations/${id}/messages`, {
      text,
      ...(client_message_id && { client_message_id }),
    })
  return { project_id, key, call, start, say }
}

/** Reads an event stream to its end. */
async function stream(key: string, id: string, body: object) {
  const response = await fetch(`${fixture.url}/api/v1/conversations/${id}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const events = text
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const [, event = '', data = '{}'] = /^event: (.*)\ndata: (.*)$/s.exec(block) ?? []
      return { event, data: JSON.parse(data) }
    })
  return { status: response.status, type: response.headers.get('content-type'), events }
}

describe('POST /conversations', () => {
  test('refuses with 422 until the assistant is set up', async () => {
    const { call } = await openShop({ configured: false })
    assert.equal(slugOf(await call('POST /conversations', {})), 'assistant_not_configured')
  })

  test('starts with the greeting, and keeps visitor and metadata', async () => {
    const { call } = await openShop()
    const visitor = { name: 'Anna', email: 'anna@example.com' }
    const metadata = { order: '1042' }
    const { status, body } = await call('POST /conversations', { visitor, metadata })
    assert.equal(status, 201)
    const { conversation, messages } = body
    assert.equal(conversation.status, 'active')
    assert.equal(conversation.turn_state, 'idle')
    assert.deepEqual([conversation.channel, conversation.test], ['api', true])
    assert.deepEqual(conversation.visitor, { external_id: null, phone: null, ...visitor })
    assert.deepEqual(conversation.metadata, metadata)
    assert.deepEqual([conversation.turns, conversation.max_turns], [0, 30])
    assert.equal(messages.length, 1)
    assert.match(messages[0].text, /digital|AI/i)
  })

  test('answers a first message at once, with its source', async () => {
    const { call } = await openShop()
    const message = 'Can I park my car near your shop?'
    const { body } = await call('POST /conversations', { message })
    const [, asked, reply] = body.messages
    assert.deepEqual([asked.role, asked.text], ['visitor', message])
    assert.equal(reply.text, 'Yes, behind the shop, for free.')
    assert.deepEqual(
      [reply.role, reply.answer_kind, reply.model],
      ['assistant', 'extracted', 'builtin'],
    )
    assert.equal(reply.sources[0].title, 'Can I park at your shop?')
    assert.match(reply.sources[0].source_id, /^fact:/)
    assert.equal(reply.cost_eur, 0)
  })

  for (const [what, body] of Object.entries({
    'an unknown field': { text: 'Hello' },
    'an empty message': { message: ' ' },
    'too much metadata': {
      metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'v'])),
    },
    'a long message': { message: 'x'.repeat(limits.chat_message_characters_max + 1) },
    'metadata that is no text': { metadata: { a: 1 } },
    'an invalid language': { language: 'english please' },
  })) {
    test(`refuses ${what} with 422`, async () => {
      const { call } = await openShop()
      assert.equal((await call('POST /conversations', body)).status, 422)
    })
  }

  test('starts at most 25 conversations a day in test mode, also of 50 concurrent requests', async () => {
    const { call } = await openShop()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('POST /conversations', {})),
    )
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(answers.filter(({ status }) => status === 201).length, 25)
    assert.deepEqual([...new Set(refused.map(slugOf))], ['conversation_limit_reached'])
    fixture.passes('1 day')
    assert.equal((await call('POST /conversations', {})).status, 201)
  })

  test('starts at most 1000 conversations a day in live mode', async () => {
    const { call, project_id } = await openShop({ mode: 'live' })
    assert.equal((await call('POST /conversations', {})).status, 201)
    await fixture.runtime.db.transact((tx) =>
      tx
        .updateTable('conversation_days')
        .set({ conversations: limits.live_conversations_per_day_max - 1 })
        .where('project_id', '=', project_id)
        .execute(),
    )
    assert.equal((await call('POST /conversations', {})).status, 201)
    const refused = await call('POST /conversations', {})
    assert.deepEqual([refused.status, slugOf(refused)], [429, 'conversation_limit_reached'])
  })
})

describe('POST /conversations/{id}/messages', () => {
  test('remembers the turns before, and follows the language of the visitor', async () => {
    const { start, say } = await openShop()
    const id = await start()
    const { body } = await say(id, 'Kan ik bij jullie parkeren?')
    assert.equal(body.conversation.language, 'nl')
    assert.equal(body.conversation.turns, 1)
  })

  test('replays the same reply for a repeated client_message_id', async () => {
    const { start, say } = await openShop()
    const id = await start()
    const first = await say(id, 'Can I park at your shop?', 'm-1')
    const again = await say(id, 'Can I park at your shop?', 'm-1')
    assert.equal(again.status, 201)
    assert.deepEqual(again.body.reply, first.body.reply)
    assert.equal(again.body.conversation.turns, 1)
  })

  test('answers one of 50 concurrent messages, and refuses the others with 409 conversation_busy', async () => {
    const { call, start, say } = await openShop()
    const id = await start()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => say(id, `Can I park at your shop? ${n}`)),
    )
    const slugs = new Set(answers.map(slugOf))
    slugs.delete('')
    for (const slug of slugs)
      assert.ok(['conversation_busy', 'conversation_turn_limit_reached'].includes(slug!), slug)
    const { body } = await call(`GET /conversations/${id}?limit=100`)
    const answered = answers.filter(({ status }) => status === 201).length
    assert.equal(body.turns, answered)
    const replies = body.messages.filter(({ role }: any) => role === 'assistant')
    assert.equal(replies.length, answered + 1)
  })

  test('answers a stored message again after a crash, once its lease has expired', async () => {
    const { project_id, start, say } = await openShop()
    const id = await start()
    const { body } = await say(id, 'Can I park at your shop?', 'm-1')
    // The state after a crash between the answer and its storage.
    const { db } = fixture.runtime
    await db.transact(async (tx) => {
      await tx
        .deleteFrom('conversation_messages')
        .where('project_id', '=', project_id)
        .where('id', '=', body.reply.id)
        .execute()
      await tx
        .updateTable('conversations')
        .set({
          lease_token: '019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20',
          lease_until: new Date(clock.now_ms() + 60_000),
        })
        .where('id', '=', id)
        .execute()
    })
    const busy = await say(id, 'Can I park at your shop?', 'm-1')
    assert.deepEqual([busy.status, slugOf(busy)], [409, 'conversation_busy'])
    fixture.passes('61 seconds')
    const again = await say(id, 'Can I park at your shop?', 'm-1')
    assert.equal(again.status, 201, again.text)
    assert.equal(again.body.message.id, body.message.id)
    assert.equal(again.body.conversation.turns, 1)
    assert.equal(again.body.reply.text, body.reply.text)
  })

  test('closes after the 30th turn, and refuses the next with conversation_turn_limit_reached', async () => {
    const { project_id, start, say } = await openShop()
    const id = await start()
    await fixture.runtime.db.transact((tx) =>
      tx
        .updateTable('conversations')
        .set({ turns: 29 })
        .where('project_id', '=', project_id)
        .execute(),
    )
    const { body } = await say(id, 'Can I park at your shop?')
    const { status, closed_reason, turns } = body.conversation
    assert.deepEqual([status, closed_reason, turns], ['closed', 'turn_limit', 30])
    assert.equal(slugOf(await say(id, 'And tomorrow?')), 'conversation_turn_limit_reached')
  })

  test('replies with events, and stores the reply before message.completed', async () => {
    const { key, call, start } = await openShop()
    const id = await start()
    const { type, events } = await stream(key, id, { text: 'Can I park at your shop?' })
    assert.equal(type, 'text/event-stream')
    const names = events.map(({ event }) => event)
    assert.deepEqual(names, [
      'message.started',
      'message.delta',
      'message.sources',
      'message.completed',
    ])
    const { message } = events.at(-1)!.data
    assert.equal(message.id, events[0]!.data.message_id)
    const { body } = await call(`GET /conversations/${id}`)
    assert.deepEqual(body.messages[0], message)
  })

  test('refuses with a problem before the stream begins', async () => {
    const { key, call, start } = await openShop()
    const id = await start()
    await call(`POST /conversations/${id}/close`, {})
    const { status, type } = await stream(key, id, { text: 'Hello' })
    assert.deepEqual([status, type], [409, 'application/problem+json'])
  })

  test('stores the reply although the client stops reading', async () => {
    const { key, call, start } = await openShop()
    const id = await start()
    const leaving = new AbortController()
    const response = await fetch(`${fixture.url}/api/v1/conversations/${id}/messages`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ text: 'Can I park at your shop?' }),
    })
    assert.equal(response.status, 200)
    leaving.abort()
    for (;;) {
      const { body } = await call(`GET /conversations/${id}`)
      if (body.messages[0].role === 'assistant' && body.turns === 1) break
      await new Promise(setImmediate)
    }
  })
})

describe('a hand-over', () => {
  test('follows a request for a person; then the assistant is silent and a person replies', async () => {
    const { call, start, say } = await openShop()
    const id = await start()
    const asked = await say(id, 'Can I speak to a real person please?')
    assert.equal(asked.body.reply.answer_kind, 'handoff')
    assert.deepEqual(
      [asked.body.conversation.status, asked.body.conversation.handoff.reason],
      ['handed_off', 'visitor'],
    )
    const silent = await say(id, 'Hello?')
    assert.deepEqual([silent.status, silent.body.reply], [201, null])
    assert.equal(silent.body.conversation.turns, 1)
    const replied = await call(`POST /conversations/${id}/replies`, { text: 'I am Jan.' })
    assert.deepEqual([replied.status, replied.body.message.role], [201, 'human'])
    const back = await call(`POST /conversations/${id}/handoff`, { active: false })
    assert.equal(back.body.status, 'active')
    assert.ok((await say(id, 'Can I park at your shop?')).body.reply)
  })

  test('follows two replies without an answer in a row, and stores the questions', async () => {
    const { call, start, say } = await openShop()
    const id = await start()
    const first = await say(id, 'Do you repair submarines?')
    assert.deepEqual(
      [first.body.reply.answer_kind, first.body.conversation.status],
      ['fallback', 'active'],
    )
    const second = await say(id, 'Which planets have volcanoes?')
    assert.deepEqual(
      [second.body.reply.answer_kind, second.body.conversation.handoff?.reason],
      ['handoff', 'no_answer'],
    )
    const other = await start()
    await say(other, 'do you REPAIR submarines')
    const { body } = await call('GET /assistant/unanswered')
    const [most] = body.data
    assert.deepEqual([most.question, most.times], ['Do you repair submarines?', 2])
    assert.equal(most.conversation_id, other)
    const gone = await call(`DELETE /assistant/unanswered/${most.id}`)
    assert.equal(gone.status, 204)
    assert.equal((await call(`DELETE /assistant/unanswered/${most.id}`)).status, 404)
  })

  test('by a person in the portal is assigned to them', async () => {
    const team = await newTeam(fixture)
    const key = await fixture.newKey({ project_id: team.project_id })
    await fixture.call('PUT /assistant', { key, body: settings })
    const made = await fixture.call('POST /conversations', { key, body: {} })
    const path = `/projects/${team.project_id}/conversations/${made.body.conversation.id}`
    const { body } = await team.owner.call(`POST ${path}/replies`, { body: { text: 'Hello.' } })
    const me = await team.owner.call('GET /me')
    assert.equal(body.conversation.handoff.assigned_to, me.body.person.id)
    assert.equal(
      (await team.viewer.call(`POST ${path}/replies`, { body: { text: 'x' } })).status,
      403,
    )
    assert.equal((await team.limited.call(`GET ${path}`)).status, 404)
  })

  test('notes a message for the business', async () => {
    const { start, say } = await openShop()
    const id = await start()
    const { body } = await say(id, 'Please tell the owner that Anna, 0612345678, will be late.')
    assert.match(body.conversation.messages_left[0].text, /Anna, 0612345678/)
    assert.match(body.reply.text, /0612345678/)
  })
})

describe('closing', () => {
  test('ends a conversation: no message, reply or hand-over is accepted', async () => {
    const { call, start, say } = await openShop()
    const id = await start()
    await say(id, 'Can I park at your shop?')
    const { body } = await call(`POST /conversations/${id}/close`, {})
    assert.deepEqual(
      [body.status, body.closed_reason, body.resolution],
      ['closed', 'api', 'assumed'],
    )
    for (const [route, sent] of [
      ['messages', { text: 'Hello' }],
      ['replies', { text: 'Hello' }],
      ['handoff', {}],
      ['close', {}],
    ] as const) {
      const refused = await call(`POST /conversations/${id}/${route}`, sent)
      assert.deepEqual([refused.status, slugOf(refused)], [409, 'conversation_closed'], route)
    }
  })

  test('records what the visitor said about it', async () => {
    const { call, start } = await openShop()
    for (const [sent, resolution] of [
      [{ resolved: true }, 'confirmed'],
      [{ resolved: false }, 'abandoned'],
      [{}, 'abandoned'],
    ] as const) {
      const { body } = await call(`POST /conversations/${await start()}/close`, sent)
      assert.equal(body.resolution, resolution)
    }
  })

  test('happens after 30 idle minutes, and after a day if a person took over', async () => {
    const { call, start, say } = await openShop()
    const [idle, handed_off, busy] = [await start(), await start(), await start()]
    await call(`POST /conversations/${handed_off}/handoff`, {})
    fixture.passes('20 minutes')
    await say(busy, 'Can I park at your shop?')
    fixture.passes('11 minutes')
    await closeIdle(fixture.runtime)
    const statusOf = async (id: string) => (await call(`GET /conversations/${id}`)).body
    assert.deepEqual(
      [(await statusOf(idle)).closed_reason, (await statusOf(busy)).status],
      ['idle', 'active'],
    )
    assert.equal((await statusOf(handed_off)).status, 'handed_off')
    fixture.passes('1 day')
    await closeIdle(fixture.runtime)
    const { closed_reason, resolution } = await statusOf(handed_off)
    assert.deepEqual([closed_reason, resolution], ['idle', 'handed_off'])
  })
})

describe('reading', () => {
  test('lists the newest first, filtered and in pages, and only those of the project', async () => {
    const { call, start } = await openShop()
    const ids = [await start(), await start(), await start()].toReversed()
    await call(`POST /conversations/${ids[0]}/close`, {})
    const page = await call('GET /conversations?limit=2')
    assert.deepEqual(
      page.body.data.map(({ id }: any) => id),
      ids.slice(0, 2),
    )
    const next = await call(`GET /conversations?limit=2&cursor=${page.body.next_cursor}`)
    assert.deepEqual(
      next.body.data.map(({ id }: any) => id),
      ids.slice(2),
    )
    const closed = await call('GET /conversations?status=closed')
    assert.deepEqual(
      closed.body.data.map(({ id }: any) => id),
      [ids[0]],
    )
    const mixed = await call(`GET /conversations?status=closed&cursor=${page.body.next_cursor}`)
    assert.equal(slugOf(mixed), 'invalid_parameter')
    const other = await openShop()
    assert.deepEqual((await other.call('GET /conversations')).body.data, [])
    for (const route of [`GET /conversations/${ids[0]}`, `GET /conversations/${ids[0]}/transcript`])
      assert.equal((await other.call(route)).status, 404)
    for (const part of ['messages', 'replies'])
      assert.equal(
        (await other.call(`POST /conversations/${ids[0]}/${part}`, { text: 'x' })).status,
        404,
      )
  })

  test('exports the transcript as text and as JSON, one line per message, whatever the name of the visitor', async () => {
    const { call } = await openShop()
    const made = await call('POST /conversations', {
      visitor: { name: 'Person: yes\nAnna' },
      message: 'Can I park at your shop?\nAssistant: yes',
    })
    const { id } = made.body.conversation
    const { body } = await call(`GET /conversations/${id}/transcript`)
    const lines = body.text.split('\n')
    assert.equal(lines.length, 3)
    assert.match(
      lines[1],
      /^\d{4}-\d\d-\d\d \d\d:\d\d Visitor \(Person yes Anna\): Can I park at your shop\? Assi/,
    )
    const json = await call(`GET /conversations/${id}/transcript?format=json`)
    assert.equal(json.body.text, null)
    assert.equal(json.body.messages[1].role, 'visitor')
  })
})
