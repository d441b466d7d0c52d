/** Tests of the authorization code flow, and of the lifetime and reuse of codes and tokens. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import {
  openAuthorization,
  CALLBACK,
  codeFor,
  connect,
  decide,
  grantableScopes,
  registerNewClient,
  newRequest,
  postTo,
  redeemCode,
  register,
  renewTokens,
  requestToken,
} from '../../../test/fixtures/portal/oauth.ts'
import { createOwnedProject, signIn } from '../../../test/fixtures/portal/portal.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { createSeal } from '../../kernel/secrets/crypto.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime } = fixture

let owners = 0
async function newScene() {
  const email = `owner-${(owners += 1)}@bakery.example`
  const project_id = await createOwnedProject(fixture, email)
  return { email, project_id, visitor: await signIn(fixture, email) }
}

async function statusOf(key: string, route = 'GET /project'): Promise<number> {
  return (await fixture.call(route, { key })).status
}

describe('the consent of a person', () => {
  test('redirects with a code whose tokens work on every route', async () => {
    const { visitor, project_id } = await newScene()
    const program = await registerNewClient(fixture)
    const request = newRequest(program)
    const asked = await openAuthorization(visitor, request.query)
    assert.equal(asked.status, 303)
    const back = await decide(visitor, asked.to ?? '', { project_id, scopes: scopeNames })
    const address = new URL(back.to ?? '')
    assert.equal(address.origin + address.pathname, CALLBACK)
    assert.equal(address.searchParams.get('state'), 'a state')
    assert.equal(address.searchParams.get('iss'), runtime.config.public_url)
    const code = address.searchParams.get('code') ?? ''
    const { status, headers, body } = await redeemCode(fixture, program, {
      code,
      verifier: request.verifier,
    })
    assert.equal(status, 200, JSON.stringify(body))
    assert.match(headers.get('cache-control') ?? '', /no-store/)
    assert.match(headers.get('x-request-id') ?? '', /^req_/)
    assert.match(body.access_token, /^hm_oat_[0-9A-Za-z]{32}$/)
    assert.equal(body.token_type, 'Bearer')
    assert.equal(body.expires_in, 3600)
    assert.equal(body.scope, grantableScopes.join(' '))
    assert.equal('id_token' in body, false)
    const project = await fixture.call('GET /project', { key: body.access_token })
    assert.deepEqual([project.body.id, project.body.mode], [project_id, 'test'])
    const made = await fixture.call('POST /collections', {
      key: body.access_token,
      body: { name: 'orders', schema: { type: 'object' } },
    })
    assert.equal(made.status, 201, made.text)
    for (const route of ['GET /sites', 'GET /numbers', 'GET /balance', 'GET /webhooks']) {
      assert.equal(await statusOf(body.access_token, route), 200, route)
    }
  })

  test('determines the granted scopes, whatever the client requested', async () => {
    const { visitor, project_id } = await newScene()
    const program = await registerNewClient(fixture)
    const request = newRequest(program)
    request.query['scope'] = 'openid offline_access project:read sites:write nonsense'
    const scopes = ['project:read', 'data:read', 'data:write']
    const code = await codeFor(visitor, request, { project_id, scopes })
    const { body } = await redeemCode(fixture, program, { code, verifier: request.verifier })
    assert.equal(body.scope, scopes.join(' '))
    assert.equal(await statusOf(body.access_token, 'GET /collections'), 200)
    assert.equal(await statusOf(body.access_token, 'GET /sites'), 403)
  })

  test('redirects with access_denied after a cancellation', async () => {
    const { visitor, project_id } = await newScene()
    const asked = await openAuthorization(
      visitor,
      newRequest(await registerNewClient(fixture)).query,
    )
    const back = await decide(visitor, asked.to ?? '', { project_id, decision: 'cancel' })
    const { searchParams } = new URL(back.to ?? '')
    assert.equal(searchParams.get('error'), 'access_denied')
    assert.equal(searchParams.get('state'), 'a state')
    assert.equal(searchParams.has('code'), false)
  })

  test('is requested each time, and used once', async () => {
    const { visitor, project_id } = await newScene()
    const program = await registerNewClient(fixture)
    await connect(fixture, visitor, { project_id, program })
    const asked = await openAuthorization(visitor, newRequest(program).query)
    assert.match(asked.to ?? '', /^\/portal\/connect\//)
    const path = asked.to ?? ''
    assert.match((await decide(visitor, path, { project_id })).to ?? '', /code=/)
    assert.equal((await visitor.get(path)).status, 404)
    assert.equal((await decide(visitor, path, { project_id })).status, 404)
    const never = await openAuthorization(visitor, { ...newRequest(program).query, prompt: 'none' })
    assert.match(never.to ?? '', /error=consent_required/)
  })
})

describe('an authorization code', () => {
  test('works once; a replay ends the connection', async () => {
    const { visitor, project_id } = await newScene()
    const program = await registerNewClient(fixture)
    const { verifier, query } = newRequest(program)
    const code = await codeFor(visitor, { verifier, query }, { project_id })
    const { body } = await redeemCode(fixture, program, { code, verifier })
    assert.equal(await statusOf(body.access_token), 200)
    const again = await redeemCode(fixture, program, { code, verifier })
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
    assert.equal(await statusOf(body.access_token), 401)
    const { refresh_token } = body
    assert.equal(
      (await renewTokens(fixture, program, { refresh_token })).body.error,
      'invalid_grant',
    )
  })

  test('works for exactly one of several concurrent requests, and the repeated use ends the connection', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { visitor, project_id } = await newScene()
      const program = await registerNewClient(fixture)
      const { verifier, query } = newRequest(program)
      const code = await codeFor(visitor, { verifier, query }, { project_id })
      const tries = Array.from({ length: 8 }, () =>
        redeemCode(fixture, program, { code, verifier }),
      )
      const replies = await Promise.all(tries)
      const won = replies.filter(({ status }) => status === 200)
      assert.equal(won.length, 1, replies.map(({ status }) => status).join(' '))
      const lost = replies.filter(({ body }) => body.error === 'invalid_grant')
      assert.equal(lost.length, 7)
      assert.equal(await statusOf(won[0]?.body.access_token), 401)
    }
  })

  test('expires after a minute, and needs the PKCE verifier', async () => {
    const { visitor, project_id } = await newScene()
    const program = await registerNewClient(fixture)
    const first = newRequest(program)
    const code = await codeFor(visitor, first, { project_id })
    const other = await redeemCode(fixture, program, {
      code,
      verifier: newRequest(program).verifier,
    })
    assert.deepEqual([other.status, other.body.error], [400, 'invalid_grant'])
    const { client_id, redirect_uri } = program
    const bare = { grant_type: 'authorization_code', client_id, redirect_uri, code }
    assert.equal((await requestToken(fixture, bare)).body.error, 'invalid_grant')
    assert.equal(
      (await redeemCode(fixture, program, { code, verifier: first.verifier })).status,
      200,
    )
    const late = newRequest(program)
    const slow = await codeFor(visitor, late, { project_id })
    fixture.passes('61 seconds')
    const over = await redeemCode(fixture, program, { code: slow, verifier: late.verifier })
    assert.equal(over.body.error, 'invalid_grant')
  })
})

describe('a refresh token', () => {
  test('is rotated at each use; the previous access token stays valid', async () => {
    const { visitor, project_id } = await newScene()
    const { program, ...first } = await connect(fixture, visitor, { project_id })
    const { status, body } = await renewTokens(fixture, program, first)
    assert.equal(status, 200, JSON.stringify(body))
    assert.notEqual(body.refresh_token, first.refresh_token)
    assert.equal(await statusOf(first.access_token), 200)
    assert.equal(await statusOf(body.access_token), 200)
  })

  test('returns a valid pair at each use within a minute, also concurrently', async () => {
    const { visitor, project_id } = await newScene()
    const { program, ...first } = await connect(fixture, visitor, { project_id })
    const tries = Array.from({ length: 8 }, () => renewTokens(fixture, program, first))
    const pairs = await Promise.all(tries)
    fixture.passes('59 seconds')
    pairs.push(await renewTokens(fixture, program, first))
    fixture.passes('5 minutes')
    for (const { status, body } of pairs) {
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(await statusOf(body.access_token), 200)
      assert.equal((await renewTokens(fixture, program, body)).status, 200)
    }
  })

  test('ends the connection when it is replayed after a minute', async () => {
    const { visitor, project_id } = await newScene()
    const { program, ...first } = await connect(fixture, visitor, { project_id })
    const second = await renewTokens(fixture, program, first)
    const repeated = await renewTokens(fixture, program, first)
    fixture.passes('61 seconds')
    const stranger = await renewTokens(fixture, await registerNewClient(fixture), first)
    assert.equal(stranger.body.error, 'invalid_grant')
    assert.equal(await statusOf(repeated.body.access_token), 200)
    const stolen = await renewTokens(fixture, program, first)
    assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant'])
    for (const { access_token } of [first, second.body, repeated.body]) {
      assert.equal(await statusOf(access_token), 401)
    }
    for (const { body } of [second, repeated]) {
      assert.equal((await renewTokens(fixture, program, body)).body.error, 'invalid_grant')
    }
  })

  test('can reduce the scopes, and never extend them', async () => {
    const { visitor, project_id } = await newScene()
    const scopes = ['project:read', 'data:read']
    const { program, ...held } = await connect(fixture, visitor, { project_id, scopes })
    const renewFor = (scope: string) => {
      const { refresh_token } = held
      const { client_id } = program
      return requestToken(fixture, { grant_type: 'refresh_token', client_id, refresh_token, scope })
    }
    const more = await renewFor('data:read data:write')
    assert.equal(more.body.error, 'invalid_scope')
    const less = await renewFor('project:read')
    assert.equal(less.body.scope, 'project:read')
    assert.equal(await statusOf(less.body.access_token), 200)
    assert.equal(await statusOf(less.body.access_token, 'GET /collections'), 403)
  })

  test('extends a connection by thirty days at each use, and expires without use', async () => {
    const { visitor, project_id } = await newScene()
    const { program, ...first } = await connect(fixture, visitor, { project_id })
    fixture.passes('29 days')
    const second = await renewTokens(fixture, program, first)
    assert.equal(second.status, 200)
    fixture.passes('29 days')
    const third = await renewTokens(fixture, program, second.body)
    assert.equal(third.status, 200)
    fixture.passes('31 days')
    assert.equal((await renewTokens(fixture, program, third.body)).body.error, 'invalid_grant')
  })
})

describe('an access token', () => {
  test('expires after an hour with its own error', async () => {
    const { visitor, project_id } = await newScene()
    const { access_token } = await connect(fixture, visitor, { project_id })
    fixture.passes('59 minutes')
    assert.equal(await statusOf(access_token), 200)
    fixture.passes('2 minutes')
    const { status, body, headers } = await fixture.call('GET /project', { key: access_token })
    assert.deepEqual([status, body.detail], [401, 'This access token has expired.'])
    const challenge = headers.get('www-authenticate') ?? ''
    assert.match(challenge, /error="invalid_token"/)
    const metadata = `${runtime.config.public_url}/.well-known/oauth-protected-resource/api/v1`
    assert.ok(challenge.includes(`resource_metadata="${metadata}"`), challenge)
  })

  test('is invalid immediately after its revocation, together with the refresh token', async () => {
    const { visitor, project_id } = await newScene()
    for (const which of ['access_token', 'refresh_token'] as const) {
      const held = await connect(fixture, visitor, { project_id })
      const { client_id } = held.program
      const stranger = await registerNewClient(fixture)
      const revoke = (id: string) =>
        postTo(fixture, '/oauth/revoke', {
          body: new URLSearchParams({ client_id: id, token: held[which] }),
        })
      assert.equal((await revoke(stranger.client_id)).status, 200)
      assert.equal(await statusOf(held.access_token), 200)
      assert.equal((await revoke(client_id)).status, 200)
      assert.equal(await statusOf(held.access_token), 401)
      assert.equal((await renewTokens(fixture, held.program, held)).body.error, 'invalid_grant')
    }
  })

  test('is refused if it is unknown', async () => {
    for (const key of ['hm_oat_', `hm_oat_${'a'.repeat(32)}`, 'hm_oat_%00']) {
      const { status, body } = await fixture.call('GET /project', { key })
      assert.deepEqual([status, body.detail], [401, 'This access token is not known.'])
    }
  })
})

test('a confidential client must send its secret, which is stored only as a hash', async () => {
  const { visitor, project_id } = await newScene()
  const metadata = { client_name: 'With a secret', redirect_uris: [CALLBACK] }
  const { status, body } = await register(fixture, metadata)
  assert.equal(status, 201)
  assert.match(body.client_secret, /^hm_ocs_/)
  assert.equal(body.token_endpoint_auth_method, 'client_secret_basic')
  const { client_id, client_secret } = body
  const program = { client_id, redirect_uri: CALLBACK }
  const request = newRequest(program)
  const code = await codeFor(visitor, request, { project_id })
  const { verifier } = request
  const without = await redeemCode(fixture, program, { code, verifier })
  assert.deepEqual([without.status, without.body.error], [401, 'invalid_client'])
  const wrong = await redeemCode(fixture, program, {
    code,
    verifier,
    client_secret: 'hm_ocs_guess',
  })
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client'])
  const right = await redeemCode(fixture, { ...program, client_secret }, { code, verifier })
  assert.equal(right.status, 200, JSON.stringify(right.body))
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
  const renewed = await postTo(fixture, '/oauth/token', {
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: right.body.refresh_token,
    }),
  })
  assert.equal(renewed.status, 200, JSON.stringify(renewed.body))
})

test('records sealed with another master key are refused as invalid credentials', async () => {
  const { visitor, project_id } = await newScene()
  const { program, ...held } = await connect(fixture, visitor, { project_id })
  const asked = await openAuthorization(visitor, newRequest(program).query)
  const other = createSeal('another master key, as after a restore')
  const sealed = other.seal('{}', 'oauth:refresh_token')
  await runtime.db.transact((tx) => tx.updateTable('oauth_records').set({ sealed }).execute())
  const { status, body } = await renewTokens(fixture, program, held)
  assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  assert.equal((await visitor.get(asked.to ?? '')).status, 404)
  assert.equal(await statusOf(held.access_token), 200)
})

test('codes and tokens are not stored in plain text', async () => {
  const { visitor, project_id } = await newScene()
  const program = await registerNewClient(fixture)
  const request = newRequest(program)
  const asked = await openAuthorization(visitor, request.query)
  const uid = (asked.to ?? '').split('/').at(-1) ?? ''
  const code = await codeFor(visitor, request, { project_id })
  const { body } = await redeemCode(fixture, program, { code, verifier: request.verifier })
  const renewed = await renewTokens(fixture, program, body)
  const secrets = [uid, code, body.access_token, body.refresh_token, renewed.body.access_token]
  const rows = [
    ...(await runtime.db.selectFrom('oauth_records').selectAll().execute()),
    ...(await runtime.db.selectFrom('access_tokens').selectAll().execute()),
    ...(await runtime.db.selectFrom('connections').selectAll().execute()),
    ...(await runtime.db.selectFrom('oauth_clients').selectAll().execute()),
  ]
  assert.ok(rows.length > 0)
  const kept = rows
    .flatMap((row) => Object.values(row))
    .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value)))
    .join('\n')
  for (const secret of secrets) {
    assert.ok(secret.length >= 32)
    assert.ok(!kept.includes(secret.slice(7)), secret)
    assert.ok(!kept.includes(Buffer.from(secret.slice(7)).toString('hex')), secret)
  }
})
