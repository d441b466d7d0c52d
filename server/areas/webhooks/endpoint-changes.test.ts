/** Tests of changes of an endpoint over HTTP: URL, events and secret. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { createSeal } from '../../kernel/secrets/crypto.ts'
import { deleteExpiredSecrets } from './jobs.ts'
import {
  eventually,
  isSigned,
  openReceiver,
  type Received,
} from '../../../test/fixtures/webhooks/webhook-receiver.ts'

const fixture = await openTestRuntime()
const { runtime, call, clock } = fixture
const app_id = '0190f1a2-0000-7000-8000-000000000001'
const unknown_id = '0190f1a2-0000-7000-8000-00000000ffff'

async function newScene(body: object = {}) {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id })
  const receiver = await openReceiver()
  const events = ['balance.topped_up']
  const made = await call('POST /webhooks', { key, body: { url: receiver.url, events, ...body } })
  assert.equal(made.status, 201, made.text)
  const route = `/webhooks/${made.body.id}`
  return {
    project_id,
    key,
    receiver,
    endpoint: made.body,
    patch: (change: unknown) => call(`PATCH ${route}`, { key, body: change }),
    show: async () => (await call(`GET ${route}`, { key })).body,
    rotate: async () => (await call(`POST ${route}/rotate-secret`, { key })).body,
    /** Sends a test event and returns the received request. */
    async tried(): Promise<Received> {
      const { body: result } = await call(`POST ${route}/test`, { key })
      assert.equal(result.status, 'delivered')
      return receiver.requests.at(-1)!
    },
    row: () =>
      runtime.db
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('project_id', '=', project_id)
        .executeTakeFirstOrThrow(),
  }
}

function signaturesIn({ headers }: Received): number {
  return (headers['service-signature'] ?? '').split(',').filter((one) => one.startsWith('v1='))
    .length
}

suite('PATCH /webhooks/{id}', () => {
  test('changes URL, events or both, and returns the endpoint without its secret', async () => {
    const { endpoint, patch, show } = await newScene()
    const { secret, ...shown } = endpoint
    const other = await openReceiver()
    const moved = await patch({ url: other.url })
    assert.deepEqual([moved.status, moved.body], [200, { ...shown, url: other.url }])
    assert.ok(!moved.text.includes(secret))
    const events = ['call.completed', 'email.sent']
    const more = await patch({ events: [...events, 'email.sent'] })
    assert.deepEqual(more.body, { ...shown, url: other.url, events })
    const back = await patch({ url: endpoint.url, events: endpoint.events })
    assert.deepEqual(back.body, shown)
    assert.deepEqual(await show(), shown)
  })

  test('sends pending deliveries to the new URL with the same ids', async () => {
    const { receiver, endpoint, patch, key } = await newScene()
    receiver.answers(500)
    const { body: first } = await call(`POST /webhooks/${endpoint.id}/test`, { key })
    assert.equal(first.status, 'pending')
    const other = await openReceiver()
    await patch({ url: other.url })
    fixture.passes('61 seconds')
    const [second] = await other.received(1)
    assert.equal(second!.event.id, first.event_id)
    assert.equal(second!.headers['service-delivery'], first.delivery_id)
    assert.equal(receiver.requests.length, 1)
  })

  test('refuses the same URLs and events as the creation of an endpoint, and changes nothing', async () => {
    const { patch, show } = await newScene()
    const before = await show()
    for (const change of [
      { url: 'ftp://example.com/' },
      { url: 'https://me@example.com/' },
      { url: 'https://10.0.0.1/' },
      { url: `https://example.com/${'a'.repeat(2048)}` },
      { events: [] },
      { events: ['call.started'] },
      { url: 'http://127.0.0.1:9/', events: ['call.started'] },
    ]) {
      const { status, body } = await patch(change)
      assert.equal(status, 400, JSON.stringify(change))
      assert.match(body.type, /\/errors\/invalid_webhook_endpoint$/)
    }
    assert.deepEqual(await show(), before)
  })

  test('allows only email events of its app to an app endpoint', async () => {
    const { patch, show } = await newScene({ app_id, events: ['email.sent'] })
    assert.equal((await patch({ events: ['email.bounced'] })).status, 200)
    const refused = await patch({ events: ['email.sent', 'call.completed'] })
    assert.deepEqual(
      [refused.status, refused.body.type.split('/').at(-1)],
      [400, 'invalid_webhook_endpoint'],
    )
    assert.equal((await patch({ app_id: unknown_id })).status, 422)
    assert.deepEqual([(await show()).events, (await show()).app_id], [['email.bounced'], app_id])
  })

  test('requires at least one member of the right type', async () => {
    const { patch } = await newScene()
    for (const change of [{}, { url: 5 }, { events: 'all' }, { url: null }, { active: true }, []]) {
      const { status, body } = await patch(change)
      assert.equal(status, 422, JSON.stringify(change))
      assert.match(body.type, /\/errors\/validation_failed$/)
    }
  })

  test('answers 404 for an unknown endpoint or one of another project', async () => {
    const { endpoint } = await newScene()
    for (const id of [unknown_id, endpoint.id, 'one']) {
      const { status } = await call(`PATCH /webhooks/${id}`, { body: { events: ['email.sent'] } })
      assert.equal(status, 404)
    }
  })
})

