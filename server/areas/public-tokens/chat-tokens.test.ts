/** Tests of /chat-tokens: creating, changing and revoking public tokens with an API key. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../contract/limits.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const runtime = await openTestRuntime({ work: false })
const origin = 'https://www.example.nl'
const allowed_origins = [origin]

async function newProject() {
  const { project_id } = await runtime.newProject()
  const key = await runtime.newKey({ project_id })
  return (route: string, body?: unknown) =>
    runtime.call(route, { key, ...(body === undefined ? {} : { body }) })
}

/**
 * Sends a request with the token from a page of `from`, for a collection that does not exist, and
 * returns the status.
 */
async function statusWith(token: string, from = origin): Promise<number> {
  const asked = { key: token, headers: { origin: from } }
  return (await runtime.call('GET /public/collections/none/form', asked)).status
}

const WORKS = 404

describe('POST /chat-tokens', () => {
  it('creates a token that works at once, with the default limits', async () => {
    const call = await newProject()
    const made = await call('POST /chat-tokens', { name: 'Order form', allowed_origins })
    assert.equal(made.status, 201, made.text)
    const { id, token, chat_tag, created_at, form_address, ...rest } = made.body
    assert.match(
      chat_tag,
      RegExp(`^<script src="http.*/widget.js" data-chat-token="${token}" defer>`),
    )
    assert.match(form_address, /^http.*\/api\/v1\/public\/collections\/\{name\}\/documents$/)
    assert.deepEqual(rest, {
      name: 'Order form',
      start: token.slice(0, 12),
      allowed_origins,
      site_id: null,
      daily_conversation_limit: 200,
      daily_spend_limit_eur: 5,
      challenge: 'altcha',
      theme: { color: null, position: 'right', greeting: null, language: null },
      used_today: { conversations: 0, spent_eur: 0 },
      active: true,
      last_used_at: null,
      revoked_at: null,
      test: true,
    })
    assert.equal(await statusWith(token), WORKS)
    assert.equal(await statusWith(token, 'https://other.example'), 403)
    const { body } = await call(`GET /chat-tokens/${id}`)
    assert.deepEqual({ ...body, last_used_at: null }, { ...rest, id, created_at })
  })

  it('stores origins as browsers write them, each once', async () => {
    const call = await newProject()
    const typed = ['HTTPS://WWW.Example.nl:443/', origin, 'http://localhost:3000']
    const { body } = await call('POST /chat-tokens', { allowed_origins: typed })
    assert.deepEqual(body.allowed_origins, [origin, 'http://localhost:3000'])
  })

  it('reports every invalid origin', async () => {
    const call = await newProject()
    const typed = [origin, 'https://a.example/form', 'http://a.example', '*']
    const refused = await call('POST /chat-tokens', { allowed_origins: typed })
    assert.equal(refused.status, 422)
    assert.deepEqual(
      refused.body.errors.map(({ path }: { path: string }) => path),
      ['/allowed_origins/1', '/allowed_origins/2', '/allowed_origins/3'],
    )
  })

  for (const [what, body] of Object.entries({
    'no origins': {},
    'an empty list of origins': { allowed_origins: [] },
    'too many origins': {
      allowed_origins: Array.from({ length: 21 }, (_, n) => `https://a${n}.example`),
    },
    'a conversation limit over 1000': { allowed_origins, daily_conversation_limit: 1001 },
    'a spending limit over 1000': { allowed_origins, daily_spend_limit_eur: 1000.01 },
    'a negative spending limit': { allowed_origins, daily_spend_limit_eur: -1 },
    'a name of two lines': { allowed_origins, name: 'a\nb' },
    'an unknown field': { allowed_origins, origin },
  })) {
    it(`refuses ${what} with 422`, async () => {
      const call = await newProject()
      assert.equal((await call('POST /chat-tokens', body)).status, 422)
    })
  }

  it('creates at most 50 active tokens for a project, also with concurrent requests', async () => {
    const call = await newProject()
    const create = () => call('POST /chat-tokens', { allowed_origins })
    for (let made = 0; made < limits.public_tokens_max - 5; made++) await create()
    const answers = await Promise.all(Array.from({ length: 10 }, create))
    const refused = answers.filter(({ status }) => status === 409)
    assert.equal(refused.length, 5)
    assert.match(refused[0]!.body.type, /\/conflict$/)
    const made = answers.find(({ status }) => status === 201)
    await call(`DELETE /chat-tokens/${made?.body.id}`)
    assert.equal((await call('POST /chat-tokens', { allowed_origins })).status, 201)
  })
})

