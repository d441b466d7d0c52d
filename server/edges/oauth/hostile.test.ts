/** Tests of malicious requests to the authorization server. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import {
  CALLBACK,
  openAuthorization,
  codeFor,
  connect,
  decide,
  registerNewClient,
  newRequest,
  pathOf,
  postTo,
  redeemCode,
  renewTokens,
  requestToken,
} from '../../../test/fixtures/portal/oauth.ts'
import { newVisitor, createOwnedProject, signIn } from '../../../test/fixtures/portal/portal.ts'
import { limits } from '../../contract/limits.ts'

const fixture = await openTestRuntime({ work: false })
const { public_url } = fixture.runtime.config

const project_id = await createOwnedProject(fixture, 'owner@bakery.example')
const visitor = await signIn(fixture, 'owner@bakery.example')

describe('a redirect URI', () => {
  test('that is not registered gets an error page without a link', async () => {
    const program = await registerNewClient(fixture)
    for (const redirect_uri of [
      'https://evil.example/callback',
      `${CALLBACK}/more`,
      `${CALLBACK}?more=1`,
      `${CALLBACK}#more`,
      'https://assistant.example.evil.example/callback',
      'https://assistant.example@evil.example/callback',
      'https://ASSISTANT.example/callback',
      'https://assistant.example/callback/../evil',
      'javascript:alert(1)',
      '',
    ]) {
      const asked = await openAuthorization(visitor, { ...newRequest(program).query, redirect_uri })
      assert.deepEqual([asked.status, asked.to], [400, null], redirect_uri)
      assert.ok(!asked.text.includes('evil.example'), redirect_uri)
      assert.match(asked.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
      assert.match(asked.headers.get('content-type') ?? '', /^text\/html/)
    }
  })

  test('that is repeated or missing gets an error page', async () => {
    const program = await registerNewClient(fixture)
    const { query } = newRequest(program)
    const twice = `${new URLSearchParams(query)}&redirect_uri=https://evil.example/`
    const asked = await visitor.get(`/oauth/authorize?${twice}`)
    assert.deepEqual([asked.status, asked.to], [400, null])
    const { redirect_uri: _left, ...without } = query
    const bare = await openAuthorization(visitor, without)
    assert.deepEqual([bare.status, bare.to], [400, null])
  })

  test('of the loopback interface may have any port, but no other host or path', async () => {
    const program = await registerNewClient(fixture, 'http://127.0.0.1:3000/callback')
    for (const [redirect_uri, taken] of [
      ['http://127.0.0.1:49152/callback', true],
      ['http://127.0.0.1/callback', true],
      ['http://127.0.0.1:3000/other', false],
      ['http://localhost:3000/callback', false],
      ['http://127.0.0.2:3000/callback', false],
      ['http://127.0.0.1:3000@evil.example/callback', false],
    ] as const) {
      const asked = await openAuthorization(visitor, { ...newRequest(program).query, redirect_uri })
      assert.equal(asked.status, taken ? 303 : 400, redirect_uri)
    }
  })

  test('must be the same in the token request', async () => {
    const program = await registerNewClient(fixture)
    const request = newRequest(program)
    const code = await codeFor(visitor, request, { project_id })
    const { verifier } = request
    const other = { ...program, redirect_uri: `${CALLBACK}/other` }
    const { status, body } = await redeemCode(fixture, other, { code, verifier })
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  })
})

describe('a request without PKCE', () => {
  test('is redirected as invalid: without a challenge, with a plain or with an incomplete one', async () => {
    const program = await registerNewClient(fixture)
    const { query } = newRequest(program)
    const { code_challenge, code_challenge_method: _method, ...bare } = query
    for (const bent of [
      bare,
      { ...bare, code_challenge_method: 'S256' },
      { ...bare, code_challenge: code_challenge ?? '' },
      { ...query, code_challenge_method: 'plain' },
      { ...query, code_challenge: 'short' },
    ]) {
      const asked = await openAuthorization(visitor, bent)
      const address = new URL(asked.to ?? 'about:blank')
      assert.equal(address.origin + address.pathname, CALLBACK)
      assert.equal(address.searchParams.get('error'), 'invalid_request')
      assert.equal(address.searchParams.get('state'), 'a state')
      assert.equal(address.searchParams.get('iss'), public_url)
    }
  })

  test('is also redirected as invalid for another response type', async () => {
    const program = await registerNewClient(fixture)
    for (const response_type of ['token', 'id_token', 'code id_token', 'none', 'nonsense']) {
      const asked = await openAuthorization(visitor, {
        ...newRequest(program).query,
        response_type,
      })
      assert.match(asked.to ?? '', /error=unsupported_response_type/, response_type)
      assert.ok(asked.to?.startsWith(CALLBACK))
    }
  })
})

describe('a token', () => {
  test('is for this service only, by any of its identifiers', async () => {
    const program = await registerNewClient(fixture)
    const queries = ['/mcp?read_only=true', '/mcp/?toolsets=data,sites&read_only=true']
    const names = ['/mcp', '/mcp/', '/api/v1', '', '/', ...queries]
    for (const resource of names.map((path) => public_url + path)) {
      const request = newRequest(program)
      const query = { ...request.query, resource }
      const code = await codeFor(visitor, { ...request, query }, { project_id })
      const { verifier } = request
      const { status, body } = await redeemCode(fixture, program, { code, verifier, resource })
      assert.equal(status, 200, `${resource} ${JSON.stringify(body)}`)
      for (const route of ['GET /project', 'POST //mcp']) {
        const answer = await fixture.call(route, { key: body.access_token })
        assert.notEqual(answer.status, 401, route)
      }
    }
  })

  test('is issued and refreshed by any identifier, whichever the consent was for', async () => {
    const program = await registerNewClient(fixture)
    const { client_id } = program
    const origin = new URL(public_url).origin
    const names = ['/mcp', '/mcp/', '/api/v1', '/api/v1/', '', '/', '/mcp?toolsets=data']
    const spellings = [
      ...names.map((path) => public_url + path),
      `${origin.replace('localhost', 'LOCALHOST').replace('http', 'HTTP')}/mcp`,
    ]
    for (const [index, resource] of spellings.entries()) {
      const request = newRequest(program)
      const query = { ...request.query, resource }
      const code = await codeFor(visitor, { ...request, query }, { project_id })
      const other = spellings[(index + 1) % spellings.length] ?? ''
      let { status, body } = await redeemCode(fixture, program, {
        code,
        verifier: request.verifier,
        resource: other,
      })
      assert.equal(status, 200, `${resource} ${other}`)
      for (const spelling of spellings) {
        const { refresh_token } = body
        const form = { grant_type: 'refresh_token', client_id, refresh_token }
        ;({ status, body } = await requestToken(fixture, { ...form, resource: spelling }))
        assert.equal(status, 200, `${resource} ${spelling}`)
      }
    }
  })

  test('is refused with an error that consumes and ends nothing', async () => {
    const program = await registerNewClient(fixture)
    const { client_id } = program
    const request = newRequest(program)
    const { verifier } = request
    const code = await codeFor(visitor, request, { project_id })
    const wrong = { resource: 'https://other.example/mcp' }
    const refused = await redeemCode(fixture, program, { code, verifier, ...wrong })
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_target'])
    const { status, body } = await redeemCode(fixture, program, { code, verifier })
    assert.equal(status, 200, JSON.stringify(body))
    const { refresh_token, access_token } = body
    const form = { grant_type: 'refresh_token', client_id, refresh_token }
    const renew = async (more: Record<string, string>) =>
      (await requestToken(fixture, { ...form, ...more })).body.error
    const tries = async () => {
      assert.equal(await renew(wrong), 'invalid_target')
      assert.equal(await renew({ scope: 'data:write' }), 'invalid_scope')
      assert.equal((await fixture.call('GET /project', { key: access_token })).status, 200)
    }
    await tries()
    assert.equal((await renewTokens(fixture, program, body)).status, 200)
    fixture.passes('61 seconds')
    await tries()
  })

  test('is refused for another resource, in authorization and refresh requests', async () => {
    const program = await registerNewClient(fixture)
    for (const resource of [
      'https://other.example/mcp',
      `${public_url}/other`,
      `${public_url}/api/v1?read_only=true`,
      `${public_url}/mcp?read_only=true#part`,
      `${public_url}.evil.example/mcp`,
      'not an address',
    ]) {
      const asked = await openAuthorization(visitor, { ...newRequest(program).query, resource })
      assert.match(asked.to ?? '', /error=invalid_target/, resource)
    }
    const request = newRequest(program)
    const code = await codeFor(visitor, request, { project_id })
    const resource = 'https://other.example/mcp'
    const { verifier } = request
    const refused = await redeemCode(fixture, program, { code, verifier, resource })
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_target'])
  })
})

describe('credentials of one client', () => {
  test('are refused for another client, and stay valid for the first', async () => {
    const [one, other] = [await registerNewClient(fixture), await registerNewClient(fixture)]
    const request = newRequest(one)
    const code = await codeFor(visitor, request, { project_id })
    const { verifier } = request
    const mixed = await redeemCode(fixture, other, { code, verifier })
    assert.deepEqual([mixed.status, mixed.body.error], [400, 'invalid_grant'])
    const { body } = await redeemCode(fixture, one, { code, verifier })
    const stolen = await renewTokens(fixture, other, body)
    assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant'])
    assert.equal((await renewTokens(fixture, one, body)).status, 200)
  })

  test('are refused with 401 for an unknown client, so that it registers again', async () => {
    const unknown = { client_id: '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d', redirect_uri: CALLBACK }
    const { status, body } = await redeemCode(fixture, unknown, {
      code: 'x',
      verifier: 'x'.repeat(43),
    })
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
    const renewed = await renewTokens(fixture, unknown, { refresh_token: 'hm_ort_x' })
    assert.deepEqual([renewed.status, renewed.body.error], [401, 'invalid_client'])
  })

  test('are refused with an invalid client_id at every endpoint and on the consent page', async () => {
    for (const client_id of ['\0', 'a\0b', '\ud800', 'nobody', 'https://assistant.example/\0']) {
      const nobody = { client_id, redirect_uri: CALLBACK }
      const asked = await openAuthorization(visitor, newRequest(nobody).query)
      assert.deepEqual([asked.status, asked.to], [400, null], asked.text)
      for (const path of ['/oauth/token', '/oauth/revoke']) {
        const form = { client_id, grant_type: 'refresh_token', refresh_token: 'x', token: 'x' }
        const { status, body } = await postTo(fixture, path, { body: new URLSearchParams(form) })
        assert.deepEqual([status, body.error], [401, 'invalid_client'], path)
      }
    }
  })

  test('are not issued by other grants or methods', async () => {
    const { client_id } = await registerNewClient(fixture)
    for (const form of [
      { grant_type: 'password', client_id, username: 'a', password: 'b' },
      { grant_type: 'client_credentials', client_id },
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id },
      { grant_type: 'nonsense', client_id },
      { client_id },
    ]) {
      const { status } = await requestToken(fixture, Object.fromEntries(Object.entries(form)))
      assert.equal(status, 400)
    }
    for (const [path, body] of [
      ['/oauth/token', '{"grant_type":'],
      ['/oauth/token', 'x'.repeat(100_000)],
      ['/oauth/revoke', ''],
      ['/oauth/token', ''],
    ] as const) {
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
        const headers = { 'content-type': type }
        const { status } = await postTo(fixture, path, { headers, body })
        assert.equal(status, 400, `${path} ${type}`)
      }
    }
    assert.equal((await fetch(`${fixture.url}/oauth/token`)).status, 404)
  })
})

describe('the consent page', () => {
  test('opens only in the browser that started the request', async () => {
    const asked = await openAuthorization(
      newVisitor(fixture),
      newRequest(await registerNewClient(fixture)).query,
    )
    const path = asked.to ?? ''
    const victim = await visitor.get(path)
    assert.equal(victim.status, 404)
    assert.match(victim.text, /started in another browser/)
    const forced = await decide(visitor, path, { project_id })
    assert.equal(forced.status, 404)
  })

  test('refuses forms of other sites, and framing', async () => {
    const asked = await openAuthorization(
      visitor,
      newRequest(await registerNewClient(fixture)).query,
    )
    const path = asked.to ?? ''
    const page = await visitor.get(path)
    assert.equal(page.headers.get('x-frame-options'), 'DENY')
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /form-action 'self' https:\/\/assistant\.example;/)
    assert.match(page.headers.get('cache-control') ?? '', /no-store/)
    const form = { decision: 'allow', project: project_id, mode: 'test', scope: 'project:read' }
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await visitor.post(path, form, elsewhere)).status, 403)
    assert.equal((await visitor.get(path)).status, 200)
  })

  test('cannot be skipped by requesting the next step directly', async () => {
    const asked = await openAuthorization(
      visitor,
      newRequest(await registerNewClient(fixture)).query,
    )
    const uid = (asked.to ?? '').split('/').at(-1)
    const skipped = await visitor.get(`/oauth/authorize/${uid}`)
    assert.match(skipped.to ?? '', /^\/portal\/connect\//)
    const stranger = await newVisitor(fixture).get(`/oauth/authorize/${uid}`)
    assert.deepEqual([stranger.status, stranger.to], [400, null])
  })

  test("never grants more than the person's permissions, whatever the form contains", async () => {
    const email = 'looks@bakery.example'
    await createOwnedProject(fixture, email)
    const viewer = await signIn(fixture, email)
    const { db } = fixture.runtime
    const { id: person_id } = await db
      .selectFrom('people')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const created_at = fixture.runtime.clock.now()
    await db.transact((tx) =>
      tx
        .insertInto('members')
        .values({ project_id, person_id, role: 'viewer', created_at })
        .execute(),
    )
    const asked = await openAuthorization(
      viewer,
      newRequest(await registerNewClient(fixture)).query,
    )
    const path = asked.to ?? ''
    const page = await viewer.get(`${path}?project=${project_id}`)
    assert.ok(!page.text.includes('data:write'))
    const scopes = ['project:read', 'data:write']
    for (const bent of [
      { project_id, scopes },
      { project_id, scopes: [] },
      { project_id, mode: 'live' },
      { project_id, mode: 'both' },
      { project_id: fixture.project_id },
      { project_id: 'x' },
      { project_id, sites: ['01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'] },
    ]) {
      assert.equal((await decide(viewer, path, bent)).status, 422, JSON.stringify(bent))
    }
    const held = await connect(fixture, viewer, { project_id })
    assert.equal((await fixture.call('GET /project', { key: held.access_token })).status, 200)
  })
})

test('the requests of one network are limited', async () => {
  const { query } = newRequest(await registerNewClient(fixture))
  fixture.passes('1 hour')
  for (let count = 0; count < limits.oauth_requests_max; count += 1)
    await openAuthorization(visitor, query)
  const refused = await openAuthorization(visitor, query)
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(refused.text, /wait a few minutes/)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  fixture.passes('11 minutes')
  assert.equal(pathOf((await openAuthorization(visitor, query)).to).split('/')[2], 'connect')
})
