/** The six webhook endpoint routes over HTTP, with their errors. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import { createOutbound } from '../../kernel/outbound/outbound.ts'
import { limits } from '../../contract/limits.ts'
import { eventTypeNames } from '../../contract/event-types.ts'
import { attemptNow } from './attempt/test-attempt.ts'
import { isSigned, openReceiver } from '../../../test/fixtures/webhooks/webhook-receiver.ts'

const runtime = await openTestRuntime()
const { call } = runtime
const receiver = await openReceiver()
const app_id = '0190f1a2-0000-7000-8000-000000000001'
const unknown_id = '0190f1a2-0000-7000-8000-00000000ffff'

/** A separate project with an endpoint, so that tests do not affect each other's counts. */
async function newEndpoint(body: object = {}) {
  const { project_id } = await runtime.newProject()
  const key = await runtime.newKey({ project_id })
  const { url } = receiver
  const made = await call('POST /webhooks', {
    key,
    body: { url, events: ['call.completed'], ...body },
  })
  assert.equal(made.status, 201, made.text)
  return { project_id, key, endpoint: made.body }
}

suite('POST /webhooks', () => {
  test('returns the endpoint with every field and its secret', async () => {
    const { endpoint } = await newEndpoint({ events: ['call.summary.ready', 'call.completed'] })
    const { id, secret, secret_prefix, created_at, ...others } = endpoint
    assert.ok(isUuid(id))
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(secret_prefix, secret.slice(0, 12))
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(others, {
      url: receiver.url,
      events: ['call.summary.ready', 'call.completed'],
      app_id: null,
      active: true,
      last_success_at: null,
      last_failure_at: null,
      consecutive_failures: 0,
      warning: null,
      disabled_at: null,
      disabled_reason: null,
      previous_secret_until: null,
    })
  })

  test('names the collections that do not send its events, and how to switch them on', async () => {
    const { key, endpoint } = await newEndpoint({ events: ['document.created'] })
    assert.match(endpoint.warnings[0], /No collection exists yet.*webhook_on_insert: true/)
    await call('POST /collections', { key, body: { name: 'orders' } })
    await call('POST /collections', { key, body: { name: 'loud', webhook_on_insert: true } })
    const tested = await call(`POST /webhooks/${endpoint.id}/test`, { key })
    const shown = await call(`GET /webhooks/${endpoint.id}`, { key })
    for (const { body } of [tested, shown])
      assert.match(body.warnings[0], /is false: orders\. .*PATCH \/collections\/\{name\}/)
    await call('PATCH /collections/orders', { key, body: { webhook_on_insert: true } })
    assert.equal((await call(`GET /webhooks/${endpoint.id}`, { key })).body.warnings, undefined)
  })

  test('stores the secret encrypted, and its text nowhere in the row', async () => {
    const { endpoint, project_id } = await newEndpoint()
    const row = await runtime.runtime.db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()
    assert.ok(!row.sealed_secret.includes(endpoint.secret.slice(6)))
    assert.equal(runtime.runtime.seal.open(row.sealed_secret, 'webhook-secret'), endpoint.secret)
  })

  test('accepts every event type and removes duplicates', async () => {
    const events = [...eventTypeNames, ...eventTypeNames]
    const { endpoint } = await newEndpoint({ events })
    assert.deepEqual(endpoint.events, eventTypeNames)
  })

  test('refuses an empty list and unknown or blank events, and names them', async () => {
    const refused = [[], ['call.started'], ['call.completed', ''], ['Call.completed'], ['toString']]
    for (const events of refused) {
      const { status, body } = await call('POST /webhooks', { body: { url: receiver.url, events } })
      assert.equal(status, 400)
      assert.match(body.type, /\/errors\/invalid_webhook_endpoint$/)
      assert.match(body.detail, /events/)
      const word = events.at(-1)
      if (word) assert.ok(body.detail.includes(word))
    }
  })

  test('allows only email events for an app endpoint', async () => {
    const { endpoint } = await newEndpoint({ app_id, events: ['email.sent', 'email.bounced'] })
    assert.equal(endpoint.app_id, app_id)
    for (const type of ['call.completed', 'webhook.test']) {
      const body = { url: receiver.url, events: ['email.sent', type], app_id }
      const refused = await call('POST /webhooks', { body })
      assert.equal(refused.status, 400)
      assert.match(refused.body.type, /invalid_webhook_endpoint$/)
      assert.ok(refused.body.detail.includes(type))
    }
  })

  test('answers 422 with every fault of a malformed body', async () => {
    const { status, body } = await call('POST /webhooks', {
      body: { events: 'all', app_id: 7, x: 1 },
    })
    assert.equal(status, 422)
    assert.match(body.type, /\/errors\/validation_failed$/)
    const paths = body.errors.map(({ path }: { path: string }) => path)
    assert.deepEqual(paths.toSorted(), ['/app_id', '/events', '/url', '/x'])
    for (const wrong of [
      { url: 5, events: ['email.sent'] },
      { url: receiver.url, events: [5] },
      [],
    ]) {
      assert.equal((await call('POST /webhooks', { body: wrong })).status, 422)
    }
  })

  test('refuses an eleventh endpoint with 409, also with concurrent requests', async () => {
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id })
    const body = { url: receiver.url, events: ['call.completed'] }
    const asked = Array.from({ length: 14 }, () => call('POST /webhooks', { key, body }))
    const answers = await Promise.all(asked)
    const made = answers.filter(({ status }) => status === 201)
    assert.equal(made.length, limits.webhook_endpoints_max)
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      assert.equal(refused.status, 409)
      assert.match(refused.body.type, /\/errors\/webhook_limit_reached$/)
    }
    await call(`DELETE /webhooks/${made[0]!.body.id}`, { key })
    assert.equal(
      (await call('POST /webhooks', { key, body })).status,
      201,
      'one place is free again',
    )
  })
})

