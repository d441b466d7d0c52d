/** Collections over HTTP: create, list, change, delete, limits and limited keys. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { callerOf, slugOf } from '../../../../test/fixtures/data/data.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import { plans } from '../../../contract/plans.ts'
import { isUuid } from '../../../kernel/values/ids.ts'

const runtime = await openTestRuntime({ work: false })
const { db } = runtime.runtime

/** Creates a separate project with its own client, so that tests share no limits. */
async function newProject(plan: 'free' | 'reachable' = 'reachable') {
  const { project_id } = await runtime.newProject({ plan })
  return { project_id, call: callerOf(runtime, project_id) }
}

const people = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name'],
}

suite('POST /collections', () => {
  test('returns the collection with every field and the defaults', async () => {
    const { call } = await newProject()
    const { status, body } = await call('POST /collections', { name: 'people' })
    assert.equal(status, 201)
    const { id, created_at, updated_at, ...others } = body
    assert.ok(isUuid(id))
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(updated_at, created_at)
    assert.deepEqual(others, {
      name: 'people',
      title: 'people',
      schema: { type: 'object' },
      public_write: false,
      public_read: false,
      readable_fields: [],
      webhook_on_insert: false,
      indexes: [],
      unique: [],
      document_count: 0,
      bytes: 0,
      test: true,
      assistant_facts: false,
      form: { challenge: false },
      catalogue: false,
    })
  })

  test('stores the given settings, and GET returns them', async () => {
    const { call } = await newProject()
    const wanted = {
      name: 'people-2026_x',
      title: 'People',
      schema: people,
      public_write: true,
      public_read: true,
      readable_fields: ['name'],
      webhook_on_insert: true,
      indexes: ['age', 'address.city'],
      unique: ['name'],
      assistant_facts: true,
      form: { challenge: true },
    }
    const made = await call('POST /collections', wanted)
    assert.equal(made.status, 201, made.text)
    const read = await call(`GET /collections/${wanted.name}`)
    assert.deepEqual(read.body, made.body)
    for (const [field, value] of Object.entries(wanted)) assert.deepEqual(read.body[field], value)
  })

  const closed = {
    type: 'object',
    properties: {
      email: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      extra: { type: 'object' },
    },
    additionalProperties: false,
    $defs: {
      address: {
        type: 'object',
        properties: { city: { type: 'string' } },
        allOf: [{ properties: { street: { type: 'string' } } }],
        unevaluatedProperties: false,
      },
    },
  }

  test('refuses a field name that a closed schema does not declare, with the nearest declared one', async () => {
    const { call } = await newProject()
    const refused = await call('POST /collections', {
      name: 'closed',
      schema: closed,
      unique: ['email', 'emial'],
      indexes: ['address.ctiy', 'email.domain', 'created_at', 'extra.anything', 'address.street'],
      readable_fields: ['phone'],
    })
    assert.equal(refused.status, 422)
    assert.equal(slugOf(refused), 'validation_failed')
    const why = 'a field that the schema does not allow.'
    assert.deepEqual(
      new Map(refused.body.errors.map(({ path, message }: any) => [path, message])),
      new Map([
        ['/unique/1', `names emial, ${why} Did you mean email?`],
        ['/indexes/0', `names address.ctiy, ${why} Did you mean address.city?`],
        ['/indexes/1', `names email.domain, ${why} Fields there: none.`],
        ['/indexes/2', 'names created_at, which is not part of the data of a document: remove it'],
        ['/readable_fields/0', `names phone, ${why} Fields there: email, address, extra.`],
      ]),
    )
  })

  test('accepts any field name if the schema, or one branch of it, is open', async () => {
    const { call } = await newProject()
    const { email } = closed.properties
    const open = [
      { type: 'object', properties: { email } },
      { type: 'object', properties: { email }, additionalProperties: { type: 'string' } },
      { type: 'object', properties: { email }, patternProperties: { '^x': {} } },
      { anyOf: [{ properties: { email }, additionalProperties: false }, { required: ['phone'] }] },
    ]
    for (const [index, schema] of open.entries()) {
      const input = { name: `open-${index}`, schema, unique: ['phone'] }
      const { status, text } = await call('POST /collections', input)
      assert.equal(status, 201, text)
    }
  })

  test('PATCH refuses such a field name too, by the new schema', async () => {
    const { call } = await newProject()
    await call('POST /collections', { name: 'closing', schema: closed, unique: ['email'] })
    const change = (body: object) => call('PATCH /collections/closing', body)
    const refused = await change({ indexes: ['emali'] })
    assert.equal(refused.status, 422)
    assert.match(refused.body.errors[0].message, /Did you mean email\?$/)
    const { properties } = closed
    const schema = { ...closed, properties: { ...properties, emali: { type: 'string' } } }
    assert.equal((await change({ schema, indexes: ['emali'] })).status, 200)
    assert.equal((await change({ schema: closed })).status, 200)
  })

  test('normalizes field names: quotes only where needed, no leading data.', async () => {
    const { call } = await newProject()
    const indexes = [
      '"age"',
      'data.created_at',
      'address."zip code"',
      'data.data.x',
      'größe',
      'age',
    ]
    const { body } = await call('POST /collections', { name: 'a', indexes })
    const written = ['age', 'created_at', 'address."zip code"', 'data.data.x', 'größe']
    assert.deepEqual(body.indexes, written)
  })

  test('refuses a name that is not a slug: 422', async () => {
    const { call } = await newProject()
    for (const name of ['', 'A', '-a', 'a-', 'a b', 'a/b', 'a'.repeat(65), 'ü']) {
      const answer = await call('POST /collections', { name })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], name)
    }
  })

  test('refuses wrong fields and a wrong schema in one reply, each with its path', async () => {
    const { call } = await newProject()
    const schema = { type: 'nothing', $ref: 'https://example.com/schema.json' }
    const input = { name: 'a', schema, indexes: ['a b', 'ok'], unique: ['a..b'] }
    const { status, body } = await call('POST /collections', input)
    assert.equal(status, 422)
    const paths = body.errors.map(({ path }: { path: string }) => path)
    assert.ok(paths.includes('/indexes/0') && paths.includes('/unique/0'), String(paths))
    assert.ok(
      paths.some((path: string) => path.startsWith('/schema')),
      String(paths),
    )
  })

  test('refuses a name that exists: 409 collection_name_taken', async () => {
    const { call } = await newProject()
    await call('POST /collections', { name: 'a' })
    const answer = await call('POST /collections', { name: 'a' })
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'collection_name_taken'])
  })

  test('accepts the same name in two projects', async () => {
    for (const { call } of [await newProject(), await newProject()]) {
      assert.equal((await call('POST /collections', { name: 'same' })).status, 201)
    }
  })

  test('never exceeds the plan limit with concurrent requests', async () => {
    const { call } = await newProject('free')
    const asked = Array.from({ length: 30 }, (_, n) => call('POST /collections', { name: `c${n}` }))
    const answers = await Promise.all(asked)
    const made = answers.filter(({ status }) => status === 201)
    assert.equal(made.length, plans.free.collections_max)
    for (const answer of answers) {
      if (answer.status === 201) continue
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'collection_limit_reached'])
    }
  })

  test('creates one collection for concurrent requests with the same name', async () => {
    const { call } = await newProject()
    const asked = Array.from({ length: 8 }, () => call('POST /collections', { name: 'one' }))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [201, 409, 409, 409, 409, 409, 409, 409])
  })
})

