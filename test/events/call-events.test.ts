/** The events of a call, from the call to a receiver that verifies their signatures. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { callCompleted, callSummaryReady } from '../../server/areas/calls/events.ts'
import { verifySignature } from '../../server/areas/webhooks/attempt/sign.ts'
import { Dropped } from '../../server/contract/events.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'

const runtime = await openTestRuntime()

describe('events of a call', () => {
  test('arrive as call.completed, then call.summary.ready: signed, with the call, without the transcript', async () => {
    const received: { event: any; holds: boolean }[] = []
    let secret = ''
    const receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const raw_body = Buffer.concat(chunks).toString()
      const header = String(request.headers['service-signature'])
      const now_s = runtime.clock.now_ms() / 1000
      received.push({
        event: JSON.parse(raw_body),
        holds: verifySignature({ header, raw_body, secrets: [secret], now_s, tolerance_s: 300 }),
      })
      response.writeHead(204).end()
      receiver.emit('received')
    })
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    after(() => receiver.close())
    const address = receiver.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const made = await runtime.call('POST /webhooks', {
      body: {
        url: `http://127.0.0.1:${port}/hook`,
        events: ['call.completed', 'call.summary.ready'],
      },
    })
    secret = made.body.secret
    await runtime.call('PUT /assistant', {
      body: { instructions: 'You can park behind the shop.' },
    })
    const number = await runtime.call('POST /numbers', {
      body: {},
      headers: { 'idempotency-key': 'n' },
    })
    const body = {
      number_id: number.body.id,
      turns: [{ say: 'Where can I park?' }, { say: 'Goodbye' }],
    }
    const ended = await runtime.call('POST /test/calls', { body })
    const call = (await runtime.call(`GET /calls/${ended.body.id}`)).body
    while (received.length < 2) await once(receiver, 'received')
    assert.deepEqual(
      received.map(({ event }) => event.type),
      ['call.completed', 'call.summary.ready'],
    )
    assert.ok(received.every(({ holds }) => holds))
    const { transcript, messages, summary, path, language, number_id, ...others } = call
    const { cost_eur, instructions, ...sent } = others
    assert.equal(instructions, null)
    assert.deepEqual(received[1]!.event.data, { call: sent, summary })
    assert.equal(received[0]!.event.data.call.test, true)
    assert.ok(transcript && messages && path && number_id)
    assert.equal(cost_eur, 0)
    assert.equal(language, 'en')
  })

  test('carry the data of their own call when several calls run at once', async () => {
    const number = await runtime.call('POST /numbers', {
      body: {},
      headers: { 'idempotency-key': 'm' },
    })
    const body = { number_id: number.body.id, turns: [{ say: 'Hello' }] }
    const calls = [
      await runtime.call('POST /test/calls', { body }),
      await runtime.call('POST /test/calls', { body }),
    ].map((call) => String(call.body.id))
    const foreign = (await runtime.newProject()).project_id
    const subjects = [...calls, randomUUID(), calls[0]!].map((call_id, index) => ({
      project_id: index === 3 ? foreign : runtime.project_id,
      subject: { call_id },
    }))
    for (const source of [callCompleted, callSummaryReady]) {
      const { db } = runtime.runtime
      const single = subjects.map(({ project_id, subject }) => source.load(db, project_id, subject))
      const together = await source.loadMany?.(db, subjects)
      assert.deepEqual(together, await Promise.all(single))
      const gone = new Dropped('call_deleted')
      assert.deepEqual(together?.slice(2), [gone, gone])
    }
  })
})
