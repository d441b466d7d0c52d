/** Tests of dynamic client registration: accepted metadata, refused metadata and rate limit. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import {
  CALLBACK,
  openAuthorization,
  connect,
  registerNewClient,
  newRequest,
  register,
  renewTokens,
  requestToken,
} from '../../../test/fixtures/portal/oauth.ts'
import { newVisitor, createOwnedProject, signIn } from '../../../test/fixtures/portal/portal.ts'
import { limits } from '../../contract/limits.ts'

const fixture = await openTestRuntime()
const { runtime } = fixture

const plain = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }

describe('client registration', () => {
  test('returns the stored metadata and nothing else', async () => {
    const { status, headers, body } = await register(fixture, {
      ...plain,
      client_name: '  An\u202e assistant\n of\u0007 ours ',
      client_uri: 'https://assistant.example',
      logo_uri: 'https://assistant.example/logo.png',
      scope: 'everything',
      jwks_uri: 'https://evil.example/keys',
      id_token_signed_response_alg: 'RS256',
      grant_types: ['authorization_code', 'client_credentials'],
      response_types: ['code', 'token'],
    })
    assert.equal(status, 201, JSON.stringify(body))
    assert.match(headers.get('cache-control') ?? '', /no-store/)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    const { client_id, client_id_issued_at, ...rest } = body
    assert.match(client_id, /^[0-9a-f-]{36}$/)
    assert.equal(client_id_issued_at, Math.floor(body.client_id_issued_at))
    assert.deepEqual(rest, {
      client_name: 'An assistant of ours',
      client_uri: 'https://assistant.example',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
    })
  })

  test('reads null members as absent', async () => {
    const empty = { grant_types: null, response_types: null, client_name: null, client_uri: null }
    const { status, body } = await register(fixture, { ...plain, ...empty })
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual(body.grant_types, ['authorization_code', 'refresh_token'])
  })

  test('refuses redirect URIs that must not receive a code', async () => {
    for (const address of [
      'http://assistant.example/callback',
      'https://localhost/callback',
      'https://assistant.example/callback#fragment',
      'https://claude.ai@evil.example/callback',
      'https://:secret@assistant.example/',
      'https://assistant.example/call back',
      'https:\\\\assistant.example\\callback',
      ' https://assistant.example/',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,hello',
      'file:///etc/passwd',
      'about:blank',
      '/callback',
      '//assistant.example/callback',
      '',
      7,
      null,
      `https://assistant.example/${'x'.repeat(2000)}`,
    ]) {
      const { status, body } = await register(fixture, { ...plain, redirect_uris: [address] })
      assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri'], String(address))
      assert.ok(body.error_description.length > 20)
    }
    for (const redirect_uris of [undefined, [], 'x', Array.from({ length: 21 }, () => CALLBACK)]) {
      const { status, body } = await register(fixture, { ...plain, redirect_uris })
      assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri'])
    }
  })

  test('accepts redirect URIs of the loopback interface and of apps', async () => {
    for (const address of [
      'http://localhost:3334/callback',
      'http://127.0.0.1/callback',
      'http://[::1]:8080/',
      'cursor://anysphere.cursor-retrieval/oauth/callback',
      'com.example.app:/callback',
    ]) {
      const { status, body } = await register(fixture, {
        ...plain,
        redirect_uris: [address, CALLBACK],
      })
      assert.deepEqual([status, body.application_type], [201, 'native'], address)
    }
  })

  test('reports every other invalid member', async () => {
    for (const metadata of [
      'no json',
      '[]',
      '"text"',
      'null',
      { ...plain, token_endpoint_auth_method: 'private_key_jwt' },
      { ...plain, token_endpoint_auth_method: ['none'] },
      { ...plain, grant_types: ['implicit'] },
      { ...plain, grant_types: 'authorization_code' },
      { ...plain, response_types: ['token'] },
      `{"redirect_uris":${'['.repeat(100)}`,
    ]) {
      const { status, body } = await register(fixture, metadata)
      assert.deepEqual([status, body.error], [400, 'invalid_client_metadata'], String(metadata))
    }
    const long = { ...plain, client_name: 'x'.repeat(limits.oauth_document_bytes_max) }
    assert.equal((await register(fixture, long)).status, 400)
    const nameless = await register(fixture, { ...plain, client_name: '\u0007 \u200b' })
    assert.equal(nameless.body.client_name, 'A program without a name')
  })
})

describe('repeated registrations', () => {
  test('with the same metadata within ten minutes return one client, unless it has a secret', async () => {
    fixture.passes('2 hours')
    const metadata = { ...plain, client_name: 'Registers twice' }
    const together = await Promise.all([1, 2, 3].map(() => register(fixture, metadata)))
    const first = (await register(fixture, metadata)).body.client_id
    for (const { status } of together) assert.equal(status, 201)
    for (let time = 0; time < limits.oauth_registrations_per_hour_max; time += 1) {
      assert.equal((await register(fixture, metadata)).body.client_id, first)
    }
    fixture.passes('11 minutes')
    assert.notEqual((await register(fixture, metadata)).body.client_id, first)
    const keeping = { ...metadata, token_endpoint_auth_method: 'client_secret_post' }
    const one = (await register(fixture, keeping)).body
    const other = (await register(fixture, keeping)).body
    assert.notEqual(one.client_id, other.client_id)
    assert.notEqual(one.client_secret, other.client_secret)
  })

  test('are limited per hour and network, with Retry-After', async () => {
    fixture.passes('2 hours')
    const most = limits.oauth_registrations_per_hour_max
    for (let count = 0; count < most; count += 1) await registerNewClient(fixture)
    const { status, headers, body } = await register(fixture, { ...plain, client_name: 'Too many' })
    assert.deepEqual([status, body.error], [429, 'temporarily_unavailable'])
    assert.ok(Number(headers.get('retry-after')) > 0)
    fixture.passes('1 hour')
    assert.equal((await register(fixture, { ...plain, client_name: 'Too many' })).status, 201)
  })

  test('are deleted after a week without a connection', async () => {
    fixture.passes('2 hours')
    const project_id = await createOwnedProject(fixture, 'keeps@bakery.example')
    const visitor = await signIn(fixture, 'keeps@bakery.example')
    const unused = await registerNewClient(fixture)
    const held = await connect(fixture, visitor, { project_id })
    fixture.passes('8 days')
    await eventually(async () => {
      const rows = await runtime.db
        .selectFrom('oauth_clients')
        .select('id')
        .where('id', '=', unused.client_id)
        .execute()
      return rows.length === 0
    })
    assert.equal((await renewTokens(fixture, held.program, held)).status, 200)
    const gone = await requestToken(fixture, {
      grant_type: 'authorization_code',
      client_id: unused.client_id,
      code: 'x',
      redirect_uri: CALLBACK,
      code_verifier: 'x'.repeat(43),
    })
    // This error makes a client register again.
    assert.deepEqual([gone.status, gone.body.error], [401, 'invalid_client'])
    const page = await openAuthorization(newVisitor(fixture), newRequest(unused).query)
    assert.equal(page.status, 400)
    assert.match(page.text, /Connection failed/)
  })
})
