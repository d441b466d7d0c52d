/** Tests of sessions of 2025 clients: which clients get one, who owns it, and when it ends. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import {
  callMessage,
  connectAsking,
  connectEarlier,
  post,
  valueOf,
} from '../../../../test/fixtures/mcp/mcp.ts'
import {
  beginSession,
  createDeletion,
  createInitialize,
  listToolsMessage,
  revoke,
  createPerson,
} from '../../../../test/fixtures/mcp/mcp-sessions.ts'
import { limits } from '../../../contract/limits.ts'
import { scopeNames } from '../../../contract/scopes.ts'

const fixture = await openTestRuntime({ work: false })

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }

async function listIn(id: string, key: string): Promise<number> {
  const { status } = await post(fixture, listToolsMessage, {
    key,
    headers: { 'mcp-session-id': id },
  })
  return status
}

function openStream(id: string, key: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'mcp-session-id': id }
  return fetch(`${fixture.url}/mcp`, { headers: { ...headers, accept: 'text/event-stream' } })
}

describe('a session', () => {
  test('is opened for 2025 clients that can ask the person', async () => {
    const key = await fixture.newKey()
    assert.match((await beginSession(fixture, key)).id, /^[0-9a-f-]{36}$/)
    for (const capabilities of [{}, { sampling: {} }, { elicitation: { url: {} } }]) {
      const { status, headers } = await post(fixture, createInitialize(capabilities), { key })
      assert.deepEqual([status, headers.get('mcp-session-id')], [200, null])
    }
  })

  test('is opened for each of many concurrent clients', async () => {
    const key = await fixture.newKey()
    const begin = () => post(fixture, createInitialize(), { key })
    const answers = await Promise.all(Array.from({ length: 60 }, begin))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    const begun = answers.filter(({ headers }) => headers.get('mcp-session-id') !== null)
    assert.ok(begun.length >= limits.mcp_sessions_per_key_max, String(begun.length))
    // A further session can be opened, so the earlier ones hold nothing.
    assert.match((await beginSession(fixture, key)).id, /^[0-9a-f-]{36}$/)
  })

  test('supports everything that works without a session, with the official client', async () => {
    const key = await fixture.newKey()
    const { client, session_id } = await connectAsking(fixture, { key, answer: () => 'no' })
    const without = await connectEarlier(fixture, { key })
    assert.notEqual(session_id, '')
    assert.deepEqual((await client.listTools()).tools, (await without.listTools()).tools)
    assert.deepEqual(await client.listPrompts(), await without.listPrompts())
    assert.deepEqual(await client.listResources(), await without.listResources())
    const status: any = await client.callTool({ name: 'get_status' })
    assert.equal(typeof valueOf(status), 'object')
    await client.close()
    await without.close()
  })

  test('belongs to the key that opened it: other keys get 404', async () => {
    const key = await fixture.newKey()
    const id = (await beginSession(fixture, key)).id
    const { project_id } = await fixture.newProject()
    for (const other of [await fixture.newKey(), await fixture.newKey({ project_id })]) {
      assert.equal(await listIn(id, other), 404)
      for (const method of ['GET', 'DELETE']) {
        const headers = { authorization: `Bearer ${other}`, 'mcp-session-id': id }
        const answer = await fetch(`${fixture.url}/mcp`, { method, headers })
        assert.equal(answer.status, 404, method)
      }
    }
    assert.equal(await listIn(id, key), 200)
  })

  test('that does not exist gets an error that says to initialize again', async () => {
    for (const id of ['nothing', '', crypto.randomUUID(), '__proto__']) {
      const headers = { 'mcp-session-id': id }
      const { status, body } = await post(fixture, listToolsMessage, { headers })
      assert.equal(status, 404, id)
      assert.match(body.next_step, /initialize again/)
    }
  })

  test('authenticates each request: a revoked key gets 401 at once', async () => {
    const key = await fixture.newKey()
    const id = (await beginSession(fixture, key)).id
    assert.equal(await listIn(id, key), 200)
    await revoke(fixture, key)
    assert.equal(await listIn(id, key), 401)
  })

  test('counts each tool call in the rate limit of its key, and no other message', async () => {
    const key = await fixture.newKey()
    const id = (await beginSession(fixture, key)).id
    const headers = { 'mcp-session-id': id }
    const { headers: told } = await post(fixture, initialized, { key, headers })
    assert.match(told.get('ratelimit') ?? '', /"messages";r=598/)
    const call = async () =>
      (await post(fixture, callMessage('get_status'), { key, headers })).status
    for (let count = 0; count < 120; count++) assert.equal(await call(), 200)
    assert.equal(await call(), 429)
    assert.equal(await listIn(id, key), 200)
  })

  test('requests a missing scope as a request without a session does', async () => {
    const scopes = scopeNames.filter((scope) => scope !== 'data:write')
    const key = await fixture.newKey({ scopes })
    const headers = { 'mcp-session-id': (await beginSession(fixture, key)).id }
    const message = callMessage('run_write_operation', createDeletion('x').arguments)
    assert.equal((await post(fixture, message, { key, headers })).status, 403)
  })

  test('ends when its client ends it', async () => {
    const key = await fixture.newKey()
    const { client, session_id, end } = await connectAsking(fixture, { key, answer: () => 'no' })
    assert.equal(await listIn(session_id, key), 200)
    await end()
    assert.equal(await listIn(session_id, key), 404)
    await client.close()
  })

  test('ends after an hour without a request', async () => {
    const key = await fixture.newKey()
    const id = (await beginSession(fixture, key)).id
    fixture.passes('59 minutes')
    assert.equal(await listIn(id, key), 200)
    fixture.passes('59 minutes')
    assert.equal(await listIn(id, key), 200)
    fixture.passes('61 minutes')
    assert.equal(await listIn(id, key), 404)
  })

  test('stays while its stream is open, which must be reopened after an hour', async () => {
    const key = await fixture.newKey()
    const id = (await beginSession(fixture, key)).id
    const stream = await openStream(id, key)
    assert.equal(stream.status, 200)
    assert.equal((await openStream(id, key)).status, 409)
    fixture.passes('61 minutes')
    assert.equal(await listIn(id, key), 200)
    // The stream has ended, so reading it ends too.
    await stream.text()
    const again = await openStream(id, key)
    assert.equal(again.status, 200)
    await again.body?.cancel()
  })

  test('is one of at most twenty per key: another one ends the one that was idle for longest', async () => {
    const key = await fixture.newKey()
    const ids: string[] = []
    for (let count = 0; count < limits.mcp_sessions_per_key_max; count++) {
      ids.push((await beginSession(fixture, key)).id)
      fixture.passes('1 second')
    }
    assert.equal(await listIn(ids[0]!, key), 200)
    fixture.passes('1 second')
    const more = (await beginSession(fixture, key)).id
    assert.equal(await listIn(ids[0]!, key), 200)
    assert.equal(await listIn(ids[1]!, key), 404)
    assert.equal(await listIn(more, key), 200)
  })

  test('is not taken from connected clients: a further client is served without a session', async () => {
    const key = await fixture.newKey()
    const streams: Response[] = []
    for (let count = 0; count < limits.mcp_sessions_per_key_max; count++)
      streams.push(await openStream((await beginSession(fixture, key)).id, key))
    assert.equal((await beginSession(fixture, key)).id, '')
    for (const stream of streams) await stream.body?.cancel()
  })

  test('begins once, and only with an initialize message', async () => {
    const key = await fixture.newKey()
    const headers = { 'mcp-session-id': (await beginSession(fixture, key)).id }
    const again = await post(fixture, createInitialize(), { key, headers })
    assert.deepEqual([again.status, again.body.error.code], [400, -32_600])
    const params = { capabilities: { elicitation: {} } }
    const broken = await post(fixture, { ...createInitialize(), params }, { key })
    assert.equal(broken.headers.get('mcp-session-id'), null)
    const deaf = await post(fixture, createInitialize(), { key, headers: { accept: 'text/plain' } })
    assert.deepEqual([deaf.status, deaf.headers.get('mcp-session-id')], [406, null])
  })
})

describe('the server', () => {
  test('ends its sessions and their streams when it stops', async () => {
    const ends: (() => Promise<void>)[] = []
    const other = await openTestRuntime({ work: false, atEnd: (close) => void ends.push(close) })
    const person = createPerson()
    const { client } = await connectAsking(other, { answer: person.answer })
    await other.call('POST /collections', { body: { name: 'kept' } })
    const result = assert.rejects(
      client.callTool(createDeletion('kept'), undefined, { timeout: 60_000 }),
    )
    await person.asked
    await ends[0]!()
    await client.close()
    await result
  })

  test('offers no sessions if it has several workers', async () => {
    const other = await openTestRuntime({ work: false })
    other.runtime.config = { ...other.runtime.config, workers: 2 }
    const { status, headers } = await post(other, createInitialize())
    assert.deepEqual([status, headers.get('mcp-session-id')], [200, null])
  })
})
