/**
 * Tests of streaming over HTTP: an error before the first chunk is a problem document, a later one
 * aborts the response, and a body is read on demand.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Type } from 'typebox'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { Problem } from '../../../contract/errors.ts'
import { streamOperation } from '../../../contract/operations/streams.ts'
import { createAdmission } from '../../admission.ts'
import { addRest, API_ROOT } from '../routes.ts'
import { createHttpServer } from '../server.ts'

const { runtime, key, newKey } = await openTestRuntime({ work: false })
const declared = { scope: 'data:read', reach: 'project', effect: 'read', errors: [] } as const
const Query = Type.Object({ fail: Type.Optional(Type.String()) }, { additionalProperties: false })
let stopped = 0

const count = streamOperation({
  ...declared,
  name: 'streams.count',
  route: 'GET /streams/count',
  about: 'Counts.',
  query: Query,
  media: { gives: ['text/plain'] },
  async run({ query: { fail } }) {
    async function* chunks() {
      try {
        if (fail === 'first') throw new Problem('not_found', 'There is nothing to count.')
        yield 'one '
        if (fail === 'later') throw new Error('The count is lost.')
        yield Buffer.from('two')
      } finally {
        stopped += 1
      }
    }
    return { media_type: 'text/plain', headers: { 'X-Counted': 'yes' }, chunks: chunks() }
  },
})

const weigh = streamOperation({
  ...declared,
  name: 'streams.weigh',
  route: 'POST /streams/weigh',
  about: 'Weighs.',
  effect: 'write',
  media: { takes: { types: ['text/plain', 'text/csv'], bytes_max: 1000 } },
  reply: Type.Object({ media_type: Type.String(), bytes: Type.Integer() }),
  async run({ takeBody }) {
    const { media_type, bytes } = takeBody()
    const all = await Array.fromAsync(bytes)
    return { media_type, bytes: all.reduce((sum, one) => sum + one.length, 0) }
  },
})

const app = createHttpServer(runtime)
addRest(app, { runtime, admission: createAdmission(runtime), operations: [count, weigh] })
const address = await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())

function ask(path: string, options: RequestInit & { key?: string } = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${options.key ?? key}`, ...options.headers }
  return fetch(`${address}${API_ROOT}/streams/${path}`, { ...options, headers })
}

const send = (body: string, type: string) =>
  ask('weigh', { method: 'POST', body, headers: { 'content-type': type } })

describe('a streamed reply', () => {
  test('has its media type, its headers and the common headers', async () => {
    const response = await ask('count')
    assert.equal(await response.text(), 'one two')
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain/)
    assert.equal(response.headers.get('x-counted'), 'yes')
    assert.ok(response.headers.get('x-request-id') && response.headers.get('ratelimit'))
  })

  test('is a problem document if it fails before the first chunk', async () => {
    const response = await ask('count?fail=first')
    assert.equal(response.status, 404)
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
  })

  test('is aborted if it fails later, so that the client notices', async () => {
    const before = stopped
    await assert.rejects(ask('count?fail=later').then((response) => response.text()))
    assert.equal(stopped, before + 1)
  })

  test('needs the same key, scope, reach and query as other operations', async () => {
    assert.equal((await ask('count', { key: 'hm_test_x' })).status, 401)
    const unscoped = await newKey({ scopes: ['data:write'] })
    assert.equal((await ask('count', { key: unscoped })).status, 403)
    const access = { sites: [], apps: [], collections: [], limited_by: 'api_key' as const }
    assert.equal((await ask('count', { key: await newKey({ access }) })).status, 403)
    assert.equal((await ask('count?other=1')).status, 400)
  })
})

describe('a streamed body', () => {
  test('is passed on with its media type, and gets a JSON reply', async () => {
    const response = await send('abc', 'Text/CSV; charset=utf-8')
    assert.deepEqual(await response.json(), { media_type: 'text/csv', bytes: 3 })
  })

  test('is refused if it is missing, too long or of another media type', async () => {
    for (const answer of [
      await send('x'.repeat(1001), 'text/plain'),
      await send('{}', 'application/json'),
      await ask('weigh', { method: 'POST' }),
    ]) {
      assert.equal(answer.status, 400)
      const { type } = (await answer.json()) as { type: string }
      assert.match(type, /\/bad_request$/)
    }
  })
})
