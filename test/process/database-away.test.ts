/**
 * Cuts off the database for ten seconds while requests and deliveries go on: requests get 503,
 * nothing is lost or done twice, and service resumes afterwards. A relay between server and
 * PostgreSQL either cuts connections, like a restart, or passes no bytes, like a frozen machine.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SITES_TOPIC } from '../../server/areas/sites/service.ts'
import { isDatabaseUnavailable } from '../../server/kernel/database/database.ts'
import { EVERY_TOPIC } from '../../server/kernel/jobs/wakeups.ts'
import { openReceiver, type Received } from '../fixtures/webhooks/webhook-receiver.ts'
import { newRelay } from '../fixtures/database-relay.ts'
import { eventually } from '../fixtures/eventually.ts'
import { newSiteOwner } from '../fixtures/sites/site-owner.ts'
import { hostOf, visit } from '../fixtures/sites/site-visitor.ts'
import { openTestRuntime, type Answer } from '../fixtures/runtime.ts'

const relay = newRelay()
const fixture = await openTestRuntime({ relay: relay.open })
const receiver = await openReceiver()

function requireUnavailable({ status, headers, body }: Answer): void {
  assert.equal(status, 503, JSON.stringify(body))
  assert.match(body.type, /service_unavailable$/)
  assert.match(body.next_step, /send the same request again/)
  assert.ok(Number(headers.get('retry-after')) > 0)
}

const create = (n: number, headers: Record<string, string> = {}) =>
  fixture.call('POST /collections/notes/documents', { body: { n }, headers })

async function numbersKept(): Promise<number[]> {
  const { body } = await fixture.look('GET /collections/notes/documents?limit=100')
  return body.data.map(({ data }: { data: { n: number } }) => data.n).toSorted()
}

describe('a database outage of ten seconds', async () => {
  assert.equal(
    (await fixture.call('POST /collections', { body: { name: 'notes', webhook_on_insert: true } }))
      .status,
    201,
  )

  test('gives 503 with a next step if connections are refused, and repeated requests succeed afterwards', async () => {
    assert.equal((await create(1)).status, 201)
    relay.set('cut')
    requireUnavailable(await create(2, { 'idempotency-key': 'away-2' }))
    requireUnavailable(await fixture.call('GET /project'))
    const health = await fetch(`${fixture.url}/healthz`)
    assert.equal(health.status, 200)
    fixture.passes('10 seconds')
    requireUnavailable(await create(3))
    relay.set('open')
    const again = await create(2, { 'idempotency-key': 'away-2' })
    assert.equal(again.status, 201, again.text)
    assert.deepEqual(await numbersKept(), [1, 2])
  })

  test('is reported by GET /status as down, without a key, and as operational once it is back', async () => {
    const statusNow = async () => {
      const { status, body } = await fixture.call('GET /status', { key: null })
      assert.equal(status, 200)
      return body
    }
    relay.set('cut')
    const down = await statusNow()
    assert.deepEqual([down.status, down.source], ['down', 'own_check'])
    const healths = down.components.map((component: { status: string }) => component.status)
    assert.deepEqual(new Set(healths), new Set(['down']))
    assert.match(down.next_step, /try again/)
    fixture.passes('10 seconds')
    relay.set('open')
    assert.equal((await statusNow()).status, 'operational')
  })

  test('delays a request if the database hangs, and the request is executed once', async () => {
    relay.set('frozen')
    const waiting = create(4)
    fixture.passes('10 seconds')
    relay.set('open')
    assert.equal((await waiting).status, 201)
    assert.deepEqual(await numbersKept(), [1, 2, 4])
  })

  test('gives 503 in time if the database goes on hanging, and serves sites from their last state', async () => {
    const { url } = await (
      await newSiteOwner(fixture)
    ).publish({ 'index.html': '<title>Open</title>' })
    const page = () => visit(fixture, { host: hostOf(url), route: 'GET /' })
    assert.equal((await page()).status, 200)
    // Another project publishes just before, or wake-ups may have been missed.
    fixture.runtime.wakeups.announce(`${SITES_TOPIC}/another-project`)
    fixture.runtime.wakeups.announce(EVERY_TOPIC)
    relay.set('frozen')
    const [written, ready, seen] = await Promise.all([
      create(7, { 'idempotency-key': 'hangs-7' }),
      fixture.call('GET //readyz', { key: null }),
      page(),
    ])
    requireUnavailable(written)
    requireUnavailable(await fixture.call('GET /project'))
    assert.equal(ready.status, 503)
    assert.equal(seen.status, 200)
    relay.set('open')
    assert.equal((await create(7, { 'idempotency-key': 'hangs-7' })).status, 201)
    assert.deepEqual(await numbersKept(), [1, 2, 4, 7])
  })

  test('includes refused connections of a stopped database whose queue is full', () => {
    const full = Object.assign(new Error('connect EAGAIN'), { code: 'EAGAIN', syscall: 'connect' })
    assert.equal(isDatabaseUnavailable(full), true)
  })

  test('does not lose the result of a delivery whose receiver is responding', async () => {
    const endpoint = await fixture.call('POST /webhooks', {
      body: { url: receiver.url, events: ['document.created'] },
    })
    assert.equal(endpoint.status, 201, endpoint.text)
    receiver.answers((_request, response) => {
      relay.set('cut')
      response.writeHead(204).end()
    })
    assert.equal((await create(5)).status, 201)
    const [{ event }] = (await receiver.received(1)) as [Received]
    requireUnavailable(await create(6))
    receiver.answers(204)
    fixture.passes('10 seconds')
    relay.set('open')
    await eventually(async () => {
      fixture.passes('1 minute')
      const { status, body } = await fixture.look(`GET /webhooks/${endpoint.body.id}/deliveries`)
      return status === 200 && body.data.every((one: Delivery) => one.status === 'delivered')
    })
    const ids = new Set(receiver.requests.map((one) => one.event.id))
    assert.deepEqual([...ids], [event.id])
    assert.deepEqual(await numbersKept(), [1, 2, 4, 5, 7])
  })
})

interface Delivery {
  status: string
}