suite('GET /collections', () => {
  test('returns pages, newest first', async () => {
    const { call } = await newProject()
    for (const name of ['a', 'b', 'c']) await call('POST /collections', { name })
    const first = await call('GET /collections?limit=2')
    const names = ({ body }: Answer) => body.data.map(({ name }: { name: string }) => name)
    assert.deepEqual(names(first), ['c', 'b'])
    const second = await call(`GET /collections?limit=2&cursor=${first.body.next_cursor}`)
    assert.deepEqual([names(second), second.body.next_cursor], [['a'], null])
  })

  test('returns to a limited key only the collections it may use', async () => {
    const { call, project_id } = await newProject()
    for (const name of ['a', 'b', 'c']) await call('POST /collections', { name })
    const key = await limitedKey(project_id, ['a', 'c', 'gone'])
    const { body } = await runtime.call('GET /collections', { key })
    assert.deepEqual(
      body.data.map(({ name }: { name: string }) => name),
      ['c', 'a'],
    )
    const nothing = await runtime.call('GET /collections', {
      key: await limitedKey(project_id, []),
    })
    assert.deepEqual(nothing.body, { data: [], next_cursor: null })
  })
})

function limitedKey(project_id: string, collections: string[]): Promise<string> {
  const access = { sites: [], apps: [], collections, limited_by: 'api_key' as const }
  return runtime.newKey({ project_id, access })
}

