/** Tests of scopes that a connection lacks: in get_state, and when a tool needs one. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { callMessage, connectModern, post, valueOf } from '../../../../test/fixtures/mcp/mcp.ts'
import { connect } from '../../../../test/fixtures/portal/oauth.ts'
import { createOwnedProject, signIn } from '../../../../test/fixtures/portal/portal.ts'
import { scopeNames } from '../../../contract/scopes.ts'

const fixture = await openTestRuntime({ work: false, settings: { HOMEPORT_TEST_CLOCK: '1' } })
const email = 'owner@bakery.example'
const project_id = await createOwnedProject(fixture, email)
const scopes = ['project:read', 'data:read']
const connected = async () => connect(fixture, await signIn(fixture, email), { project_id, scopes })

/** Opens a 1.x client that holds the tokens of a connection, and cannot open a browser. */
async function connectEarlier() {
  const { program, ...tokens } = await connected()
  let held: any = tokens
  const authProvider: OAuthClientProvider = {
    redirectUrl: program.redirect_uri,
    clientMetadata: { redirect_uris: [program.redirect_uri] },
    clientInformation: () => program,
    tokens: () => held,
    saveTokens: (saved) => void (held = saved),
    redirectToAuthorization: () => {
      throw new Error('There is no browser.')
    },
    saveCodeVerifier: () => {},
    codeVerifier: () => '',
  }
  const client = new Client({ name: 'a-test', version: '1.0.0' })
  const transport: any = new StreamableHTTPClientTransport(
    new URL(`${fixture.runtime.config.public_url}/mcp`),
    {
      authProvider,
    },
  )
  await client.connect(transport)
  return client
}

const create = { name: 'collections_create', arguments: { name: 'orders' } }

describe('a scope that a connection lacks', () => {
  test('is explained in words to a 1.x client that cannot request it', async () => {
    const client = await connectEarlier()
    const { content, isError }: any = await client.callTool(create)
    assert.equal(isError, true)
    const problem = JSON.parse(content[0].text)
    assert.match(problem.type, /missing_scope$/)
    assert.match(problem.detail, /data:write/)
    assert.match(problem.next_step, /connect this chat again and tick that permission/)
    const again: any = await client.callTool(create)
    assert.match(again.content[0].text, /data:write/)
    await client.close()
  })

  test('is requested with 403 at first, then explained in words, and requested again after a while', async () => {
    const { access_token: key } = await connected()
    const message = callMessage('collections_create', { name: 'orders' })
    const status = async () => (await post(fixture, message, { key })).status
    assert.deepEqual([await status(), await status(), await status()], [403, 200, 200])
    const other = await connected()
    assert.equal((await post(fixture, message, { key: other.access_token })).status, 403)
    fixture.clock.advance(601)
    assert.equal(await status(), 403)
  })
})

describe('get_state', () => {
  test('shows a connection which scopes it has, which it lacks, and how to get more', async () => {
    const { access_token: key } = await connected()
    const client = await connectModern(fixture, { key })
    const { connection } = valueOf(await client.callTool({ name: 'get_state', arguments: {} }))
    assert.deepEqual([connection.kind, connection.scopes], ['connection', scopes])
    const lacking = scopeNames.filter((scope) => !scopes.includes(scope))
    assert.deepEqual(connection.scopes_missing, lacking)
    assert.match(connection.to_get_more, /connect this chat again and to tick what is missing/)
    assert.ok(
      connection.to_get_more.endsWith(`/portal/app/projects/${project_id}/keys#connections`),
    )
    await client.close()
  })

  test('shows a key with every scope no way to get more', async () => {
    const { body } = await post(fixture, callMessage('get_state', {}))
    const { connection } = valueOf(body.result)
    assert.deepEqual(connection, { kind: 'api_key', scopes: [...scopeNames] })
  })

  test('refuses unknown arguments, and says that it takes none', async () => {
    const { body } = await post(fixture, callMessage('get_state', { verbose: true, x: 1 }))
    const problem = JSON.parse(body.result.content[0].text)
    assert.match(problem.type, /validation_failed$/)
    const message = 'is not an argument of this tool, which takes none'
    assert.deepEqual(problem.errors, [
      { path: '/verbose', message },
      { path: '/x', message },
    ])
    const other = await post(fixture, callMessage('calls_get', { id: 'x', verbose: true }))
    assert.match(other.body.result.content[0].text, /which takes id/)
  })
})
