/** Tests of MCP over HTTP with both official clients: keys, scopes and refusals. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import {
  connectEarlier,
  connectModern,
  type AnyClient,
  valueOf,
} from '../../../test/fixtures/mcp/mcp.ts'

const fixture = await openTestRuntime({ work: false })

const clients: readonly [string, () => Promise<AnyClient>][] = [
  ['a client of 2026-07-28', () => connectModern(fixture)],
  ['a client of 2025', () => connectEarlier(fixture)],
]

for (const [name, connect] of clients) {
  describe(name, () => {
    test('an official client connects and lists the tools', async () => {
      const client = await connect()
      const { tools } = await client.listTools()
      const names = tools.map((tool: any) => tool.name)
      for (const expected of ['get_status', 'get_state', 'search_operations', 'calls_list'])
        assert.ok(names.includes(expected), expected)
      await client.close()
    })

    test('an official client reads the same as over REST', async () => {
      const client = await connect()
      const result = await client.callTool({ name: 'calls_list' })
      const rest = await fixture.call('GET /calls')
      assert.deepEqual(valueOf(result), rest.body)
      assert.deepEqual(JSON.parse(result.content[0].text), rest.body)
      await client.close()
    })

    test('an official client writes, and reads what it wrote', async () => {
      const client = await connect()
      const collection = `notes_${crypto.randomUUID().slice(0, 8)}`
      await client.callTool({ name: 'collections_create', arguments: { name: collection } })
      const made = await client.callTool({
        name: 'documents_create',
        arguments: { name: collection, body: { text: 'hello' } },
      })
      assert.equal(valueOf(made).version, 1, made.content[0].text)
      const rest = await fixture.call(`GET /collections/${collection}/documents`)
      assert.deepEqual(rest.body.data[0].data, { text: 'hello' })
      await client.close()
    })

    test('an official client gets 422 for a number that would be rounded', async () => {
      const client = await connect()
      const order = 2033735037361705000
      const result = await client.callTool({
        name: 'documents_create',
        arguments: { name: 'orders', body: { lines: [{ order }] } },
      })
      const { status, errors } = JSON.parse(result.content[0].text)
      const message = 'is a number that would be rounded; send it as a string'
      assert.deepEqual([status, errors], [422, [{ path: '/lines/0/order', message }]])
      const { content } = await client.callTool({
        name: 'calls_list',
        arguments: { limit: order },
      })
      assert.deepEqual(JSON.parse(content[0].text).errors, [{ path: '/limit', message }])
      await client.close()
    })

    test('an official client gets the problem of a refusal with the text of REST', async () => {
      const client = await connect()
      const result = await client.callTool({
        name: 'documents_create',
        arguments: { name: 'nothing-here', body: {} },
      })
      assert.equal(result.isError, true)
      const problem = JSON.parse(result.content[0].text)
      assert.match(problem.type, /\/docs\/errors\/not_found$/)
      assert.equal(problem.status, 404)
      assert.ok(problem.user_message && problem.next_step && problem.request_id)
      await client.close()
    })
  })
}