suite('a limited key', () => {
  test('may use its own collections', async () => {
    const { call, project_id } = await newProject()
    await call('POST /collections', { name: 'mine' })
    const key = await limitedKey(project_id, ['mine'])
    assert.equal((await runtime.call('GET /collections/mine', { key })).status, 200)
    const made = await runtime.call('POST /collections/mine/documents', { key, body: { a: 1 } })
    assert.equal(made.status, 201)
    const one = await runtime.call(`GET /collections/mine/documents/${made.body.id}`, { key })
    assert.equal(one.status, 200)
  })

  test('gets 403 forbidden for other collections, with the names of its own', async () => {
    const { call, project_id } = await newProject()
    await call('POST /collections', { name: 'other' })
    const key = await limitedKey(project_id, ['mine', 'ours'])
    const id = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    const operations = [{ op: 'create', data: {} }]
    const asked: [string, unknown?][] = [
      ['GET /collections/other'],
      ['PATCH /collections/other', { title: 'x' }],
      ['DELETE /collections/other'],
      ['POST /collections/other/documents', {}],
      ['PUT /collections/other/documents?by=a', {}],
      ['POST /collections/other/documents/batch', { operations }],
      [`GET /collections/other/documents/${id}`],
      [`PUT /collections/other/documents/${id}`, {}],
      [`PATCH /collections/other/documents/${id}`, {}],
      [`DELETE /collections/other/documents/${id}`],
      ['GET /collections/that-is-not-there'],
    ]
    for (const [route, body] of asked) {
      const answer = await runtime.call(route, { key, ...(body ? { body } : {}) })
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'], route)
      assert.match(answer.body.user_message, /mine, ours/)
    }
  })

  test('may not create collections', async () => {
    const { project_id } = await newProject()
    const key = await limitedKey(project_id, ['mine'])
    const answer = await runtime.call('POST /collections', { key, body: { name: 'mine' } })
    assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
  })
})

suite('PATCH /collections/{name}', () => {
  test('changes the given settings and no others', async () => {
    const { call } = await newProject()
    const { body: before } = await call('POST /collections', { name: 'a', schema: people })
    runtime.passes('1 second')
    const { status, body } = await call('PATCH /collections/a', { title: 'New', public_read: true })
    assert.equal(status, 200)
    const { misfits, updated_at, ...after } = body
    assert.equal(misfits, null)
    assert.ok(updated_at > before.updated_at)
    const read = await call('GET /collections/a')
    assert.deepEqual({ ...read.body, misfits }, body)
    assert.deepEqual(
      { ...after, updated_at },
      { ...before, updated_at, title: 'New', public_read: true },
    )
  })

  test('counts the documents that no longer match the schema and returns the first 20', async () => {
    const { call } = await newProject()
    await call('POST /collections', { name: 'a' })
    const data = (n: number) => (n % 2 ? { name: `n${n}` } : { age: n })
    const operations = Array.from({ length: 60 }, (_, n) => ({ op: 'create', data: data(n) }))
    const made = await call('POST /collections/a/documents/batch', { operations })
    const { body } = await call('PATCH /collections/a', { schema: people })
    assert.equal(body.misfits.count, 30)
    assert.equal(body.misfits.first.length, 20)
    const unfit = made.body.results.filter((_: unknown, n: number) => n % 2 === 0)
    assert.deepEqual(
      body.misfits.first.map(({ id }: { id: string }) => id),
      unfit.slice(0, 20).map(({ id }: { id: string }) => id),
    )
    assert.match(JSON.stringify(body.misfits.first[0].errors), /name/)
  })

  test('keeps documents that do not match; their next change must match', async () => {
    const { call } = await newProject()
    await call('POST /collections', { name: 'a' })
    const { body: made } = await call('POST /collections/a/documents', { age: 3 })
    await call('PATCH /collections/a', { schema: people })
    const route = `/collections/a/documents/${made.id}`
    assert.deepEqual((await call(`GET ${route}`)).body.data, { age: 3 })
    const refused = await call(`PATCH ${route}`, { age: 4 })
    assert.deepEqual([refused.status, slugOf(refused)], [422, 'schema_mismatch'])
    assert.equal((await call(`PATCH ${route}`, { name: 'Anna' })).status, 200)
  })

  test('returns the same reply with dry_run and changes nothing', async () => {
    const { call } = await newProject()
    const { body: before } = await call('POST /collections', { name: 'a' })
    await call('POST /collections/a/documents', { age: 3 })
    const change = { schema: people, indexes: ['age'] }
    const dry = await call('PATCH /collections/a?dry_run=true', change)
    assert.equal(dry.status, 200)
    assert.equal(dry.body.misfits.count, 1)
    assert.deepEqual(dry.body.indexes, ['age'])
    const still = await call('GET /collections/a')
    assert.deepEqual(still.body, { ...before, document_count: 1, bytes: 9 })
    const { misfits } = (await call('PATCH /collections/a', change)).body
    assert.deepEqual(misfits, dry.body.misfits)
  })

  test('indexes existing documents when a field becomes indexed', async () => {
    const { call, project_id } = await newProject()
    await call('POST /collections', { name: 'a', indexes: ['gone'] })
    for (const age of [3, 4]) await call('POST /collections/a/documents', { age })
    await call('PATCH /collections/a', { indexes: ['age'], unique: ['name'] })
    const keys = await db
      .selectFrom('document_keys')
      .select('field')
      .where('project_id', '=', project_id)
      .orderBy('field')
      .execute()
    assert.deepEqual(
      keys.map(({ field }) => field),
      ['age', 'age', 'name', 'name'],
    )
  })

  test('refuses a unique field with duplicate values, with examples, and changes nothing', async () => {
    const { call } = await newProject()
    await call('POST /collections', { name: 'a' })
    for (const name of ['x', 'y', 'x', null, null]) {
      await call('POST /collections/a/documents', { name })
    }
    const change = { unique: ['other', 'name'], title: 'Changed' }
    for (const route of ['PATCH /collections/a?dry_run=true', 'PATCH /collections/a']) {
      const answer = await call(route, change)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
      assert.equal(answer.body.errors.length, 1)
      assert.equal(answer.body.errors[0].path, '/unique/1')
      assert.match(answer.body.errors[0].message, /shared by the documents [0-9a-f-]{36} and/)
    }
    const { body } = await call('GET /collections/a')
    assert.deepEqual([body.title, body.unique], ['a', []])
  })

  test('enforces uniqueness from the change on', async () => {
    const { call } = await newProject()
    await call('POST /collections', { name: 'a' })
    await call('POST /collections/a/documents', { name: 'x' })
    await call('PATCH /collections/a', { unique: ['name'] })
    const answer = await call('POST /collections/a/documents', { name: 'x' })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'schema_mismatch'])
    await call('PATCH /collections/a', { unique: [] })
    assert.equal((await call('POST /collections/a/documents', { name: 'x' })).status, 201)
  })

  test('refuses an empty change and a change of the name', async () => {
    const { call } = await newProject()
    await call('POST /collections', { name: 'a' })
    for (const change of [{}, { name: 'b' }]) {
      const answer = await call('PATCH /collections/a', change)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
    }
  })
})

