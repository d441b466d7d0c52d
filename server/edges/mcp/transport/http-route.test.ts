/** Tests of access to /mcp, and of messages that no client would send. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import {
  callMessage,
  connectEarlier,
  connectModern,
  post,
  valueOf,
} from '../../../../test/fixtures/mcp/mcp.ts'
import { limits } from '../../../contract/limits.ts'
import { scopeNames } from '../../../contract/scopes.ts'

const fixture = await openTestRuntime({ work: false })
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

function slugOf(body: any): string {
  return String(body?.type).split('/').at(-1) ?? ''
}

/** Posts with node:http, because fetch always sends Accept. */
async function exchange(accept: string | undefined, more: object, message: object) {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${fixture.key}`,
    ...(accept && { accept }),
    ...more,
  }
  const request = httpRequest(`${fixture.url}/mcp`, { method: 'POST', headers })
  request.end(JSON.stringify(message))
  const [response] = await once(request, 'response')
  const content = await text(response)
  const json = /^data: (.*)$/m.exec(content)?.[1] ?? content
  const received = response.headers['content-type']
  return { status: response.statusCode, received, body: JSON.parse(json) }
}

function problemIn(body: any): any {
  assert.equal(body?.result?.isError, true, JSON.stringify(body))
  return JSON.parse(body.result.content[0].text)
}

describe('a request to /mcp', () => {
  test('without a key gets 401 with a challenge that says where to get a token', async () => {
    const answer = await post(fixture, list, { key: null })
    assert.deepEqual([answer.status, slugOf(answer.body)], [401, 'missing_api_key'])
    const challenge = answer.headers.get('www-authenticate') ?? ''
    assert.match(
      challenge,
      /^Bearer realm="Homeport", scope="project:read [^"]+", resource_metadata="/,
    )
  })

  test('with an invalid key gets 401 invalid_token', async () => {
    const answer = await post(fixture, list, { key: 'hm_test_nothing' })
    assert.deepEqual([answer.status, slugOf(answer.body)], [401, 'invalid_api_key'])
    const challenge = answer.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /^Bearer realm="Homeport", error="invalid_token", /)
  })

  test('with a key of the wrong mode gets 403, as over REST', async () => {
    const pair = await fixture.newProject({ shape: 'pair' })
    const key = await fixture.newKey({ project_id: pair.test_project_id, mode: 'live' })
    const answer = await post(fixture, list, { key })
    assert.deepEqual([answer.status, slugOf(answer.body)], [403, 'key_mode_mismatch'])
  })

  test('without the scope project:read gets 403 insufficient_scope, which names the scope', async () => {
    const key = await fixture.newKey({ scopes: ['data:read'] })
    const answer = await post(fixture, list, { key })
    assert.deepEqual([answer.status, slugOf(answer.body)], [403, 'missing_scope'])
    const challenge = answer.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /error="insufficient_scope", scope="project:read"/)
  })

  for (const [accept, type] of [
    ['*/*', 'application/json'],
    [undefined, 'application/json'],
    ['application/json', 'application/json'],
    ['application/*;q=0.5, text/event-stream;q=0', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['text/html', null],
  ] as const)
    test(`gets a reply that ${accept ?? 'no Accept'} takes`, async () => {
      const modern = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
      }
      const named = { 'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' } }
      const capable = { 'io.modelcontextprotocol/clientCapabilities': {} }
      const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
      const params = { _meta: { ...named, ...capable, ...version } }
      for (const [headers, message] of [
        [{}, list],
        [modern, { ...list, params }],
      ] as const) {
        const { status, received, body } = await exchange(accept, headers, message)
        if (type === null)
          assert.deepEqual([headers, status], [headers, 'mcp-method' in headers ? status : 406])
        else {
          assert.deepEqual([status, received?.split(';')[0]], [200, type])
          assert.ok(body.result.tools.length > 5)
        }
      }
    })

  test('reads null parameters and arguments as absent', async () => {
    for (const [method, params] of [
      ['tools/list', { cursor: null }],
      ['tools/list', null],
      ['tools/call', { name: 'get_status', arguments: null, _meta: null }],
      ['tools/call', { name: 'calls_list', arguments: { cursor: null, limit: null } }],
      ['tools/call', { name: 'search_operations', arguments: { query: 'calls', limit: null } }],
    ] as const) {
      const { body } = await post(fixture, { jsonrpc: '2.0', id: 1, method, params })
      assert.ok(body.result && !body.result.isError, JSON.stringify(body))
    }
  })

  longTest('counts in the one rate limit that a key has at all entry points', async () => {
    const key = await fixture.newKey()
    const step = callMessage('get_status')
    const first = await post(fixture, step, { key })
    assert.match(first.headers.get('ratelimit') ?? '', /"key";r=119/)
    for (let count = 0; count < 60; count++) await post(fixture, step, { key })
    for (let count = 0; count < 59; count++) await fixture.call('GET /project', { key })
    const refused = await post(fixture, step, { key })
    assert.deepEqual([refused.status, slugOf(refused.body)], [429, 'rate_limited'])
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  })

  for (const [name, connect] of Object.entries({ connectModern, connectEarlier })) {
    const here = connect === connectModern ? test : longTest
    here(`is limited to 120 tool calls a minute, besides other messages (${name})`, async () => {
      const key = await fixture.newKey()
      const client = await connect(fixture, { key })
      for (let count = 0; count < 10; count++) {
        await client.listTools()
        await client.listResources()
        await client.listPrompts()
      }
      for (let count = 0; count < limits.requests_max; count++)
        assert.notEqual((await client.callTool({ name: 'get_status' })).isError, true)
      fixture.passes('20 seconds')
      await assert.rejects(client.callTool({ name: 'get_status' }), /429|rate_limited|Wait/)
      const { status, headers, body } = await post(fixture, callMessage('get_status'), { key })
      const wait_s = Number(headers.get('retry-after'))
      assert.ok(status === 429 && wait_s > 0 && wait_s <= 40, `${status}, ${wait_s}`)
      assert.match(body.next_step, /^Wait \d+ seconds? before the next call of any tool/)
      assert.ok((await client.listTools()).tools.length > 0)
      fixture.passes('40 seconds')
      assert.notEqual((await client.callTool({ name: 'get_status' })).isError, true)
      await client.close()
    })
  }

  test('that reads a resource counts in the rate limit', async () => {
    const key = await fixture.newKey()
    const params = { uri: 'homeport://errors/rate_limited' }
    const message = { jsonrpc: '2.0', id: 1, method: 'resources/read', params }
    for (let count = 0; count < limits.requests_max; count++)
      assert.equal((await post(fixture, message, { key })).status, 200)
    assert.equal((await post(fixture, message, { key })).status, 429)
  })

  test('counts once for a call and the answer to its question, and other calls are not free', async () => {
    const key = await fixture.newKey()
    const client = await connectModern(fixture, { key, answer: () => 'no' })
    const { body } = await fixture.call('POST /collections', { body: { name: 'asked' } })
    assert.equal(body.name, 'asked')
    const deletion = { name: 'asked', confirm: 'asked' }
    const call = { operation: 'collections.delete', arguments: deletion }
    for (let count = 0; count < 5; count++) {
      const answer: any = await client.callTool({ name: 'run_write_operation', arguments: call })
      assert.match(answer.content[0].text, /did not agree/)
    }
    const told = (await fixture.call('GET /project', { key })).headers.get('ratelimit')
    assert.match(told ?? '', /r=114/)
    const params = { ...callMessage('get_status').params, requestState: '1.forged' }
    await post(fixture, { ...callMessage('get_status'), params }, { key })
    const then = (await fixture.call('GET /project', { key })).headers.get('ratelimit')
    assert.match(then ?? '', /r=112/)
    await client.close()
  })

  test('with an answer is free once, for the call that caused the question', async () => {
    const key = await fixture.newKey()
    const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
    const named = { 'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' } }
    const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const _meta = { ...capabilities, ...named, ...version }
    const deletion = (name: string) => ({
      operation: 'collections.delete',
      arguments: { name, confirm: name },
    })
    const call = async (given: object, more: object = {}, tool = 'run_write_operation') => {
      const message = callMessage(tool, { ...given })
      const sent = { ...message, params: { ...message.params, ...more, _meta } }
      const headers = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': tool,
      }
      const { body, text } = await post(fixture, sent, { key, headers })
      assert.ok(body?.result, text)
      return body.result
    }
    const left = async () => {
      const told = (await fixture.call('GET /project', { key })).headers.get('ratelimit')
      return Number(/r=(\d+)/.exec(told ?? '')?.[1])
    }
    const inputResponses = { confirm: { action: 'decline' } }
    const begun = await left()
    const { requestState } = await call(deletion('asked'))
    assert.equal(typeof requestState, 'string')
    // Another call is not free, nor the same call with other arguments or without an answer.
    await call({}, { requestState, inputResponses }, 'get_status')
    await call(deletion('other'), { requestState, inputResponses })
    await call(deletion('asked'), { requestState })
    assert.equal(begun - (await left()), 5)
    const cancelled = { inputResponses: { other: { action: 'cancel' } } }
    const again = await call(deletion('asked'), { requestState, ...cancelled })
    assert.equal(typeof again.requestState, 'string')
    assert.equal(begun - (await left()), 6, 'an answer is free')
    await call(deletion('asked'), { requestState: again.requestState, inputResponses })
    assert.equal(begun - (await left()), 8, 'what a free call asks makes none free')
  })

  test('beyond 600 messages in a minute gets 429, whatever the messages are', async () => {
    const key = await fixture.newKey()
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const first = await post(fixture, list, { key })
    assert.match(first.headers.get('ratelimit') ?? '', /"messages";r=599/)
    for (let count = 1; count < limits.mcp_messages_max; count++) {
      const { status } = await post(fixture, count % 2 ? list : notification, { key })
      assert.ok(status < 300, String(status))
    }
    const messages = [list, notification, callMessage('get_status'), '{']
    for (const message of messages) {
      const refused = await post(fixture, message, { key })
      assert.deepEqual([refused.status, slugOf(refused.body)], [429, 'rate_limited'])
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
    }
    assert.equal((await fixture.call('GET /project', { key })).status, 200)
  })

  test('that lacks a scope counts in the rate limit, whatever the message is', async () => {
    const key = await fixture.newKey({ scopes: ['data:read'] })
    for (let count = 0; count < limits.requests_max; count++)
      assert.equal((await post(fixture, list, { key })).status, 403)
    assert.equal((await post(fixture, list, { key })).status, 429)
  })

  test('is accepted with and without a trailing slash', async () => {
    const answer = await post(fixture, list, { query: '/' })
    assert.equal(answer.status, 200)
  })

  test('must be a POST: without a session there is no stream to open', async () => {
    for (const method of ['GET', 'DELETE']) {
      const headers = { authorization: `Bearer ${fixture.key}`, accept: 'text/event-stream' }
      const answer = await fetch(`${fixture.url}/mcp`, { method, headers })
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'])
    }
  })
})

/** Sends a request with its own Host and Origin, which fetch would replace. */
function postAs(headers: Record<string, string>): Promise<number> {
  const { port } = new URL(fixture.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      path: '/mcp',
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${fixture.key}`,
        ...headers,
      },
    })
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end(JSON.stringify(list))
  })
}

