/**
 * What every operation owes, read from the declarations: no operation may forget that it needs a
 * key, a scope and the right mode, that another project's things are not there, or that a body can
 * be junk. A new operation is tested here the moment it is listed in app.ts.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations } from '../server/app.ts'
import type { Operation } from '../server/contract/operation.ts'
import { scopeNames } from '../server/contract/scopes.ts'
import { askFor } from './fixtures/approvals.ts'
import { openTestRuntime, type Answer } from './fixtures/runtime.ts'
import { mediaFixture } from './fixtures/media.ts'
import { exampleOf } from '../server/edges/docs/describe/example.ts'

const runtime = await openTestRuntime({ work: false })
const keyed = operations.filter(({ scope }) => scope !== null)
/** The last is for junk that could be a document, were there no schema. */
const junkSlugs = ['invalid_json', 'validation_failed', 'schema_mismatch']
const UNKNOWN_ID = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'

/** `ids` for the parameters in their order; the last one stands for the rest. */
function routeOf(operation: Operation, ids: readonly string[] = [UNKNOWN_ID]): string {
  let at = 0
  const next = () => ids[Math.min(at++, ids.length - 1)] ?? UNKNOWN_ID
  return `${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, next)}${queryOf(operation)}`
}

/** What must be in the query. */
function queryOf({ query }: Operation): string {
  const required = query?.required ?? []
  const pairs = required.map((name) => [name, String(exampleOf(query?.properties[name] ?? {}))])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** A request that would be right, were it not for what the test leaves out. */
function requestOf(operation: Operation) {
  return {
    ...(operation.body ? { body: exampleOf(operation.body) } : {}),
    headers: { 'idempotency-key': `owed-${crypto.randomUUID()}` },
  }
}

function slugOf(answer: Answer): string {
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, answer.text)
  return answer.body.type.split('/').at(-1)
}

describe('every operation', () => {
  test('has a name and a route of its own', () => {
    assert.equal(new Set(operations.map(({ name }) => name)).size, operations.length)
    assert.equal(new Set(operations.map(({ route }) => route)).size, operations.length)
  })
  test('that reads is a GET, or a query too large for one, and no GET does anything else', () => {
    for (const { name, method, path, effect } of operations) {
      const reads = method === 'GET' || (method === 'POST' && path.endsWith('/query'))
      assert.equal(reads, effect === 'read', name)
    }
  })
})

for (const operation of keyed) {
  describe(operation.route, () => {
    test('without a key: 401 missing_api_key', async () => {
      const answer = await runtime.call(routeOf(operation), { ...requestOf(operation), key: null })
      assert.deepEqual([answer.status, slugOf(answer)], [401, 'missing_api_key'])
    })

    test('with every scope but its own: 403 missing_scope, which it names', async () => {
      const key = await runtime.newKey({
        scopes: scopeNames.filter((scope) => scope !== operation.scope),
      })
      const answer = await runtime.call(routeOf(operation), { ...requestOf(operation), key })
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'missing_scope'])
      assert.match(answer.body.detail, new RegExp(operation.scope!))
    })

    test('with the wrong mode for the project: 403 key_mode_mismatch', async () => {
      const pair = await runtime.newProject({ shape: 'pair' })
      const key = await runtime.newKey({ project_id: pair.test_project_id, mode: 'live' })
      const answer = await runtime.call(routeOf(operation), { ...requestOf(operation), key })
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'key_mode_mismatch'])
    })

    if (operation.mode === 'test') {
      test('with a live key: 403 test_key_required', async () => {
        const key = await runtime.newKey({ mode: 'live' })
        const answer = await runtime.call(routeOf(operation), { ...requestOf(operation), key })
        assert.deepEqual([answer.status, slugOf(answer)], [403, 'test_key_required'])
      })
    }

    if (operation.reach === 'project') {
      test('with a limited key: 403 forbidden', async () => {
        const access = {
          sites: [UNKNOWN_ID],
          apps: [],
          collections: [],
          limited_by: 'api_key' as const,
        }
        const key = await runtime.newKey({ access })
        const answer = await runtime.call(routeOf(operation), { ...requestOf(operation), key })
        assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
      })
    }

    if (operation.params) {
      test("with another project's id, or one that nobody has: 404 not_found", async () => {
        const key = await runtime.newKey({ project_id: (await runtime.newProject()).project_id })
        for (const ids of [await foreignIds(operation), [UNKNOWN_ID]]) {
          const answer = await runtime.call(routeOf(operation, ids), {
            ...requestOf(operation),
            key,
          })
          assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'], answer.text)
        }
      })
    }

    if (operation.body) {
      test('with junk for a body: 400 or 422, never anything else', async () => {
        const headers = { 'idempotency-key': 'junk' }
        const route = routeOf(operation, await foreignIds(operation))
        for (const raw of [
          '',
          '{',
          '[]',
          'null',
          '"text"',
          '1e999',
          '{"a":{"a":[{}]}}',
          '{"__proto__":1}',
        ]) {
          const key = await runtime.newKey()
          const answer = await runtime.call(route, { raw, headers, key })
          assert.ok([400, 422].includes(answer.status), `${raw}: ${answer.text}`)
          assert.ok(junkSlugs.includes(slugOf(answer)), answer.text)
        }
      })
    }

    if (operation.headers?.idempotency_key) {
      test('without an Idempotency-Key, or with one that is none: 400', async () => {
        const missing = await runtime.call(routeOf(operation), { body: requestOf(operation).body })
        assert.deepEqual([missing.status, slugOf(missing)], [400, 'idempotency_key_missing'])
        for (const value of ['a b', 'x'.repeat(256), 'é']) {
          const headers = { 'idempotency-key': Buffer.from(value).toString('latin1') }
          const answer = await runtime.call(routeOf(operation), {
            ...requestOf(operation),
            headers,
          })
          assert.deepEqual([answer.status, slugOf(answer)], [400, 'idempotency_key_invalid'])
        }
      })
    }
  })
}