suite('DELETE /collections/{name}', () => {
  test('deletes an empty collection', async () => {
    const { call } = await newProject()
    await call('POST /collections', { name: 'a' })
    assert.equal((await call('DELETE /collections/a')).status, 204)
    assert.equal((await call('GET /collections/a')).status, 404)
    assert.equal((await call('DELETE /collections/a')).status, 404)
  })

  test('requires confirm for a collection with documents, and reports how many would be lost', async () => {
    const { call } = await newProject()
    await call('POST /collections', { name: 'a' })
    await call('POST /collections/a/documents', { n: 1 })
    for (const route of ['DELETE /collections/a', 'DELETE /collections/a?confirm=b']) {
      const answer = await call(route)
      assert.deepEqual([answer.status, slugOf(answer)], [409, 'confirmation_required'])
      assert.match(answer.body.detail, /1 document \(7 bytes\)/)
    }
    assert.equal((await call('DELETE /collections/a?confirm=a')).status, 204)
  })

  test('deletes all rows of the collection and subtracts its bytes from the plan usage', async () => {
    const { call, project_id } = await newProject()
    await call('POST /collections', { name: 'a', indexes: ['n'] })
    await call('POST /collections', { name: 'b' })
    for (const name of ['a', 'b']) await call(`POST /collections/${name}/documents`, { n: 1 })
    await call('DELETE /collections/a?confirm=a')
    const { rows } = await sql<Record<string, unknown>>`
      select (select bytes from data_usage where project_id = ${project_id})::integer as bytes,
        (select count(*) from documents where project_id = ${project_id})::integer as documents,
        (select count(*) from document_keys where project_id = ${project_id})::integer as keys,
        (select count(*) from document_changes where project_id = ${project_id})::integer as changes
    `.execute(db)
    assert.deepEqual(rows, [{ bytes: 7, documents: 1, keys: 0, changes: 1 }])
  })
})