describe('GET /chat-tokens', () => {
  it('lists the tokens of the project, newest first, in pages and without their text', async () => {
    const call = await newProject()
    const first = await call('POST /chat-tokens', { name: 'First', allowed_origins })
    const second = await call('POST /chat-tokens', { name: 'Second', allowed_origins })
    const page = await call('GET /chat-tokens?limit=1')
    assert.equal(page.body.data[0].name, 'Second')
    const next = await call(`GET /chat-tokens?limit=1&cursor=${page.body.next_cursor}`)
    assert.equal(next.body.data[0].name, 'First')
    assert.equal(next.body.next_cursor, null)
    for (const { token } of [first.body, second.body])
      assert.ok(![page.text, next.text].some((text) => text.includes(token)))
    const elsewhere = await newProject()
    assert.deepEqual((await elsewhere('GET /chat-tokens')).body.data, [])
  })
})

describe('PATCH /chat-tokens/{id}', () => {
  it('changes origins, name and limits from the next request on', async () => {
    const call = await newProject()
    const { id, token } = (await call('POST /chat-tokens', { allowed_origins })).body
    const changes = {
      name: 'Both',
      allowed_origins: ['https://new.example'],
      daily_conversation_limit: 0,
      daily_spend_limit_eur: 0.5,
    }
    const changed = await call(`PATCH /chat-tokens/${id}`, changes)
    assert.equal(changed.status, 200, changed.text)
    const { name, allowed_origins: now, ...rest } = changed.body
    assert.deepEqual([name, now], ['Both', ['https://new.example']])
    assert.deepEqual([rest.daily_conversation_limit, rest.daily_spend_limit_eur], [0, 0.5])
    assert.equal(await statusWith(token), 403)
    assert.equal(await statusWith(token, 'https://new.example'), WORKS)
  })

  it('refuses to change a revoked token with 409 chat_token_revoked', async () => {
    const call = await newProject()
    const { id } = (await call('POST /chat-tokens', { allowed_origins })).body
    await call(`DELETE /chat-tokens/${id}`)
    const refused = await call(`PATCH /chat-tokens/${id}`, { name: 'Again' })
    assert.equal(refused.status, 409)
    assert.match(refused.body.type, /\/chat_token_revoked$/)
  })
})

describe('the settings of a widget', () => {
  it('have a theme, whose omitted fields a change keeps, and a human verification', async () => {
    const call = await newProject()
    const theme = { color: '#0b6e4f', greeting: 'Hello!', language: 'nl' }
    const made = await call('POST /chat-tokens', { allowed_origins, theme })
    assert.deepEqual(made.body.theme, { ...theme, position: 'right' })
    const route = `PATCH /chat-tokens/${made.body.id}`
    const changed = await call(route, { theme: { position: 'left', greeting: null } })
    assert.deepEqual(changed.body.theme, { ...theme, position: 'left', greeting: null })
    for (const wrong of [
      { theme: { color: 'red' } },
      { theme: { position: 'top' } },
      { theme: { other: 1 } },
      { challenge: 'turnstile' },
      { challenge: 'none' },
    ])
      assert.equal((await call(route, wrong)).status, 422, JSON.stringify(wrong))
  })

  it('may allow every subdomain of a domain, but not the domain itself', async () => {
    const call = await newProject()
    const { body } = await call('POST /chat-tokens', { allowed_origins: ['*.Example.nl'] })
    assert.deepEqual(body.allowed_origins, ['*.example.nl'])
    assert.equal(await statusWith(body.token, 'https://shop.example.nl'), WORKS)
    assert.equal(await statusWith(body.token, 'https://a.shop.example.nl'), WORKS)
    for (const other of [
      'https://example.nl',
      'https://badexample.nl',
      'http://shop.example.nl',
      'https://shop.example.nl:8443',
      'https://shop.example.nl.evil.example',
    ])
      assert.equal(await statusWith(body.token, other), 403, other)
    for (const wrong of ['*', '*.nl', '*.co.uk', '*.1.2.3.4', '*.*.nl', 'a.*.nl', '*.a.nl/x'])
      assert.equal(
        (await call('POST /chat-tokens', { allowed_origins: [wrong] })).status,
        422,
        wrong,
      )
  })
})

describe('DELETE /chat-tokens/{id}', () => {
  it('revokes the token, keeps the row and can be repeated', async () => {
    const call = await newProject()
    const { id, token } = (await call('POST /chat-tokens', { allowed_origins })).body
    assert.equal((await call(`DELETE /chat-tokens/${id}`)).status, 204)
    assert.equal(await statusWith(token), 401)
    const { revoked_at, active } = (await call(`GET /chat-tokens/${id}`)).body
    assert.equal(active, false)
    runtime.passes('1 hour')
    assert.equal((await call(`DELETE /chat-tokens/${id}`)).status, 204)
    assert.equal((await call(`GET /chat-tokens/${id}`)).body.revoked_at, revoked_at)
  })
})