suite('POST /webhooks/{id}/rotate-secret', () => {
  test('returns the endpoint with a new secret that no other response contains', async () => {
    const { endpoint, rotate, show } = await newScene()
    const { secret, ...rotated } = await rotate()
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.notEqual(secret, endpoint.secret)
    assert.equal(rotated.secret_prefix, secret.slice(0, 12))
    assert.deepEqual(rotated, await show())
  })

  test('signs with both secrets for 24 hours, the new one first, and returns the end time', async () => {
    const { endpoint, rotate, tried, show } = await newScene()
    const { secret, previous_secret_until } = await rotate()
    const until_ms = Date.parse(previous_secret_until)
    assert.ok(Math.abs(until_ms - clock.now_ms() - 86_400_000) < 60_000)
    fixture.passes('23.9 hours')
    const both = await tried()
    assert.equal(signaturesIn(both), 2)
    for (const one of [secret, endpoint.secret]) assert.ok(isSigned(both, one, clock.now()))
    fixture.passes('0.2 hours')
    const alone = await tried()
    assert.equal(signaturesIn(alone), 1)
    assert.ok(isSigned(alone, secret, clock.now()))
    assert.ok(!isSigned(alone, endpoint.secret, clock.now()))
    assert.equal((await show()).previous_secret_until, null)
  })

  test('signs retries from the queue with both secrets', async () => {
    const { endpoint, rotate, receiver, key } = await newScene()
    const { secret } = await rotate()
    receiver.answers(500)
    await call(`POST /webhooks/${endpoint.id}/test`, { key })
    receiver.answers(204)
    fixture.passes('61 seconds')
    const [, retried] = await receiver.received(2)
    for (const one of [secret, endpoint.secret]) assert.ok(isSigned(retried!, one, clock.now()))
  })

  test('verifies with either secret in the Standard Webhooks library', async () => {
    const { endpoint, rotate, tried } = await newScene()
    const { secret } = await rotate()
    const { headers, body } = await tried()
    const sent_at = new Date(Number(headers['webhook-timestamp']) * 1000)
    const signatures = headers['webhook-signature']!.split(' ')
    // The library computes the expected signature, because its verification uses the system clock.
    const expected = [secret, endpoint.secret].map((one) =>
      new StandardWebhook(one).sign(headers['webhook-id']!, sent_at, body),
    )
    assert.deepEqual(signatures, expected)
  })

  test('deletes the oldest secret at a second rotation within 24 hours', async () => {
    const { endpoint, rotate, tried } = await newScene()
    const second = await rotate()
    const third = await rotate()
    const request = await tried()
    assert.equal(signaturesIn(request), 2)
    for (const one of [second.secret, third.secret]) assert.ok(isSigned(request, one, clock.now()))
    assert.ok(!isSigned(request, endpoint.secret, clock.now()))
  })

  test('keeps the two newest secrets after concurrent rotations', async () => {
    const { rotate, tried } = await newScene()
    const secrets = (await Promise.all([rotate(), rotate()])).map(({ secret }) => secret)
    const request = await tried()
    for (const one of secrets) assert.ok(isSigned(request, one, clock.now()))
  })

  test('encrypts the old secret, and clears it after 24 hours', async () => {
    const { endpoint, rotate, row } = await newScene()
    await rotate()
    const kept = await row()
    assert.ok(!kept.previous_sealed_secret!.includes(endpoint.secret.slice(6)))
    await deleteExpiredSecrets.run(runtime)
    assert.notEqual((await row()).previous_sealed_secret, null, 'not before')
    fixture.passes('25 hours')
    const cleared = await eventually(async () => {
      const now = await row()
      return now.previous_sealed_secret === null && now
    })
    assert.equal(cleared.previous_secret_until, null)
  })

  test('replaces a secret that can no longer be decrypted', async () => {
    const { endpoint, rotate, tried, project_id } = await newScene()
    const sealed_secret = createSeal('another master key').seal(endpoint.secret, 'webhook-secret')
    await runtime.db.transact((tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({ sealed_secret })
        .where('project_id', '=', project_id)
        .execute(),
    )
    const { secret } = await rotate()
    const request = await tried()
    assert.equal(signaturesIn(request), 1)
    assert.ok(isSigned(request, secret, clock.now()))
  })

  test('answers 404 for an unknown endpoint or one of another project', async () => {
    const { endpoint } = await newScene()
    for (const id of [unknown_id, endpoint.id, 'one']) {
      assert.equal((await call(`POST /webhooks/${id}/rotate-secret`)).status, 404)
    }
  })
})
