/** Pending deliveries about deleted calls and summaries are dropped. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { eventually } from '../fixtures/eventually.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'

const runtime = await openTestRuntime()

/** An endpoint that fails the first attempt of each event. */
const receiver = createServer((request, response) => {
  request.resume()
  response.writeHead(503).end()
})
await once(receiver.listen(0, '127.0.0.1'), 'listening')
after(() => receiver.close())

const address = receiver.address()
const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`

async function subscribe(event: string): Promise<string> {
  return (await runtime.call('POST /webhooks', { body: { url, events: [event] } })).body.id
}

/** Waits until each delivery has this many attempts or has ended. */
function attempted(endpoint: string, count: number) {
  return eventually(async () => {
    const { data } = (await runtime.look(`GET /webhooks/${endpoint}/deliveries`)).body
    const is_done = ({ attempt_count, status }: any) =>
      status !== 'pending' || attempt_count >= count
    return data.length > 0 && data.every(is_done) && data
  })
}

async function makeCall(): Promise<string> {
  await runtime.call('PUT /assistant', { body: { instructions: 'You can park for free.' } })
  const number = await runtime.call('POST /numbers', {
    body: {},
    headers: { 'idempotency-key': 'n' },
  })
  const body = { number_id: number.body.id, turns: [{ say: 'Where can I park?' }] }
  return (await runtime.call('POST /test/calls', { body })).body.id
}

async function makeConversation(): Promise<string> {
  await runtime.call('PUT /assistant', { body: { instructions: 'You can park for free.' } })
  const { body } = await runtime.call('POST /conversations', { body: { message: 'Hello' } })
  await runtime.call(`POST /conversations/${body.conversation.id}/close`, { body: {} })
  return body.conversation.id
}

describe('a pending delivery', () => {
  const cases = [
    ['call.completed', makeCall, (id: string) => `/calls/${id}`, 'call_deleted'],
    ['call.summary.ready', makeCall, (id: string) => `/calls/${id}/summary`, 'summary_deleted'],
    [
      'conversation.summary.ready',
      makeConversation,
      (id: string) => `/conversations/${id}/summary`,
      'summary_deleted',
    ],
  ] as const
  for (const [event, make, path, error] of cases)
    test(`of ${event} is dropped with ${error} after DELETE ${path('{id}')}, and not counted`, async () => {
      const endpoint = await subscribe(event)
      const id = await make()
      await attempted(endpoint, 1)
      assert.equal((await runtime.call(`DELETE ${path(id)}`)).status, 204)
      runtime.passes('2 minutes')
      const [delivery] = await attempted(endpoint, 2)
      assert.deepEqual([delivery.status, delivery.error], ['dropped', error])
      const { body } = await runtime.look(`GET /webhooks/${endpoint}`)
      assert.equal(body.consecutive_failures, 1)
      await runtime.call(`DELETE /webhooks/${endpoint}`)
    })
})