suite('POST /webhooks outside development', async () => {
  const strict = await openTestRuntime({ settings: { HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: '0' } })

  async function detailOf(url: string): Promise<string> {
    const { status, body } = await strict.call('POST /webhooks', {
      body: { url, events: ['email.sent'] },
    })
    assert.equal(status, 400, url)
    assert.match(body.type, /\/errors\/invalid_webhook_endpoint$/)
    return body.detail
  }

  test('requires https and a domain name, without port, user or password', async () => {
    assert.match(await detailOf('http://example.com/hooks'), /https:/)
    assert.match(await detailOf('https://93.184.216.34/hooks'), /IP address/)
    assert.match(await detailOf('https://[2606:2800:220:1::1]/hooks'), /IP address/)
    assert.match(await detailOf('https://0x5db8d822/hooks'), /IP address/)
    assert.match(await detailOf('https://example.com:8443/hooks'), /port/)
    assert.match(await detailOf('https://me@example.com/hooks'), /user name/)
    assert.match(await detailOf('https://:pass@example.com/hooks'), /password/)
    for (const junk of [
      '',
      'example.com/hooks',
      'ftp://example.com',
      'https://',
      'https://a b.com/',
    ]) {
      assert.match(await detailOf(junk), /./)
    }
  })

  test('limits the URL to 2048 characters', async () => {
    const start = 'http://example.com/'
    const longest = start.padEnd(limits.webhook_url_characters_max, 'a')
    assert.match(await detailOf(longest), /https:/, 'refused, but not for its length')
    assert.match(await detailOf(`${longest}a`), /2048/)
  })

  test('requires a public address', async () => {
    assert.match(await detailOf('https://localhost/hooks'), /localhost/)
    assert.match(await detailOf('https://printer.local/hooks'), /local/)
    assert.match(await detailOf('https://metadata.google.internal/hooks'), /local/)
    assert.match(await detailOf('https://nothing-there.invalid/hooks'), /nothing-there\.invalid/)
  })
})

