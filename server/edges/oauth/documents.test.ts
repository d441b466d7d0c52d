/**
 * Tests of client metadata documents: retrieval, validation, and protection against requests to
 * private addresses.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import { after, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createAuthority } from '../../../test/fixtures/external/certificate.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import {
  openAuthorization,
  connect,
  newRequest,
  renewTokens,
  requestToken,
  type OAuthClient,
} from '../../../test/fixtures/portal/oauth.ts'
import { createOwnedProject, signIn } from '../../../test/fixtures/portal/portal.ts'
import { limits } from '../../contract/limits.ts'
import { listen } from '../../../test/fixtures/loopback.ts'

const authority = createAuthority('Tests of documents')
setDefaultCACertificates([...getCACertificates(), authority.cert])

interface Served {
  status?: number
  headers?: Record<string, string>
  body: string
}

const served = new Map<string, Served>()
const seen: string[] = []
const server = createServer(authority.issue('localhost'), (request, response) => {
  seen.push(request.url ?? '')
  const found = served.get(request.url ?? '')
  response.writeHead(found?.status ?? (found ? 200 : 404), found?.headers ?? {})
  response.end(found?.body)
})
const origin = `https://localhost:${await listen({ after }, server)}`

const fixture = await openTestRuntime({
  work: false,
  settings: { HOMEPORT_EGRESS_ALLOW_PRIVATE: '1' },
})
const project_id = await createOwnedProject(fixture, 'owner@bakery.example')
const visitor = await signIn(fixture, 'owner@bakery.example')

const back = 'https://assistant.example/callback'
let documents = 0

/** Publishes the metadata document of a client at its own path. */
function publish(document: Record<string, unknown> = {}, rest: Partial<Served> = {}): OAuthClient {
  const path = `/client-${(documents += 1)}.json`
  const client_id = origin + path
  const said = { client_id, client_name: 'By document', redirect_uris: [back], ...document }
  served.set(path, { body: JSON.stringify(said), ...rest })
  return { client_id, redirect_uri: back }
}

const request = (program: OAuthClient) => openAuthorization(visitor, newRequest(program).query)

describe('a client with a metadata document', () => {
  test('connects without a registration, and its document is cached', async () => {
    const program = publish({ token_endpoint_auth_method: 'none', logo_uri: 'https://a.example/x' })
    const held = await connect(fixture, visitor, { project_id, program })
    const project = await fixture.call('GET /project', { key: held.access_token })
    assert.equal(project.body.id, project_id)
    assert.equal((await renewTokens(fixture, program, held)).status, 200)
    const path = new URL(program.client_id).pathname
    assert.deepEqual(
      seen.filter((one) => one === path),
      [path],
    )
  })

  test("is shown with its document's URL, and with a warning if it redirects to another host", async () => {
    const program = publish({ client_name: 'Claude', client_uri: 'https://claude.example' })
    const asked = await request(program)
    const { text } = await visitor.get(asked.to ?? '')
    const { host } = new URL(origin)
    assert.ok(text.includes(`<b>${host}</b>`), text)
    assert.ok(text.includes('assistant.example'))
    assert.match(text, /which is another address/)
    assert.doesNotMatch(text, /chose its own name/)
  })

  test('may redirect to any port of the loopback interface if its document declares it', async () => {
    const program = publish({ redirect_uris: ['http://localhost/callback'] })
    const redirect_uri = 'http://localhost:49152/callback'
    const asked = await request({ ...program, redirect_uri })
    assert.equal(asked.status, 303)
    assert.match((await visitor.get(asked.to ?? '')).text, /a program on this computer/)
    const other = await request({ ...program, redirect_uri: 'http://localhost:1/other' })
    assert.equal(other.status, 400)
  })
})

describe('a metadata document is refused', () => {
  const bad: Record<string, () => OAuthClient> = {
    'that is of another program': () => publish({ client_id: `${origin}/other.json` }),
    'that does not say of which it is': () => publish({ client_id: undefined }),
    'that is no JSON': () => publish({}, { body: '{' }),
    'that is a list': () => publish({}, { body: '[]' }),
    'that is nothing': () => publish({}, { body: 'null' }),
    'that is too large': () => publish({ client_name: 'x'.repeat(20_000) }),
    'that is not there': () => publish({}, { status: 404 }),
    'that is an error': () => publish({}, { status: 500 }),
    'that leads on to another': () => {
      const { pathname } = new URL(publish().client_id)
      return publish({}, { status: 302, headers: { location: origin + pathname } })
    },
    'that holds a secret': () => publish({ client_secret: 'everybody knows' }),
    'of one that wants a secret': () =>
      publish({ token_endpoint_auth_method: 'client_secret_post' }),
    'of one that wants keys': () => publish({ token_endpoint_auth_method: 'private_key_jwt' }),
    'that leads back to nowhere safe': () => publish({ redirect_uris: ['http://evil.example/'] }),
    'that leads back nowhere': () => publish({ redirect_uris: [] }),
  }
  for (const [name, make] of Object.entries(bad)) {
    test(name, async () => {
      const asked = await request(make())
      assert.deepEqual([asked.status, asked.to], [400, null])
      assert.match(asked.text, /Connection failed/)
    })
  }

  test('at a URL that is not plain https', async () => {
    const { pathname } = new URL(publish().client_id)
    const { host } = new URL(origin)
    for (const client_id of [
      `http://${host}${pathname}`,
      `https://user@${host}${pathname}`,
      `https://${host}${pathname}#fragment`,
      `https://${host}/a/..${pathname}`,
      `https:${host}${pathname}`,
      `file://${host}${pathname}`,
    ]) {
      const asked = await request({ client_id, redirect_uri: back })
      assert.deepEqual([asked.status, asked.to], [400, null], client_id)
    }
  })

  test('at a private address, a name that resolves to one, or another port', async () => {
    const settings = { HOMEPORT_EGRESS_ALLOW_PRIVATE: '0' }
    const guarded = await openTestRuntime({ work: false, settings })
    await createOwnedProject(guarded, 'owner@bakery.example')
    const inside = await signIn(guarded, 'owner@bakery.example')
    const before = seen.length
    for (const client_id of [
      publish().client_id,
      'https://localhost/client.json',
      'https://127.0.0.1/client.json',
      'https://[::1]/client.json',
      'https://0x7f000001/client.json',
      'https://10.0.0.1/client.json',
      'https://192.168.1.1/client.json',
      'https://169.254.169.254/latest/meta-data',
      'https://metadata.google.internal/',
      'https://[::ffff:127.0.0.1]/client.json',
    ]) {
      const asked = await openAuthorization(
        inside,
        newRequest({ client_id, redirect_uri: back }).query,
      )
      assert.deepEqual([asked.status, asked.to], [400, null], client_id)
      // The error must not reveal internal hosts.
      assert.doesNotMatch(asked.text, /refused|public address|ECONN|timeout/i)
    }
    assert.equal(seen.length, before)
  })
})

test('after too many retrievals from one network', async () => {
  fixture.passes('1 hour')
  const before = seen.length
  const tryOne = () =>
    requestToken(fixture, {
      grant_type: 'refresh_token',
      client_id: `${origin}/none-${(documents += 1)}.json`,
      refresh_token: 'x',
    })
  for (let count = 0; count < limits.oauth_requests_max + 20; count += 1) {
    assert.notEqual((await tryOne()).status, 200)
  }
  assert.equal(seen.length - before, limits.oauth_requests_max)
})