describe('a request from a page of another site', () => {
  test('is refused if the name of that site resolves to this server', async () => {
    const names = ['evil.example.com', 'localhost.evil.example', 'evil.example:4400']
    const numbers = ['192.168.1.7:4400', '10.0.0.1', '203.0.113.9', '[2001:db8::1]', '0.0.0.0:4400']
    for (const host of [...names, ...numbers]) assert.equal(await postAs({ host }), 403, host)
  })

  test('is refused by its Origin', async () => {
    const pages = ['https://evil.example.com', 'null', 'http://localhost.evil.example']
    for (const origin of [...pages, 'http://192.168.1.7', 'http://[2001:db8::1]:4400'])
      assert.equal(await postAs({ origin }), 403, origin)
  })

  test('is distinguished from requests of this server and of loopback names', async () => {
    const { port } = new URL(fixture.url)
    for (const host of [
      new URL(fixture.runtime.config.public_url).host,
      `localhost:${port}`,
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
    ])
      assert.equal(await postAs({ host, origin: `http://${host}` }), 200, host)
  })
})

describe('a message to /mcp', () => {
  test('gets a parse error if it is not JSON or has duplicate members', async () => {
    for (const raw of [
      '{',
      '',
      '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}',
      '\u0000',
    ]) {
      const answer = await post(fixture, raw)
      assert.deepEqual([answer.status, answer.body?.error?.code], [400, -32_700], raw)
    }
  })

  test('is refused if it is a batch, so that each call is counted', async () => {
    const answer = await post(fixture, [list, list])
    assert.deepEqual([answer.status, answer.body.error.code], [400, -32_600])
  })

  test('never causes an internal error, whatever it contains', async () => {
    const junk: unknown[] = [
      {},
      { jsonrpc: '2.0' },
      { jsonrpc: '1.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: {}, method: 'tools/list' },
      { jsonrpc: '2.0', id: 1, method: 'nothing/here' },
      { jsonrpc: '2.0', id: 1, method: 'tools/call' },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: 'x' },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 7 } },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: '__proto__' } },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'nothing_here' } },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_state', arguments: [] } },
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
      { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'nothing' } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]
    for (const message of junk) {
      const answer = await post(fixture, message)
      assert.ok(answer.status < 500, `${JSON.stringify(message)}: ${answer.status} ${answer.text}`)
    }
  })

  test('is refused if it is larger than the largest body of any operation', async () => {
    const message = callMessage('documents_create', { name: 'x', body: { text: 'x'.repeat(20e6) } })
    const answer = await post(fixture, message, { key: await fixture.newKey() })
    assert.deepEqual([answer.status, slugOf(answer.body)], [400, 'bad_request'])
  })

  test('is refused as over REST if it is larger than its own operation accepts', async () => {
    const key = await fixture.newKey()
    await fixture.call('POST /collections', { body: { name: 'large' }, key })
    const body = { text: 'x'.repeat(1_500_000) }
    const answer = await post(fixture, callMessage('documents_create', { name: 'large', body }), {
      key,
    })
    const rest = await fixture.call('POST /collections/large/documents', { body, key })
    assert.equal(problemIn(answer.body).type, rest.body.type)
  })

  test('of an unknown revision gets the supported ones', async () => {
    const answer = await post(fixture, list, { headers: { 'mcp-protocol-version': '1999-01-01' } })
    assert.equal(answer.status, 400)
  })
})