/** What exists in the first project, of the sort the operation names: its id, or name and id. */
async function foreignIds({ path }: Operation): Promise<string[]> {
  const made = await things
  const sort = path.split('/')[1]
  return made[sort ?? ''] ?? [UNKNOWN_ID]
}

const things: Promise<Record<string, string[]>> = makeThings()

async function makeThings(): Promise<Record<string, string[]>> {
  const number = await runtime.call('POST /numbers', {
    body: {},
    headers: { 'idempotency-key': 'things' },
  })
  const call = await runtime.call('POST /test/calls', {
    body: { number_id: number.body.id, turns: [] },
  })
  const webhook = await runtime.call('POST /webhooks', {
    body: { url: 'http://127.0.0.1:9/', events: ['call.completed'] },
  })
  const sent = await runtime.call(`POST /webhooks/${webhook.body.id}/test`)
  const schema = { type: 'object', required: ['email'], additionalProperties: false }
  const properties = { email: { type: 'string' } }
  await runtime.call('POST /collections', {
    body: { name: 'things', schema: { ...schema, properties }, unique: ['email'] },
  })
  const document = await runtime.call('POST /collections/things/documents', {
    body: { email: 'x' },
  })
  const site = await runtime.call('POST /sites', {
    body: {
      slug: 'things',
      visibility: 'unlisted',
      files: [{ path: 'index.html', content: 'Things' }],
    },
  })
  const token = await runtime.call('POST /chat-tokens', {
    body: { allowed_origins: ['https://things.example'] },
  })
  const media = await mediaFixture(runtime).ready(Buffer.from('Things'), { filename: 'a.txt' })
  const doomed = { name: 'things', id: document.body.id }
  return {
    approvals: [await askFor(runtime, 'documents.delete', doomed)],
    numbers: [number.body.id],
    calls: [call.body.id],
    webhooks: [webhook.body.id],
    deliveries: [sent.body.delivery_id],
    collections: ['things', document.body.id],
    sites: [site.body.id, 'index.html'],
    media: [media.id],
    'chat-tokens': [token.body.id],
  }
}

describe('a path with an empty place', () => {
  const withIds = keyed.filter(({ path }) => path.includes('{'))
  test('is refused on every route with the name of what is missing', async () => {
    assert.ok(withIds.length > 40)
    for (const operation of withIds) {
      const [, name = ''] = /\{(\w+)\}/.exec(operation.path) ?? []
      const { status, body } = await runtime.call(routeOf(operation, ['', UNKNOWN_ID]))
      assert.deepEqual(
        [status, body.detail],
        [404, `The ${name} is missing: its place in the request is empty.`],
        operation.name,
      )
      assert.match(body.next_step, /check that the variable is set/)
    }
  })
})
