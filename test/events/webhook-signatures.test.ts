/**
 * Verifies real deliveries to a real receiver with independent libraries: Stripe's, which reads the
 * same header, that of Standard Webhooks, whose headers are sent as well, and the SDK. Each accepts
 * the delivery and refuses a tampered one.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { verifyWebhook } from '../../sdk/typescript/source/homeport.ts'
import { signPayload, createStandardHeaders } from '../../server/areas/webhooks/attempt/sign.ts'
import { openReceiver, type Received } from '../fixtures/webhooks/webhook-receiver.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { movableClock } from '../../server/kernel/clock.ts'

const runtime = await openTestRuntime({ clock: movableClock() })
const receiver = await openReceiver()
const stripe = new Stripe('sk_test_of_nobody')

async function newEndpoint(): Promise<{ id: string; secret: string }> {
  const body = { url: receiver.url, events: ['balance.topped_up', 'call.completed'] }
  const made = await runtime.call('POST /webhooks', { body })
  assert.equal(made.status, 201, made.text)
  return made.body
}

const endpoint = await newEndpoint()
const stranger = await newEndpoint()

/** Sends a test event to the endpoint and returns the request as received. */
async function receive(): Promise<Received> {
  const tested = await runtime.call(`POST /webhooks/${endpoint.id}/test`)
  assert.equal(tested.body.status, 'delivered', tested.text)
  const found = receiver.requests.find(({ event }) => event.id === tested.body.event_id)
  assert(found)
  return found
}

const received = await receive()

interface Judge {
  name: string
  /** Returns the id of the event; throws if the signature is invalid. */
  verify(request: { body: string; headers: Record<string, string> }, secret: string): unknown
}

const judges: Judge[] = [
  {
    name: "Stripe's own library",
    verify: ({ body, headers }, secret) =>
      stripe.webhooks.constructEvent(body, headers['service-signature']!, secret).id,
  },
  {
    name: 'the library of Standard Webhooks',
    verify: ({ body, headers }, secret) => {
      const event: any = new Webhook(secret).verify(body, headers)
      return event.id
    },
  },
  {
    name: 'the SDK',
    verify: async ({ body, headers }, secret) =>
      (await verifyWebhook({ payload: body, header: headers['service-signature'], secret })).id,
  },
]

for (const { name, verify } of judges) {
  const judge = async (change: Partial<Received>, secret = endpoint.secret) =>
    verify({ ...received, ...change }, secret)
  const withHeaders = (change: Record<string, string>) => ({
    headers: { ...received.headers, ...change },
  })

  describe(`${name} verifies deliveries`, () => {
    test('accepts the delivery', async () => assert.equal(await judge({}), received.event.id))

    test('refuses a body with a byte added, removed or changed, or re-serialised', async () => {
      const { body } = received
      const anew = JSON.stringify(JSON.parse(body), null, 2)
      for (const bad of [`${body} `, body.slice(0, -1), body.replace('webhook', 'Webhook'), anew]) {
        await assert.rejects(judge({ body: bad }), bad)
      }
    })

    test('refuses the secret of another endpoint', async () => {
      await assert.rejects(judge({}, stranger.secret))
    })

    test('refuses another timestamp, or a missing signature', async () => {
      const header = received.headers['service-signature']!
      const t = Number(received.headers['webhook-timestamp'])
      const later = header.replace(`t=${t}`, `t=${t + 1}`)
      const change = { 'service-signature': later, 'webhook-timestamp': `${t + 1}` }
      await assert.rejects(judge(withHeaders(change)))
      const bare = { 'service-signature': `t=${t}`, 'webhook-signature': '' }
      await assert.rejects(judge(withHeaders(bare)))
    })

    test('refuses a signature that is an hour old', async () => {
      const t = Number(received.headers['webhook-timestamp']) - 3600
      const raw_body = received.body
      const { id } = received.event
      const old = {
        'service-signature': signPayload([endpoint.secret], t, raw_body),
        ...createStandardHeaders([endpoint.secret], { id, t, raw_body }),
      }
      await assert.rejects(judge(withHeaders(old)))
    })

    test('accepts either secret during a rotation', async () => {
      const t = Number(received.headers['webhook-timestamp'])
      const raw_body = received.body
      const { id } = received.event
      const secrets = [stranger.secret, endpoint.secret]
      const both = {
        'service-signature': signPayload(secrets, t, raw_body),
        ...createStandardHeaders(secrets, { id, t, raw_body }),
      }
      for (const secret of secrets) assert.equal(await judge(withHeaders(both), secret), id)
    })
  })
}

test('each library verifies a real event like a test event', async () => {
  await runtime.call(`DELETE /webhooks/${stranger.id}`)
  const headers = { 'idempotency-key': 'number' }
  const number = await runtime.call('POST /numbers', { body: {}, headers })
  const turns = [{ say: 'Zoë ☎ "quoted" \\ \u2028' }, { say: 'Goodbye' }]
  const before = receiver.requests.length
  const call = await runtime.call('POST /test/calls', {
    body: { number_id: number.body.id, turns },
  })
  assert.equal(call.status, 201, call.text)
  const own = (await receiver.received(before + 1))[before]!
  assert.equal(own.event.type, 'call.completed')
  for (const { name, verify } of judges) {
    assert.equal(await verify(own, endpoint.secret), own.event.id, name)
  }
})
