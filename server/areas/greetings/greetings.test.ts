/** The example area over HTTP and MCP: its operation, error, limit, scope, event and tool. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorCatalogue } from '../../contract/errors.ts'
import { isEventType } from '../../contract/event-types.ts'
import { limits } from '../../contract/limits.ts'
import { connectModern } from '../../../test/fixtures/mcp.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const runtime = await openTestRuntime({ work: false })

const greet = (name: string) => runtime.call('POST /greetings', { body: { name } })

test('greets, and emits greeting.made', async () => {
  const { status, body } = await greet('Anna')
  assert.equal(status, 201)
  assert.deepEqual(body, { text: 'Hello Anna' })
  assert.ok(isEventType('greeting.made'))
})

test('refuses spaces at the ends with greeting_refused', async () => {
  const { status, body } = await greet(' Anna')
  assert.equal(status, errorCatalogue.greeting_refused.status)
  assert.match(body.type, /greeting_refused$/)
})

test('refuses a name above the limit', async () => {
  assert.equal((await greet('a'.repeat(limits.greeting_name_characters_max))).status, 201)
  assert.equal((await greet('a'.repeat(limits.greeting_name_characters_max + 1))).status, 422)
})

test('needs its scope', async () => {
  const key = await runtime.newKey({ scopes: ['numbers:read'] })
  const { status } = await runtime.call('POST /greetings', { key, body: { name: 'Anna' } })
  assert.equal(status, 403)
})

test('is the MCP tool greet', async () => {
  const client = await connectModern(runtime, { query: '?toolsets=all' })
  const { tools } = await client.listTools()
  await client.close()
  assert.ok(tools.some(({ name }) => name === 'greet'))
})
