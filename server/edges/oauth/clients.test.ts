/**
 * Tests of the two official MCP clients, from a URL to a successful tool call: discovery,
 * registration or metadata document, refresh, and additional scopes.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import { after, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createAuthority } from '../../../test/fixtures/external/certificate.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { decide, pathOf } from '../../../test/fixtures/portal/oauth.ts'
import { createOwnedProject, signIn } from '../../../test/fixtures/portal/portal.ts'
import { listen } from '../../../test/fixtures/loopback.ts'

const fixture = await openTestRuntime({ work: false })
const project_id = await createOwnedProject(fixture, 'owner@bakery.example')
const visitor = await signIn(fixture, 'owner@bakery.example')
const address = () => new URL(`${fixture.runtime.config.public_url}/mcp`)

const identity = { name: 'a-test', version: '1.0.0' }
const back = 'http://localhost:5599/callback'

/** Returns storage of a client in memory. `document` is the URL of its metadata document. */
function memory(document?: string) {
  const kept: Record<string, any> = { led_to: [] }
  const provider: any = {
    redirectUrl: back,
    ...(document !== undefined && { clientMetadataUrl: document }),
    clientMetadata: {
      client_name: 'The official client',
      redirect_uris: [back],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'of the client',
    clientInformation: () => kept['client'],
    saveClientInformation: (client: unknown) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens: unknown) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url: URL) => void kept['led_to'].push(url),
    saveCodeVerifier: (verifier: string) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'],
    saveDiscoveryState: (state: unknown) => void (kept['discovery'] = state),
    discoveryState: () => kept['discovery'],
    invalidateCredentials: () => void delete kept['tokens'],
  }
  return { kept, provider }
}

type Memory = ReturnType<typeof memory>

/** Follows the client's authorization URL, consents, and returns the redirect. */
async function letIn({ kept }: Memory, scopes = ['project:read', 'sites:read']) {
  const asked = await visitor.get(pathOf(String(kept['led_to'].at(-1))))
  const allowed = await decide(visitor, asked.to ?? '', { project_id, scopes })
  const { searchParams, origin } = new URL(allowed.to ?? 'about:blank')
  assert.equal(origin, new URL(back).origin, allowed.text)
  assert.equal(searchParams.get('state'), 'of the client')
  return searchParams
}

interface Sort {
  name: string
  open(memory: Memory): Opened
}

interface Opened {
  connect(): Promise<unknown>
  finish(answer: URLSearchParams): Promise<void>
  call(name: string, given?: Record<string, unknown>): Promise<any>
  close(): Promise<void>
}

const sorts: Sort[] = [
  {
    name: 'of 2026',
    open({ provider }) {
      const client = new ModernClient(identity, { versionNegotiation: { mode: 'auto' } })
      const transport = new ModernTransport(address(), { authProvider: provider })
      return {
        connect: () => client.connect(transport),
        finish: (answer) => transport.finishAuth(answer),
        call: (name, given = {}) => client.callTool({ name, arguments: given }),
        close: () => client.close(),
      }
    },
  },
  {
    name: 'of 2025',
    open({ provider }) {
      const client = new EarlierClient(identity)
      const transport: any = new EarlierTransport(address(), { authProvider: provider })
      return {
        connect: () => client.connect(transport),
        finish: (answer) => transport.finishAuth(answer.get('code') ?? ''),
        call: (name, given = {}) => client.callTool({ name, arguments: given }),
        close: () => client.close(),
      }
    },
  },
]

for (const sort of sorts) {
  describe(`the client ${sort.name}`, () => {
    test('connects, calls a tool and refreshes its token', async () => {
      const own = memory()
      const first = sort.open(own)
      await assert.rejects(first.connect(), /Unauthorized/i)
      const led_to: URL = own.kept['led_to'][0]
      assert.equal(led_to.searchParams.get('resource'), address().href)
      assert.match(own.kept['client'].client_id, /^[0-9a-f-]{36}$/)
      await first.finish(await letIn(own))
      assert.match(own.kept['tokens'].access_token, /^hm_oat_/)
      const second = sort.open(own)
      await second.connect()
      const said = await second.call('sites_list')
      assert.notEqual(said.isError, true, JSON.stringify(said))
      const before = own.kept['tokens'].refresh_token
      fixture.passes('61 minutes')
      const later = await second.call('sites_list')
      assert.notEqual(later.isError, true)
      assert.notEqual(own.kept['tokens'].refresh_token, before)
      await second.close()
    })
  })
}

test('a client requests the scopes that a tool of the 2026 protocol needs, and calls the tool', async () => {
  const [sort] = sorts
  assert(sort)
  const own = memory()
  const first = sort.open(own)
  await assert.rejects(first.connect(), /Unauthorized/i)
  await first.finish(await letIn(own))
  const second = sort.open(own)
  await second.connect()
  const given = { name: 'orders', schema: { type: 'object' } }
  await assert.rejects(second.call('collections_create', given))
  const asked: URL = own.kept['led_to'].at(-1)
  const scope = asked.searchParams.get('scope') ?? ''
  assert.equal(scope, 'project:read sites:read data:write')
  await second.finish(await letIn(own, scope.split(' ')))
  const third = sort.open(own)
  await third.connect()
  const said = await third.call('collections_create', given)
  assert.notEqual(said.isError, true, JSON.stringify(said))
  await third.close()
})

describe('a client with a metadata document instead of a registration', () => {
  const authority = createAuthority('Tests of clients')
  setDefaultCACertificates([...getCACertificates(), authority.cert])
  for (const sort of sorts) {
    test(`connects (${sort.name})`, async () => {
      let document = ''
      const server = createServer(authority.issue('localhost'), (_request, response) => {
        const said = { client_id: document, client_name: 'By document', redirect_uris: [back] }
        response.end(JSON.stringify({ ...said, token_endpoint_auth_method: 'none' }))
      })
      const port = await listen({ after }, server)
      document = `https://localhost:${port}/client.json`
      const own = memory(document)
      const first = sort.open(own)
      await assert.rejects(first.connect(), /Unauthorized/i)
      assert.equal(own.kept['led_to'][0].searchParams.get('client_id'), document)
      await first.finish(await letIn(own))
      const second = sort.open(own)
      await second.connect()
      assert.notEqual((await second.call('sites_list')).isError, true)
      await second.close()
    })
  }
})
