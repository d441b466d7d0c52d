/** The routes of chat widgets over HTTP: token, origin, challenge, and the conversation token. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { liveFixture } from '../../../../test/fixtures/live-projects.ts'
import { writeSolution, solveChallenge } from '../../../../test/fixtures/sites/chat-page.ts'
import { newAddress, openSite, ORIGIN, slugOf } from '../../../../test/fixtures/sites/site.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'

const fixture = await openTestRuntime({ work: false })
const question = 'Can I park at your shop?'
const facts = [{ question, answer: 'Yes, behind the shop, for free.' }]

async function openPage({ configured = true, token: settings = {} } = {}) {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id, mode: 'live' })
  const call = (route: string, body?: unknown) =>
    fixture.call(route, { key, ...(body === undefined ? {} : { body }) })
  if (configured) await call('PUT /assistant', { name: 'Mill Bakery', facts })
  const made = await call('POST /chat-tokens', { allowed_origins: [ORIGIN], ...settings })
  const { token, id: token_id } = made.body
  const visit = async (
    route: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    fixture.call(route, {
      key: token,
      headers: { origin: ORIGIN, 'x-forwarded-for': newAddress(), ...headers },
      ...(body === undefined ? {} : { body }),
    })
  const solve = () =>
    solveChallenge(fixture, { token, headers: { origin: ORIGIN, 'x-forwarded-for': newAddress() } })
  const begin = async (body: object = {}) =>
    visit('POST /public/conversations', { body: { challenge: await solve(), ...body } })
  const open = async () => {
    const { status, body, text } = await begin()
    assert.equal(status, 201, text)
    const headers = { 'x-conversation-token': body.conversation_token as string }
    return { id: body.conversation.id as string, headers, body }
  }
  return { project_id, key, call, token, token_id, visit, solve, begin, open }
}

describe('a chat widget', () => {
  test('shows the theme, then starts, asks, reads and closes', async () => {
    const theme = { color: '#0b6e4f', greeting: 'Welcome to the mill.', position: 'left' }
    const { visit, open, call } = await openPage({ token: { theme } })
    const { body: config } = await visit('GET /public/chat/config')
    assert.equal(config.available, true)
    assert.deepEqual(config.theme, { language: null, ...theme })
    assert.deepEqual(config.challenge, { kind: 'altcha', site_key: null })
    assert.match(config.greeting, /^Welcome to the mill\./)
    const { id, headers, body } = await open()
    assert.equal(body.messages[0].text, config.greeting)
    const lasts_ms = Date.parse(body.expires_at) - Date.parse(body.conversation.created_at)
    assert.equal(Math.round(lasts_ms / 1000), limits.conversation_token_lifetime_s)
    const path = `/public/conversations/${id}`
    const sent = await visit(`POST ${path}/messages`, { headers, body: { text: question } })
    assert.equal(sent.status, 201, sent.text)
    assert.equal(sent.body.reply.text, facts[0]!.answer)
    for (const field of ['cost_eur', 'model', 'usage']) assert.ok(!(field in sent.body.reply))
    for (const field of ['visitor', 'metadata', 'summary', 'cost_eur', 'handoff'])
      assert.ok(!(field in sent.body.conversation))
    await call(`POST /conversations/${id}/replies`, { text: 'I am Jan, of the mill.' })
    const after = sent.body.reply.id
    const read = await visit(`GET ${path}/messages?after=${after}`, { headers })
    assert.deepEqual(
      read.body.data.map(({ role, text }: any) => [role, text]),
      [['human', 'I am Jan, of the mill.']],
    )
    assert.equal(read.body.conversation.status, 'handed_off')
    const closed = await visit(`POST /public/conversations/${id}/close`, {
      headers,
      body: { resolved: true },
    })
    assert.deepEqual([closed.body.status, closed.body.closed_reason], ['closed', 'visitor'])
    assert.equal((await visit(`POST ${path}/close`, { headers, body: {} })).status, 200)
    const late = await visit(`POST ${path}/messages`, { headers, body: { text: 'Hello' } })
    assert.equal(slugOf(late), 'conversation_closed')
    const kept = await call(`GET /conversations/${id}`)
    assert.deepEqual([kept.body.channel, kept.body.resolution], ['widget', 'confirmed'])
  })

  test('offers questions, and the greeting in the language of the page', async () => {
    const { visit, open } = await openPage()
    const { body: config } = await visit('GET /public/chat/config?language=nl')
    assert.match(config.greeting, /digitale AI-assistent/)
    assert.deepEqual([config.language, config.suggestions], ['nl', [question]])
    assert.deepEqual([config.phone, config.sms], [null, null])
    const wrong = await visit('GET /public/chat/config?language=1')
    assert.deepEqual([wrong.status, slugOf(wrong)], [400, 'invalid_parameter'])
    const { id, headers } = await open()
    const send = (text: string) =>
      visit(`POST /public/conversations/${id}/messages`, {
        headers,
        body: { text, client_message_id: 'm-1' },
      })
    const { body } = await send('parking at the shops')
    assert.equal(body.message.client_message_id, 'm-1')
    assert.equal(body.reply.client_message_id, null)
    const is_suggestion = body.reply.answer_kind === 'suggestion'
    assert.deepEqual(body.reply.suggestions, is_suggestion ? [question] : [])
  })

  test('contains a phone number of the project only if it is active and live', async () => {
    const live = liveFixture(fixture)
    const { project_id, key } = await live.readyProject()
    const { token } = await openSite(fixture, { project_id })
    const read = async () => {
      const headers = { origin: ORIGIN, 'x-forwarded-for': newAddress() }
      return (await fixture.call('GET /public/chat/config', { key: token, headers })).body
    }
    assert.equal((await read()).phone, null)
    const { body, text } = await live.order(key)
    assert.ok(body.e164, text)
    const active = body.status === 'active' ? body.e164 : null
    const { phone, sms } = await read()
    assert.deepEqual([phone, sms], [active, active])
    await sql`update numbers set status = 'active' where project_id = ${project_id}`.execute(
      fixture.runtime.db,
    )
    assert.deepEqual((await read()).phone, body.e164)
  })

  test('hands over to a person once, with the contact details and the question', async () => {
    const { visit, open, call } = await openPage()
    const { id, headers } = await open()
    const ask = (body: object) =>
      visit(`POST /public/conversations/${id}/handoff`, { headers, body })
    const nobody = await ask({ name: 'Anna' })
    assert.deepEqual([nobody.status, nobody.body.errors[0].path], [422, '/email'])
    for (const wrong of [{ email: 'anna' }, { phone: 'call me' }, { email: 'a@b.nl', more: 1 }])
      assert.equal((await ask(wrong)).status, 422)
    const details = { name: 'Anna', email: 'anna@example.com', message: 'Do you bake cakes?' }
    const asked = { ...details, client_message_id: 'm-1' }
    const first = await ask(asked)
    assert.deepEqual([first.status, first.body.conversation.status], [200, 'handed_off'])
    assert.equal((await ask(asked)).body.message.id, first.body.message.id)
    assert.equal((await ask({ phone: '+31 6 1234 5678' })).body.message, null)
    const { body: chat } = await call(`GET /conversations/${id}`)
    assert.deepEqual(chat.visitor, {
      external_id: null,
      name: 'Anna',
      email: 'anna@example.com',
      phone: '+31 6 1234 5678',
    })
    assert.deepEqual(
      [chat.handoff.reason, chat.messages_left.map(({ text }: { text: string }) => text)],
      ['visitor', ['Do you bake cakes?']],
    )
    const stolen = await visit(`POST /public/conversations/${id}/handoff`, { body: details })
    assert.equal(slugOf(stolen), 'invalid_conversation_token')
    await call(`POST /conversations/${id}/close`, {})
    assert.equal(slugOf(await ask({ email: 'a@example.com' })), 'conversation_closed')
  })

  test('leaves any number of messages, of which the conversation names the newest 10', async () => {
    const { visit, open, call } = await openPage()
    const { id, headers } = await open()
    for (let n = 1; n <= 12; n += 1) {
      const body = { email: 'anna@example.com', message: `message ${n}` }
      const left = await visit(`POST /public/conversations/${id}/handoff`, { headers, body })
      assert.equal(left.status, 200, left.text)
    }
    const { body } = await call(`GET /conversations/${id}`)
    assert.deepEqual(
      body.messages_left.map(({ text }: { text: string }) => text),
      Array.from({ length: 10 }, (_, n) => `message ${n + 3}`),
    )
    assert.equal(body.messages.length, 13)
  })

  test('gets the reply as events', async () => {
    const { token, open } = await openPage()
    const { id, headers } = await open()
    const response = await fetch(`${fixture.url}/api/v1/public/conversations/${id}/messages`, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        origin: ORIGIN,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ text: question }),
    })
    assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN)
    const text = await response.text()
    assert.match(text, /^event: message\.started\n/)
    assert.match(text, /event: message\.completed\ndata: .*behind the shop/)
    assert.doesNotMatch(text, /cost_eur|"visitor":/)
  })

  test('may be called from exactly the allowed origins, in a preflight request too', async () => {
    const { visit, token } = await openPage()
    const preflight = (origin: string) =>
      fetch(`${fixture.url}/api/v1/public/conversations`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    const allowed = await preflight(ORIGIN)
    assert.equal(allowed.status, 204)
    assert.equal(allowed.headers.get('access-control-allow-origin'), ORIGIN)
    assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /X-Conversation-Token/)
    assert.equal((await preflight('https://evil.example')).status, 403)
    const config = await visit('GET /public/chat/config')
    assert.equal(config.headers.get('access-control-allow-origin'), ORIGIN)
    for (const origin of ['https://evil.example', 'null', 'https://www.example.nl.evil.example']) {
      const refused = await visit('GET /public/chat/config', { headers: { origin } })
      assert.deepEqual([refused.status, slugOf(refused)], [403, 'origin_not_allowed'])
      assert.equal(refused.headers.get('access-control-allow-origin'), null)
    }
    const none = await fixture.call('GET /public/chat/config', { key: token })
    assert.equal(slugOf(none), 'origin_not_allowed')
    const own = { 'sec-fetch-site': 'same-origin', host: 'www.example.nl' }
    const elsewhere = await fixture.call('GET /public/chat/config', { key: token, headers: own })
    assert.equal(slugOf(elsewhere), 'origin_not_allowed')
    const keyed = await fixture.call('GET /public/chat/config', { headers: { origin: ORIGIN } })
    assert.deepEqual([keyed.status, slugOf(keyed)], [401, 'invalid_chat_token'])
  })

  test('is switched off by revoking its token', async () => {
    const { visit, call, token_id, open } = await openPage()
    const { id, headers } = await open()
    await call(`DELETE /chat-tokens/${token_id}`)
    const refused = await visit(`GET /public/conversations/${id}/messages`, { headers })
    assert.deepEqual([refused.status, slugOf(refused)], [401, 'chat_token_revoked'])
  })
})

describe('the human verification', () => {
  test('has the documented difficulty', async () => {
    const { visit } = await openPage()
    const { body } = await visit('GET /public/chat/challenge')
    assert.deepEqual([body.algorithm, body.maxnumber], ['SHA-256', limits.chat_challenge_steps_max])
  })

  test('accepts a solution once, also if 20 concurrent requests send it', async () => {
    const { visit, solve } = await openPage()
    const challenge = await solve()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        visit('POST /public/conversations', { body: { challenge } }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    const slugs = new Set(answers.filter(({ status }) => status !== 201).map(slugOf))
    assert.deepEqual([...slugs], ['challenge_failed'])
  })

  test('refuses a solution that is late, forged or of another token or origin', async () => {
    const page = await openPage({ token: { allowed_origins: [ORIGIN, 'https://b.example'] } })
    const other = await openPage()
    const late = await page.solve()
    const tries: [string, Record<string, string>][] = [
      [await other.solve(), {}],
      [await page.solve(), { origin: 'https://b.example' }],
      ['x', {}],
      [writeSolution({}), {}],
      [
        writeSolution({
          algorithm: 'SHA-256',
          challenge: '0'.repeat(64),
          number: 0,
          salt: '',
          signature: '',
        }),
        {},
      ],
    ]
    for (const [challenge, headers] of tries) {
      const refused = await page.visit('POST /public/conversations', {
        body: { challenge },
        headers,
      })
      assert.deepEqual([refused.status, slugOf(refused)], [403, 'challenge_failed'])
    }
    fixture.passes(`${limits.chat_challenge_lifetime_s + 1} seconds`)
    const refused = await page.visit('POST /public/conversations', { body: { challenge: late } })
    assert.equal(slugOf(refused), 'challenge_failed')
    const missing = await page.visit('POST /public/conversations', { body: {} })
    assert.equal(missing.status, 422)
  })
})

describe('the conversation token', () => {
  test('opens its own conversation only, for 6 hours', async () => {
    const page = await openPage()
    const [mine, theirs] = [await page.open(), await page.open()]
    const elsewhere = await openPage()
    const outside = await elsewhere.open()
    const path = `GET /public/conversations/${theirs.id}/messages`
    const [id = '', time = '', mac = ''] = mine.headers['x-conversation-token'].split('.')
    const forged = [
      mine.headers['x-conversation-token'],
      outside.headers['x-conversation-token'],
      `${theirs.id}.${time}.${mac}`,
      `${theirs.id}.zzzzzzzzz.${mac}`,
      `${id}.${time}.${mac}.x`,
      'x',
    ]
    for (const token of forged) {
      const headers = { 'x-conversation-token': token }
      const refused = await page.visit(path, { headers })
      assert.deepEqual(
        [refused.status, slugOf(refused)],
        [401, 'invalid_conversation_token'],
        token,
      )
    }
    assert.equal(slugOf(await page.visit(path)), 'invalid_conversation_token')
    const stolen = await elsewhere.visit(path, { headers: theirs.headers })
    assert.equal(slugOf(stolen), 'invalid_conversation_token')
    for (const [route, body] of [
      ['messages', { text: 'Hello' }],
      ['close', {}],
    ] as const) {
      const address = `POST /public/conversations/${theirs.id}/${route}`
      const refused = await page.visit(address, { headers: mine.headers, body })
      assert.equal(slugOf(refused), 'invalid_conversation_token', route)
    }
    assert.equal((await page.visit(path, { headers: theirs.headers })).status, 200)
    fixture.passes('6 hours')
    const expired = await page.visit(path, { headers: theirs.headers })
    assert.equal(slugOf(expired), 'invalid_conversation_token')
  })
})

describe('the limits of a widget', () => {
  test('count conversations per day and token, also for 10 concurrent requests', async () => {
    const { begin, call, token_id } = await openPage({ token: { daily_conversation_limit: 3 } })
    const answers = await Promise.all(Array.from({ length: 10 }, () => begin()))
    assert.equal(answers.filter(({ status }) => status === 201).length, 3)
    const refused = answers.filter(({ status }) => status === 429)
    assert.deepEqual([...new Set(refused.map(slugOf))], ['public_chat_limit_reached'])
    const { body } = await call(`GET /chat-tokens/${token_id}`)
    assert.deepEqual(body.used_today, { conversations: 3, spent_eur: 0 })
    fixture.passes('1 day')
    assert.equal((await begin()).status, 201)
    const listed = await call('GET /chat-tokens')
    assert.equal(listed.body.data[0].used_today.conversations, 1)
  })

  test('switch the live widget off at a spending limit of 0', async () => {
    const { begin, visit } = await openPage({ token: { daily_spend_limit_eur: 0 } })
    assert.equal((await visit('GET /public/chat/config')).body.available, false)
    assert.deepEqual(slugOf(await begin()), 'public_chat_limit_reached')
  })

  test('hide from the visitor that the assistant is not set up', async () => {
    const { begin } = await openPage({ configured: false })
    const refused = await begin()
    assert.deepEqual([refused.status, slugOf(refused)], [503, 'chat_unavailable'])
    assert.doesNotMatch(refused.text, /assistant_not|set up|balance/)
  })

  test('allow 10 conversations and 30 messages a minute from one address', async () => {
    const { visit, open } = await openPage()
    const { id, headers } = await open()
    const address = { ...headers, 'x-forwarded-for': newAddress() }
    const route = `POST /public/conversations/${id}/messages`
    const send = () => visit(route, { headers: address, body: { text: 5 } })
    const statuses = []
    for (let n = 0; n < 31; n += 1) statuses.push((await send()).status)
    assert.deepEqual([statuses[29], statuses[30]], [422, 429])
    const start = () =>
      visit('POST /public/conversations', { headers: address, body: { challenge: 'x' } })
    const started = []
    for (let n = 0; n < 11; n += 1) started.push((await start()).status)
    assert.deepEqual([started[9], started[10]], [403, 429])
  })

  test('allow 20 conversations an hour and 40 a day from one address, also over several tokens', async () => {
    const { visit, call } = await openPage()
    const other = await call('POST /chat-tokens', { allowed_origins: [ORIGIN] })
    const address = newAddress()
    const begin = (key: string | null, from = address) =>
      visit('POST /public/conversations', {
        body: { challenge: 'x' },
        headers: { 'x-forwarded-for': from, ...(key && { authorization: `Bearer ${key}` }) },
      })
    const beginTen = async (key: string | null = null) => {
      fixture.passes('2 minutes')
      const all = await Promise.all(Array.from({ length: 10 }, () => begin(key)))
      return [...new Set(all.map(({ status }) => status))]
    }
    assert.deepEqual([await beginTen(), await beginTen(other.body.token)], [[403], [403]])
    fixture.passes('2 minutes')
    const late = await begin(null)
    assert.deepEqual([late.status, slugOf(late)], [429, 'rate_limited'])
    assert.ok(Number(late.headers.get('retry-after')) > 3_000)
    assert.equal((await begin(null, newAddress())).status, 403)
    fixture.passes('1 hour')
    assert.deepEqual([await beginTen(), await beginTen()], [[403], [403]])
    fixture.passes('1 hour')
    assert.deepEqual(await beginTen(), [429])
    fixture.passes('1 day')
    assert.deepEqual(await beginTen(), [403])
  })

  test('refuse a body that is too large with 400', async () => {
    const { visit, open } = await openPage()
    const { id, headers } = await open()
    const text = 'x'.repeat(limits.public_body_bytes_max)
    const route = `POST /public/conversations/${id}/messages`
    assert.equal((await visit(route, { headers, body: { text } })).status, 400)
  })
})

test('a key that is limited to sites reads the chats and tokens of these sites only', async () => {
  const { project_id, open } = await openPage()
  await open()
  const access = {
    sites: ['01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'],
    apps: [],
    collections: [],
    limited_by: 'api_key' as const,
  }
  const key = await fixture.newKey({ project_id, access })
  for (const route of ['GET /conversations', 'GET /chat-tokens'])
    assert.deepEqual((await fixture.call(route, { key })).body.data, [])
  await openSite(fixture, { project_id })
  assert.equal((await fixture.call('POST /conversations', { key, body: {} })).status, 403)
})
