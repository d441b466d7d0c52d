/**
 * Tests of GET /status: the server's own check of each component, or the operator's status page if
 * one is configured.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, describe, test } from 'node:test'
import { openTestRuntime, type TestRuntime } from '../../../test/fixtures/runtime.ts'

interface Outside {
  url: string
  server: Server
  /** The next reply of the status page. */
  answer: { status: number; body: unknown }
  requests: string[]
}

async function openOutside(): Promise<Outside> {
  const requests: string[] = []
  const outside = { answer: { status: 200, body: {} as unknown }, requests }
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const { status, body } = outside.answer
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => server.close())
  const bound = server.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  return Object.assign(outside, { url: `http://127.0.0.1:${port}`, server })
}

async function statusOf(fixture: TestRuntime): Promise<any> {
  fixture.passes('31 seconds')
  const { status, body } = await fixture.call('GET /status', { key: null })
  assert.equal(status, 200)
  return body
}

const healthsIn = ({ components }: any) =>
  Object.fromEntries(components.map(({ id, status }: any) => [id, status]))

describe('the own check of the server', () => {
  test('reports every component as operational in development', async () => {
    const body = await statusOf(await openTestRuntime({ work: false }))
    assert.deepEqual([body.status, body.source, body.incidents], ['operational', 'status_page', []])
    assert.deepEqual(
      body.components.map(({ id }: any) => id),
      ['sites', 'api', 'portal', 'phone', 'ai', 'mail', 'payments'],
    )
    assert.ok(body.components.every(({ status }: any) => status === 'operational'))
    assert.match(body.status_page, /^http:\/\/[^/]+\/status$/)
  })

  test('reports providers that the operator does not have as not_in_use', async () => {
    const settings = { HOMEPORT_CARRIER: 'none', HOMEPORT_MAIL: 'none', HOMEPORT_PAYMENTS: 'none' }
    const body = await statusOf(await openTestRuntime({ work: false, settings }))
    const { phone, mail, payments, sites, portal } = healthsIn(body)
    assert.deepEqual([phone, mail, payments], ['not_in_use', 'not_in_use', 'not_in_use'])
    assert.deepEqual([sites, portal, body.status], ['operational', 'operational', 'operational'])
  })

  test('probes carrier, model, payments and mail', async () => {
    const outside = await openOutside()
    const { url } = outside
    const fixture = await openTestRuntime({
      work: false,
      settings: {
        HOMEPORT_CARRIER: 'telnyx',
        HOMEPORT_CARRIER_KEY: 'key',
        HOMEPORT_CARRIER_URL: `${url}/carrier`,
        HOMEPORT_MODEL: 'openai_compatible',
        HOMEPORT_MODEL_NAME: 'small',
        HOMEPORT_MODEL_URL: `${url}/model`,
        HOMEPORT_PAYMENTS: 'stripe',
        HOMEPORT_PAYMENTS_KEY: 'key',
        HOMEPORT_PAYMENTS_URL: `${url}/payments`,
        HOMEPORT_MAIL: 'smtp',
        HOMEPORT_MAIL_URL: 'smtp://127.0.0.1:9?tls=off',
        HOMEPORT_MAIL_FROM: 'Homeport <homeport@home.example>',
      },
    })
    outside.answer.status = 401
    const first = await statusOf(fixture)
    assert.deepEqual(outside.requests.toSorted(), ['/carrier', '/model', '/payments'])
    const { phone, ai, payments, mail } = healthsIn(first)
    assert.deepEqual([phone, ai, payments], ['operational', 'operational', 'operational'])
    assert.deepEqual([mail, first.status], ['down', 'degraded'])
    assert.match(first.user_message, /: Email\.$/)

    await fixture.call('GET /status', { key: null })
    assert.equal(outside.requests.length, 3, 'asks at most once in 30 seconds')

    outside.answer.status = 503
    const second = healthsIn(await statusOf(fixture))
    assert.deepEqual([second.phone, second.ai], ['degraded', 'degraded'])
    outside.server.closeAllConnections()
    outside.server.close()
    const third = healthsIn(await statusOf(fixture))
    assert.deepEqual([third.phone, third.api], ['down', 'operational'])
  })

  test('reports sites as degraded while the store of files does not answer', async () => {
    const fixture = await openTestRuntime({ work: false })
    fixture.runtime.blobs = {
      ...fixture.runtime.blobs,
      size: () => Promise.reject(new Error('The disk is away.')),
    }
    const body = await statusOf(fixture)
    assert.deepEqual([healthsIn(body).sites, body.status], ['degraded', 'degraded'])
  })
})

describe('a configured status page', () => {
  const summary = {
    components: [
      { name: 'Sites and apps', status: 'partial_outage' },
      { name: 'PHONE', status: 'major_outage' },
      { name: 'API', status: 'operational' },
      { name: 'Coffee machine', status: 'major_outage' },
    ],
    incidents: [
      {
        name: 'Calls connect slowly',
        status: 'identified',
        created_at: '2026-11-03T10:00:00.000Z',
      },
      { name: 'Old', status: 'resolved', created_at: '2026-11-01T10:00:00.000Z' },
    ],
  }

  test('returns components and unresolved incidents', async () => {
    const page = await openOutside()
    const settings = { HOMEPORT_STATUS_URL: `${page.url}/`, HOMEPORT_EGRESS_ALLOW_PRIVATE: '1' }
    const fixture = await openTestRuntime({ work: false, settings })
    page.answer.body = summary
    const body = await statusOf(fixture)
    assert.deepEqual(page.requests, ['/api/v2/summary.json'])
    assert.deepEqual([body.status, body.source], ['degraded', 'status_page'])
    const { sites, phone, api, mail } = healthsIn(body)
    assert.deepEqual([sites, phone, api, mail], ['degraded', 'down', 'operational', 'operational'])
    assert.deepEqual(body.incidents, [
      {
        title: 'Calls connect slowly',
        status: 'identified',
        started_at: '2026-11-03T10:00:00.000Z',
      },
    ])
    assert.equal(body.status_page, page.url)
  })

  test('is replaced by the own check if its reply has another format', async () => {
    const page = await openOutside()
    const settings = { HOMEPORT_STATUS_URL: page.url, HOMEPORT_EGRESS_ALLOW_PRIVATE: '1' }
    const fixture = await openTestRuntime({ work: false, settings })
    for (const answer of [
      { status: 500, body: summary },
      { status: 200, body: { components: 'none' } },
    ]) {
      page.answer = answer
      const body = await statusOf(fixture)
      assert.deepEqual([body.source, body.status], ['own_check', 'operational'])
    }
  })
})