suite('GET /webhooks', () => {
  test('lists the endpoints of the project newest first, without secrets', async () => {
    const { key, endpoint } = await newEndpoint()
    const body = { url: receiver.url, events: ['email.sent'] }
    const second = await call('POST /webhooks', { key, body })
    const { status, body: page, text } = await call('GET /webhooks', { key })
    assert.equal(status, 200)
    const { secret, ...shown } = endpoint
    const { secret: _, ...newer } = second.body
    assert.deepEqual(page, { data: [newer, shown], next_cursor: null })
    assert.ok(!text.includes(secret))
  })

  test('is empty for a project without endpoints', async () => {
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id })
    const { body } = await call('GET /webhooks', { key })
    assert.deepEqual(body, { data: [], next_cursor: null })
  })

  test('pages by limit and cursor', async () => {
    const { key } = await newEndpoint()
    const body = { url: receiver.url, events: ['email.sent'] }
    for (let count = 1; count < 5; count += 1) await call('POST /webhooks', { key, body })
    const { body: whole } = await call('GET /webhooks', { key })
    const pages: object[][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const from = cursor && `&cursor=${encodeURIComponent(cursor)}`
      const { body: page } = await call(`GET /webhooks?limit=2${from}`, { key })
      pages.push(page.data)
      cursor = page.next_cursor
    }
    assert.deepEqual(
      pages.map(({ length }) => length),
      [2, 2, 1],
    )
    assert.deepEqual(pages.flat(), whole.data)
  })

  test('answers 400 invalid_parameter for a limit out of range or a foreign cursor', async () => {
    const { key } = await newEndpoint()
    await call('POST /webhooks', { key, body: { url: receiver.url, events: ['email.sent'] } })
    const { body: page } = await call('GET /webhooks?limit=1', { key })
    assert.ok(page.next_cursor)
    const foreign = encodeURIComponent(page.next_cursor)
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'cursor=x',
      `cursor=${foreign}`,
      'x=1',
    ]) {
      const { status, body } = await call(`GET /webhooks?${query}`)
      assert.equal(status, 400, query)
      assert.match(body.type, /\/errors\/invalid_parameter$/)
    }
    assert.equal((await call('GET /webhooks?limit=100', { key })).status, 200)
  })
})

