/** Tests of the discovery documents for OAuth clients, at every URL where clients look. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { scopeNames, scopes } from '../../contract/scopes.ts'

const fixture = await openTestRuntime({ work: false })
const { public_url } = fixture.runtime.config
const reading = scopeNames.filter((name) => scopes[name].read_only)

async function read(path: string) {
  const response = await fetch(fixture.url + path, { redirect: 'manual' })
  const { status, headers } = response
  const body: any = await response.json()
  return { status, headers, body }
}

describe('the protected resource metadata', () => {
  test('is served for each entry point at its own URL, and for MCP without a path', async () => {
    const root = '/.well-known/oauth-protected-resource'
    for (const [path, entry_point] of [
      [root, '/mcp'],
      [`${root}/mcp`, '/mcp'],
      [`${root}/mcp/`, '/mcp'],
      [`/mcp${root}`, '/mcp'],
      [`${root}/api/v1`, '/api/v1'],
      [`${root}/api/v1/`, '/api/v1'],
      [`/api/v1${root}`, '/api/v1'],
    ] as const) {
      const { status, headers, body } = await read(path)
      assert.equal(status, 200, path)
      assert.match(headers.get('content-type') ?? '', /^application\/json/)
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.equal(body.resource, public_url + entry_point)
      assert.deepEqual(body.authorization_servers, [public_url])
      assert.deepEqual(body.scopes_supported, reading)
      assert.deepEqual(body.bearer_methods_supported, ['header'])
    }
  })

  test('is linked by the 401 for a request without a token', async () => {
    const response = await fetch(`${fixture.url}/mcp`, { method: 'POST' })
    assert.equal(response.status, 401)
    const challenge = response.headers.get('www-authenticate') ?? ''
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
    assert.equal(new URL(address).origin, public_url)
    const { body } = await read(new URL(address).pathname)
    assert.equal(body.resource, `${public_url}/mcp`)
    assert.ok(challenge.includes(`scope="${reading.join(' ')}"`), challenge)
    assert.doesNotMatch(challenge, /error=/)
  })
})

describe('the authorization server metadata', () => {
  const places = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']

  test('is the same at every URL where clients look', async () => {
    const first = (await read(places[0] ?? '')).body
    assert.equal(first.issuer, public_url)
    for (const place of places) {
      for (const path of [
        place,
        ...['/mcp', '/api/v1'].flatMap((at) => [place + at, at + place]),
      ]) {
        const { status, body } = await read(path)
        assert.equal(status, 200, path)
        assert.deepEqual(body, first, path)
      }
    }
  })

  test('has the members that clients require', async () => {
    const { body } = await read(places[0] ?? '')
    assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
    assert.deepEqual(body.response_types_supported, ['code'])
    assert.deepEqual(body.scopes_supported, scopeNames)
    assert.equal(body.client_id_metadata_document_supported, true)
    assert.ok(body.token_endpoint_auth_methods_supported.includes('none'))
    assert.equal(body.authorization_response_iss_parameter_supported, true)
    for (const name of ['authorization', 'token', 'registration', 'revocation']) {
      assert.ok(body[`${name}_endpoint`].startsWith(`${public_url}/oauth/`), name)
    }
    const keys = await read(new URL(body.jwks_uri).pathname)
    assert.deepEqual(
      keys.body.keys.map(({ kty, d }: Record<string, string>) => [kty, d]),
      [['OKP', undefined]],
    )
  })

  test('omits metadata documents if the operator disables them', async () => {
    const quiet = await openTestRuntime({
      work: false,
      settings: { HOMEPORT_OAUTH_DOCUMENTS: 'off' },
    })
    const body: any = await (await fetch(quiet.url + places[0])).json()
    assert.equal('client_id_metadata_document_supported' in body, false)
    assert.match(body.registration_endpoint, /\/oauth\/register$/)
  })

  test('allows cross-origin requests with a protocol version header', async () => {
    for (const path of [...places, '/oauth/register']) {
      const { status, headers } = await fetch(fixture.url + path, { method: 'OPTIONS' })
      assert.equal(status, 204)
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.match(headers.get('access-control-allow-headers') ?? '', /mcp-protocol-version/i)
    }
  })

  test('contains the public URL, whatever the Host of the request', async () => {
    const { host } = new URL(fixture.url)
    const response = await fetch(`http://${host}${places[0]}`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    const body: any = await response.json()
    assert.equal(body.issuer, public_url)
  })
})