describe('the scopes of a key', () => {
  test('decide which tools are listed', async () => {
    const key = await fixture.newKey({ scopes: ['project:read', 'data:read'] })
    const { tools } = (await post(fixture, list, { key })).body.result
    const names: string[] = tools.map(({ name }: any) => name)
    assert.ok(names.includes('documents_list') && names.includes('get_status'))
    for (const hidden of ['documents_create', 'calls_list', 'numbers_order', 'sites_publish'])
      assert.ok(!names.includes(hidden), hidden)
  })

  test('are requested if they are missing: 403 with a challenge, for tools and for the gateway', async () => {
    const scopes = scopeNames.filter((scope) => scope !== 'data:write')
    const key = await fixture.newKey({ scopes })
    const messages = [
      callMessage('documents_create', { name: 'x', body: {} }),
      callMessage('run_write_operation', { operation: 'documents.delete', arguments: {} }),
    ]
    for (const message of messages) {
      const answer = await post(fixture, message, { key })
      assert.deepEqual([answer.status, slugOf(answer.body)], [403, 'missing_scope'])
      const challenge = answer.headers.get('www-authenticate') ?? ''
      assert.match(challenge, /error="insufficient_scope", scope="project:read data:write"/)
    }
  })

  test('of a limited key end at its limits', async () => {
    const access = { sites: [], apps: [], collections: [], limited_by: 'api_key' as const }
    const key = await fixture.newKey({ access })
    const { tools } = (await post(fixture, list, { key })).body.result
    assert.ok(!tools.some(({ name }: any) => name === 'calls_list'))
    const answer = await post(fixture, callMessage('calls_list'), { key })
    const problem = problemIn(answer.body)
    assert.equal(slugOf(problem), 'forbidden')
    assert.match(problem.user_message, /only use these/)
  })

  test('of a live key do not include operations of test mode', async () => {
    const key = await fixture.newKey({ mode: 'live' })
    const given = { operation: 'calls.simulate', arguments: { number_id: 'x', turns: [] } }
    const answer = await post(fixture, callMessage('run_write_operation', given), { key })
    assert.equal(slugOf(problemIn(answer.body)), 'test_key_required')
  })
})

