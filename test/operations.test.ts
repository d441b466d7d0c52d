/**
 * Tests that hold for every operation, read from the declarations: it needs a key, a scope and the
 * right mode, answers 404 to ids of another project, and refuses invalid bodies. A new operation is
 * tested as soon as app.ts lists it, with an id from test/fixtures/path-ids.ts.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations } from '../server/app.ts'
import type { Operation } from '../server/contract/operation.ts'
import { scopeNames } from '../server/contract/scopes.ts'
import { openTestRuntime, type Answer } from './fixtures/runtime.ts'
import { fillPath, newFixtures } from './fixtures/path-ids.ts'
import { createExample } from '../server/edges/describe/samples/example.ts'

const runtime = await openTestRuntime({ work: false })
const fixtures = await newFixtures(runtime)
const keyed = operations.filter(({ scope }) => scope !== null)
/** schema_mismatch is for JSON documents that do not fit the schema of the collection. */
const junkSlugs = ['invalid_json', 'validation_failed', 'schema_mismatch']
const UNKNOWN_ID = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'

/** The route with the ids of the fixtures, each of which `replace` may replace. */
function routeOf(operation: Operation, replace?: (id: string) => string): string {
  const path = fillPath(operation.path, fixtures.ids, replace)
  return `${operation.method} ${path}${queryOf(operation)}`
}

/** The parameters that the query requires. */
function queryOf({ query }: Operation): string {
  const required = query?.required ?? []
  const pairs = required.map((name) => [name, String(createExample(query?.properties[name] ?? {}))])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** A request that is valid except for the omitted part. */
function requestOf(operation: Operation) {
  return {
    ...(operation.body ? { body: createExample(operation.body) } : {}),
    headers: { 'idempotency-key': `owed-${crypto.randomUUID()}` },
  }
}

function slugOf(answer: Answer): string {
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, answer.text)
  return answer.body.type.split('/').at(-1)
}

/** The check of an address has the path of the specification. */
function isCheck(path: string): boolean {
  return path === '/email/check-address'
}

describe('every operation', () => {
  test('has a name and a route of its own', () => {
    assert.equal(new Set(operations.map(({ name }) => name)).size, operations.length)
    assert.equal(new Set(operations.map(({ route }) => route)).size, operations.length)
  })
  test('is a GET, or a POST whose path ends in /query, exactly if it only reads', () => {
    for (const { name, method, path, effect } of operations) {
      const reads =
        method === 'GET' || (method === 'POST' && (path.endsWith('/query') || isCheck(path)))
      assert.equal(reads, effect === 'read', name)
    }
  })
})

for (const operation of keyed) {
  describe(operation.route, () => {
    test('replies 401 missing_api_key without a key', async () => {
      const answer = await runtime.call(routeOf(operation), { ...requestOf(operation), key: null })
      assert.deepEqual([answer.status, slugOf(answer)], [401, 'missing_api_key'])
    })

    test('replies 403 missing_scope with every scope but its own, which the reply names', async () => {
      const key = await runtime.newKey({
        scopes: scopeNames.filter((scope) => scope !== operation.scope),
      })
      const answer = await runtime.call(routeOf(operation), { ...requestOf(operation), key })
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'missing_scope'])
      assert.match(answer.body.detail, new RegExp(operation.scope!))
    })

    test('replies 403 key_mode_mismatch with the wrong mode for the project', async () => {
      const pair = await runtime.newProject({ shape: 'pair' })
      const key = await runtime.newKey({ project_id: pair.test_project_id, mode: 'live' })
      const answer = await runtime.call(routeOf(operation), { ...requestOf(operation), key })
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'key_mode_mismatch'])
    })

    if (operation.mode === 'test') {
      test('replies 403 test_key_required with a live key if it is for test mode only', async () => {
        const key = await runtime.newKey({ mode: 'live' })
        const answer = await runtime.call(routeOf(operation), { ...requestOf(operation), key })
        assert.deepEqual([answer.status, slugOf(answer)], [403, 'test_key_required'])
      })
    }

    if (operation.reach === 'project') {
      test('replies 403 forbidden with a limited key', async () => {
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
      test('replies 404 not_found for an id of another project, or an unknown one', async () => {
        const key = await runtime.newKey({ project_id: (await runtime.newProject()).project_id })
        for (const route of [routeOf(operation), routeOf(operation, () => UNKNOWN_ID)]) {
          const answer = await runtime.call(route, { ...requestOf(operation), key })
          assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'], answer.text)
        }
      })
    }

    if (operation.body) {
      test('replies 400 or 422 for an invalid body', async () => {
        const headers = { 'idempotency-key': 'junk' }
        const route = routeOf(operation)
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
          const key = await runtime.newKey({ project_id: fixtures.team.project_id })
          const answer = await runtime.call(route, { raw, headers, key })
          assert.ok([400, 422].includes(answer.status), `${raw}: ${answer.text}`)
          assert.ok(junkSlugs.includes(slugOf(answer)), answer.text)
        }
      })
    }

    if (operation.headers?.idempotency_key === 'required') {
      test('replies 400 without its required Idempotency-Key', async () => {
        const missing = await runtime.call(routeOf(operation), { body: requestOf(operation).body })
        assert.deepEqual([missing.status, slugOf(missing)], [400, 'idempotency_key_missing'])
      })
    }

    if (operation.headers?.idempotency_key) {
      test('replies 400 with an invalid Idempotency-Key', async () => {
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

describe('a path without its first id', () => {
  const withIds = keyed.filter(({ path }) => path.includes('{'))
  test('gets an error that names the missing parameter, on every route', async () => {
    assert.ok(withIds.length > 40)
    for (const [index, operation] of withIds.entries()) {
      if (index % 100 === 0) runtime.passes('2 minutes')
      const [, name = ''] = /\{(\w+)\}/.exec(operation.path) ?? []
      const headers = { 'idempotency-key': 'a-key' }
      const { status, body } = await runtime.call(routeWithEmptyPlace(operation), { headers })
      assert.deepEqual(
        [status, body.detail],
        [404, `The ${name} is missing: its place in the request is empty.`],
        operation.name,
      )
      assert.match(body.next_step, /check that the variable is set/)
    }
  })
})

function routeWithEmptyPlace(operation: Operation): string {
  let is_first = true
  return routeOf(operation, (id) => {
    if (!is_first) return id
    is_first = false
    return ''
  })
}
