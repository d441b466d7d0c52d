/**
 * Tests of streaming over HTTP: an error before the first chunk is a problem document, a later one
 * aborts the response, and a body is read on demand.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { after, describe, test } from 'node:test'
import { Type } from 'typebox'
import { eventually } from '../../../../test/fixtures/eventually.ts'
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

const started = Promise.withResolvers<void>()
let left = false

/** Its first chunk comes after the client has left. */
const late = streamOperation({
  ...declared,
  name: 'streams.late',
  route: 'GET /streams/late',
  about: 'Comes too late.',
  media: { gives: ['text/plain'] },
  async run({ signal }) {
    async function* chunks() {
      started.resolve()
      if (!signal.aborted) await once(signal, 'abort')
      left = true
      yield 'late'
    }
    return { media_type: 'text/plain', chunks: chunks() }
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
const admission = createAdmission(runtime)
/** What an admission awaits after it authenticated the caller. */
let authenticated = async () => {}
addRest(app, {
  runtime,
  admission: {
    ...admission,
    async recognise(request) {
      const caller = await admission.recognise(request)
      await authenticated()
      return caller
    },
  },
  operations: [count, late, weigh],
})
/** The response of the newest request. */
let response_now: ServerResponse | undefined
app.addHook('onRequest', async (_request, { raw }) => {
  response_now = raw
})
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

  test('leaves no timer if its client leaves before the first chunk', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
    const before = timers()
    const ending = new AbortController()
    const asked = ask('late', { signal: ending.signal })
    await started.promise
    ending.abort()
    await assert.rejects(asked)
    await eventually(() => left)
    await new Promise(setImmediate)
    assert.equal(timers(), before)
  })

  test('ends if its client leaves while the request is admitted', async () => {
    left = false
    const ending = new AbortController()
    const admitting = Promise.withResolvers<void>()
    authenticated = async () => {
      admitting.resolve()
      if (response_now) await once(response_now, 'close')
    }
    const asked = ask('late', { signal: ending.signal })
    await admitting.promise
    ending.abort()
    await assert.rejects(asked)
    await eventually(() => left)
    authenticated = async () => {}
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