describe('the address of /mcp', () => {
  test('may select toolsets', async () => {
    const { body } = await post(fixture, list, { query: '?toolsets=data,calls' })
    const names: string[] = body.result.tools.map(({ name }: any) => name)
    assert.ok(names.includes('documents_list') && names.includes('calls_get'))
    assert.ok(names.includes('get_status') && names.includes('get_state'))
    assert.ok(names.includes('collections_delete') && !names.includes('sites_publish'))
  })

  test('lists every operation that MCP runs with ?toolsets=all', async () => {
    const { body } = await post(fixture, list, { query: '?toolsets=all' })
    const names: string[] = body.result.tools.map(({ name }: any) => name)
    for (const name of ['collections_delete', 'numbers_list', 'sites_rollback', 'webhooks_create'])
      assert.ok(names.includes(name), name)
    assert.ok(!names.includes('documents_export'))
  })

  test('runs an operation by its tool name, listed or not', async () => {
    const { body } = await post(fixture, callMessage('numbers_list'))
    assert.deepEqual(valueOf(body.result), (await fixture.call('GET /numbers')).body)
  })

  test('may select reading only, and then no operation writes', async () => {
    const query = '?read_only=true'
    const { body } = await post(fixture, list, { query })
    for (const { name, annotations } of body.result.tools)
      assert.equal(annotations.readOnlyHint, true, name)
    const given = { operation: 'collections.create', arguments: { name: 'never' } }
    for (const message of [
      callMessage('collections_create', { name: 'never' }),
      callMessage('run_write_operation', given),
    ]) {
      const answer = await post(fixture, message, { query })
      assert.ok(answer.body.error ?? problemIn(answer.body))
    }
    assert.equal((await fixture.call('GET /collections/never')).status, 404)
  })

  test('gets the existing toolsets if it names an unknown one', async () => {
    for (const query of ['?toolsets=nothing', '?read_only=maybe', '?key=hm_test_x']) {
      const answer = await post(fixture, list, { query })
      assert.deepEqual([answer.status, slugOf(answer.body)], [400, 'invalid_parameter'], query)
    }
  })

  test('works with an official client', async () => {
    const client = await connectModern(fixture, { query: '?toolsets=data&read_only=true' })
    const { tools } = await client.listTools()
    assert.ok(tools.length > 0 && tools.length < 20)
    await client.close()
  })
})