suite('a single endpoint', () => {
  test('is returned by GET /webhooks/{id} without its secret', async () => {
    const { key, endpoint } = await newEndpoint()
    const { secret, ...shown } = endpoint
    const { status, body } = await call(`GET /webhooks/${endpoint.id}`, { key })
    assert.equal(status, 200)
    assert.deepEqual(body, shown)
    assert.ok(secret)
  })

  test('is deleted by DELETE /webhooks/{id} with 204 and no body, and is 404 afterwards', async () => {
    const { key, endpoint } = await newEndpoint()
    const gone = await call(`DELETE /webhooks/${endpoint.id}`, { key })
    assert.deepEqual([gone.status, gone.text], [204, ''])
    assert.equal((await call(`DELETE /webhooks/${endpoint.id}`, { key })).status, 404)
    assert.deepEqual((await call('GET /webhooks', { key })).body.data, [])
  })

  test('is returned by POST /webhooks/{id}/enable with its streak reset to 0', async () => {
    const { key, endpoint, project_id } = await newEndpoint()
    await runtime.runtime.db.transact((tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({ active: false, consecutive_failures: 50, warned_failures: 45 })
        .set({ disabled_at: runtime.clock.now(), disabled_reason: 'failures' })
        .where('project_id', '=', project_id)
        .execute(),
    )
    const { body: before } = await call(`GET /webhooks/${endpoint.id}`, { key })
    assert.deepEqual([before.active, before.consecutive_failures], [false, 50])
    const { status, body } = await call(`POST /webhooks/${endpoint.id}/enable`, { key })
    assert.equal(status, 200)
    const off = { disabled_at: null, disabled_reason: null }
    assert.deepEqual(body, { ...before, ...off, active: true, consecutive_failures: 0 })
    assert.ok(!('secret' in body))
    const again = await call(`POST /webhooks/${endpoint.id}/enable`, { key })
    assert.deepEqual([again.status, again.body], [200, body], 'enabling twice changes nothing more')
  })

  test('answers 404 for an unknown, foreign or malformed id', async () => {
    const { endpoint } = await newEndpoint()
    const routes = ['GET /webhooks/{id}', 'DELETE /webhooks/{id}', 'POST /webhooks/{id}/enable']
    for (const route of [...routes, 'POST /webhooks/{id}/test']) {
      for (const id of [unknown_id, endpoint.id, 'one', '%00']) {
        const { status, body } = await call(route.replace('{id}', id))
        assert.equal(status, 404, `${route} ${id}`)
        assert.match(body.type, /\/errors\/not_found$/)
      }
    }
  })

  test('requires the scope webhooks:write and a key of the whole project on all routes', async () => {
    const without = await runtime.newKey({ scopes: ['project:read', 'data:write'] })
    const access = { sites: [], apps: [], collections: [], limited_by: 'api_key' } as const
    const limited = await runtime.newKey({
      access: { ...access, sites: [], apps: [], collections: [] },
    })
    const body = { url: receiver.url, events: ['email.sent'] }
    for (const route of ['GET /webhooks', 'POST /webhooks', `POST /webhooks/${unknown_id}/test`]) {
      const sent = route === 'POST /webhooks' ? { body } : {}
      const missing = await call(route, { ...sent, key: without })
      assert.deepEqual(
        [missing.status, missing.body.type.split('/').at(-1)],
        [403, 'missing_scope'],
      )
      assert.match(missing.body.detail, /webhooks:write/)
      const refused = await call(route, { ...sent, key: limited })
      assert.deepEqual([refused.status, refused.body.type.split('/').at(-1)], [403, 'forbidden'])
    }
  })
})

suite('POST /webhooks/{id}/test', () => {
  test('sends webhook.test at once, signed, and returns the result', async () => {
    const { key, endpoint } = await newEndpoint()
    const before = receiver.requests.length
    const { status, body } = await call(`POST /webhooks/${endpoint.id}/test`, { key })
    assert.equal(status, 200)
    const { delivery_id, event_id, ...result } = body
    assert.deepEqual(result, { status: 'delivered', response_status: 204, error: null })
    assert.equal(receiver.requests.length, before + 1, 'it was sent before the reply')
    const received = receiver.requests.at(-1)!
    assert.ok(isSigned(received, endpoint.secret, runtime.clock.now()))
    assert.equal(received.headers['service-delivery'], delivery_id)
    assert.match(event_id, /^evt_[0-9a-f]{32}$/)
    assert.deepEqual(Object.keys(received.event), ['id', 'type', 'created_at', 'data'])
    assert.equal(received.event.id, event_id)
    assert.equal(received.event.type, 'webhook.test')
    assert.deepEqual(received.event.data, { endpoint_id: endpoint.id })
    const { body: after } = await call(`GET /webhooks/${endpoint.id}`, { key })
    assert.ok(after.last_success_at)
    assert.equal(after.last_failure_at, null)
  })

  test('retries a failed first attempt with the same ids', async () => {
    const broken = await openReceiver()
    broken.answers(503)
    const { key, endpoint } = await newEndpoint({ url: broken.url })
    const { status, body } = await call(`POST /webhooks/${endpoint.id}/test`, { key })
    assert.equal(status, 200)
    const { delivery_id, event_id, ...result } = body
    assert.deepEqual(result, { status: 'pending', response_status: 503, error: 'non_2xx_status' })
    const { body: failing } = await call(`GET /webhooks/${endpoint.id}`, { key })
    assert.equal(failing.consecutive_failures, 1)
    assert.ok(failing.last_failure_at)
    broken.answers(200)
    runtime.passes('61 seconds')
    const [, second] = await broken.received(2)
    assert.equal(second!.event.id, event_id)
    assert.equal(second!.headers['service-delivery'], delivery_id)
  })

  test('accepts the id in upper case and sends it in lower case', async () => {
    const { key, endpoint } = await newEndpoint()
    const { status } = await call(`POST /webhooks/${endpoint.id.toUpperCase()}/test`, { key })
    assert.equal(status, 200)
    assert.deepEqual(receiver.requests.at(-1)!.event.data, { endpoint_id: endpoint.id })
  })

  test('reports connection_failed without a response status for a closed port', async () => {
    const { key, endpoint } = await newEndpoint({ url: 'http://127.0.0.1:9/hooks' })
    const { body } = await call(`POST /webhooks/${endpoint.id}/test`, { key })
    assert.deepEqual([body.status, body.response_status], ['pending', null])
    assert.equal(body.error, 'connection_failed')
  })

  test('counts each failure, and disables the endpoint at the fiftieth', async () => {
    const broken = await openReceiver()
    broken.answers(500)
    const { key, endpoint } = await newEndpoint({ url: broken.url })
    const show = async () => (await call(`GET /webhooks/${endpoint.id}`, { key })).body
    const fail = async (times: number) => {
      for (let count = 0; count < times; count += 1) {
        const { body } = await call(`POST /webhooks/${endpoint.id}/test`, { key })
        assert.equal(body.error, 'non_2xx_status')
      }
    }
    await fail(5)
    const { last_failure_at } = await show()
    runtime.passes('1 second')
    await fail(1)
    const paced = await show()
    assert.deepEqual([paced.active, paced.consecutive_failures], [true, 6])
    assert.equal(paced.last_failure_at, last_failure_at, 'the pause is no longer by a test')
    broken.answers(200)
    await call(`POST /webhooks/${endpoint.id}/test`, { key })
    assert.equal((await show()).consecutive_failures, 0)
    broken.answers(500)
    await fail(49)
    assert.deepEqual([(await show()).active, (await show()).consecutive_failures], [true, 49])
    await fail(1)
    const { active, consecutive_failures } = await show()
    assert.deepEqual([active, consecutive_failures], [false, 50])
    assert.equal((await call(`POST /webhooks/${endpoint.id}/test`, { key })).status, 409)
  })

  test('answers 409 for a disabled endpoint and sends nothing', async () => {
    const broken = await openReceiver()
    broken.answers(500)
    const { key, endpoint, project_id } = await newEndpoint({ url: broken.url })
    const of = { project_id, endpoint_id: endpoint.id }
    for (let count = 0; count < 50; count += 1) await attemptNow(runtime.runtime, of)
    const { body: off } = await call(`GET /webhooks/${endpoint.id}`, { key })
    assert.deepEqual([off.active, off.consecutive_failures], [false, 50])
    const refused = await call(`POST /webhooks/${endpoint.id}/test`, { key })
    assert.equal(refused.status, 409)
    assert.match(refused.body.type, /\/errors\/webhook_endpoint_disabled$/)
    assert.equal(broken.requests.length, 50)
  })

  test('works while no worker runs, because the request itself makes the attempt', async () => {
    const idle = await openTestRuntime({ work: false })
    const { body: endpoint } = await idle.call('POST /webhooks', {
      body: { url: receiver.url, events: ['email.sent'] },
    })
    const { body } = await idle.call(`POST /webhooks/${endpoint.id}/test`)
    assert.equal(body.status, 'delivered')
  })

  test('reports not_public_host for a host that has become private', async () => {
    const { key, endpoint, project_id } = await newEndpoint()
    const { webhook_outbound } = runtime.runtime
    await runtime.runtime.db.transact((tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({ url: 'https://localhost/hooks' })
        .where('project_id', '=', project_id)
        .execute(),
    )
    const strict = createOutbound({ allow_private: false, allow_cidrs: [], proxy_url: null })
    runtime.runtime.webhook_outbound = strict
    const { body } = await call(`POST /webhooks/${endpoint.id}/test`, { key })
    runtime.runtime.webhook_outbound = webhook_outbound
    await strict.close()
    assert.deepEqual([body.status, body.error], ['pending', 'not_public_host'])
  })
})
