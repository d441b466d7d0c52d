/**
 * A chat from the first question to the signed event: the visitor asks on a website, a person of the
 * business replies, the chat ends, and the summary reaches a webhook. Then the same over MCP.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callMessage, post, valueOf } from '../fixtures/mcp/mcp.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { solveChallenge } from '../fixtures/sites/chat-page.ts'
import { newAddress, ORIGIN } from '../fixtures/sites/site.ts'
import { isSigned, openReceiver } from '../fixtures/webhooks/webhook-receiver.ts'

const runtime = await openTestRuntime()
const facts = [{ question: 'Can I park at your shop?', answer: 'Yes, behind the shop, for free.' }]

async function openShop(mode: 'live' | 'test') {
  const { project_id } = await runtime.newProject()
  const key = await runtime.newKey({ project_id, mode })
  const call = async (route: string, body?: unknown) => {
    const answer = await runtime.call(route, { key, ...(body === undefined ? {} : { body }) })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  await call('PUT /assistant', { name: 'Mill Bakery', facts })
  return { key, call }
}

describe('a chat', () => {
  test('goes from the question of a visitor to the signed summary', async () => {
    const { call } = await openShop('live')
    const receiver = await openReceiver()
    const events = ['conversation.summary.ready']
    const { secret } = await call('POST /webhooks', { url: receiver.url, events })
    const { token } = await call('POST /chat-tokens', { allowed_origins: [ORIGIN] })
    const headers = { origin: ORIGIN, 'x-forwarded-for': newAddress() }
    const challenge = await solveChallenge(runtime, { token, headers })
    const visit = (route: string, body: unknown, more = {}) =>
      runtime.call(route, { key: token, body, headers: { ...headers, ...more } })
    const begun = await visit('POST /public/conversations', { challenge })
    const { id } = begun.body.conversation
    const own = { 'x-conversation-token': begun.body.conversation_token }
    const asked = await visit(
      `POST /public/conversations/${id}/messages`,
      { text: facts[0]!.question },
      own,
    )
    assert.equal(asked.body.reply.text, facts[0]!.answer)
    await call(`POST /conversations/${id}/replies`, { text: 'I am Jan. There is room for a van.' })
    await visit(`POST /public/conversations/${id}/close`, { resolved: true }, own)
    const [received] = await receiver.received(1)
    assert.ok(received && isSigned(received, secret, runtime.clock.now()))
    assert.equal(received.event.type, 'conversation.summary.ready')
    const said = JSON.stringify(received.event.data)
    assert.ok(said.includes(id))
    const { summary, closed_reason } = await call(`GET /conversations/${id}`)
    assert.ok(summary)
    assert.equal(closed_reason, 'visitor')
  })

  test('is held, read and learned from over MCP', async () => {
    const { key } = await openShop('test')
    const run = async (how: 'read' | 'write', operation: string, given: object = {}) => {
      const message = callMessage(`run_${how}_operation`, { operation, arguments: given })
      const { body } = await post(runtime, message, { key })
      assert.ok(!body.result.isError, body.result.content?.[0].text)
      return valueOf(body.result)
    }
    const { conversation } = await run('write', 'conversations.create', {})
    const { id } = conversation
    const text = 'Do you bake without gluten?'
    await run('write', 'conversations.send', { id, text })
    await run('write', 'conversations.reply', { id, text: 'On Fridays we do.' })
    const read = await run('read', 'conversations.get', { id })
    assert.match(JSON.stringify(read), /On Fridays we do/)
    await run('write', 'assistant_facts.create', { question: text, answer: 'On Fridays.' })
    const next = await run('write', 'conversations.create', { message: text })
    assert.match(JSON.stringify(next), /On Fridays/)
  })
})
