/** Batches over HTTP: atomic, with each_alone, and equal to single operations. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../../test/fixtures/depth.ts'
import { limits } from '../../../contract/limits.ts'
import { auditDocuments, newFixture, slugOf } from '../../../../test/fixtures/data/data.ts'

const { newCollection, runtime } = await newFixture()
const UNKNOWN_ID = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
const counted = { type: 'object', properties: { n: { type: 'integer' } } }

/** All rows that the database has of a project, with every column. */
async function everythingOf(project_id: string): Promise<string> {
  const { db } = runtime.runtime
  const of = (table: 'collections' | 'documents' | 'document_keys' | 'document_changes') =>
    db.selectFrom(table).selectAll().where('project_id', '=', project_id).execute()
  const rows = await Promise.all([
    of('collections'),
    of('documents'),
    of('document_keys'),
    of('document_changes'),
  ])
  const text = (value: unknown) =>
    JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))
  return rows.map((table) => table.map(text).toSorted().join('\n')).join('\n\n')
}

suite('POST /collections/{name}/documents/batch', () => {
  test('creates, replaces, patches and deletes, in order', async () => {
    const { call, project_id } = await newCollection({ indexes: ['n'], schema: counted })
    const ids = await Promise.all(
      [1, 2, 3].map(async (n) => (await call('POST /documents', { n, kept: n })).body.id),
    )
    const [a, b, c] = ids
    const { status, body } = await call('POST /documents/batch', {
      operations: [
        { op: 'create', data: { n: 10 } },
        { op: 'replace', id: a, data: { n: 11 } },
        { op: 'patch', id: b, data: { n: 12 }, version: 1 },
        { op: 'patch', id: b, data: { n: 13 }, version: 2 },
        { op: 'delete', id: c },
      ],
    })
    assert.equal(status, 200)
    const error = null
    assert.deepEqual(body.results, [
      { op: 'create', id: body.results[0].id, version: 1, error },
      { op: 'replace', id: a, version: 2, error },
      { op: 'patch', id: b, version: 2, error },
      { op: 'patch', id: b, version: 3, error },
      { op: 'delete', id: c, version: null, error },
    ])
    const read = async (id: string) => (await call(`GET /documents/${id}`)).body?.data
    assert.deepEqual(await read(body.results[0].id), { n: 10 })
    assert.deepEqual(await read(a), { n: 11 })
    assert.deepEqual(await read(b), { n: 13, kept: 2 })
    assert.equal(await read(c), undefined)
    await auditDocuments(runtime, project_id)
  })

  test('changes nothing and returns every error if one operation fails', async () => {
    const { call, project_id } = await newCollection({ schema: counted, unique: ['k'] })
    const { body: one } = await call('POST /documents', { n: 1, k: 'taken' })
    const before = await everythingOf(project_id)
    const answer = await call('POST /documents/batch', {
      operations: [
        { op: 'create', data: { n: 2 } },
        { op: 'patch', id: one.id, data: { n: 3 } },
        { op: 'create', data: { n: 'x' } },
        { op: 'create', data: { k: 'taken' } },
        { op: 'delete', id: UNKNOWN_ID },
      ],
    })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'schema_mismatch'])
    assert.match(answer.body.detail, /^Nothing was changed\. Operation 2: /)
    assert.deepEqual(
      answer.body.errors.map(({ path }: { path: string }) => path),
      ['/operations/2/data/n', '/operations/3/data/k', '/operations/4'],
    )
    assert.equal(await everythingOf(project_id), before)
  })

  test('refuses, with each_alone, only the values that PostgreSQL cannot store', async () => {
    const { call, project_id } = await newCollection()
    const raw = (each_alone: boolean) =>
      `{"each_alone":${each_alone},"operations":[{"op":"create","data":{"a":"x\\u0000"}},` +
      '{"op":"create","data":{"a":1}},{"op":"create","data":{"a":[{"b":1e999}]}},' +
      '{"op":"create","data":{"a\\ud800":2}}]}'
    const headers = { 'content-type': 'application/json' }
    const send = (body: string) => call('POST /documents/batch', undefined, { raw: body, headers })
    const { status, body, text } = await send(raw(true))
    assert.equal(status, 200, text)
    const types = body.results.map(({ error }: { error: { type: string } | null }) => error?.type)
    assert.deepEqual(types, ['schema_mismatch', undefined, 'schema_mismatch', 'schema_mismatch'])
    assert.deepEqual(body.results[2].error.errors, [
      { path: '/a/0/b', message: 'is a number that would be rounded; send it as a string' },
    ])
    const whole = await send(raw(false))
    assert.deepEqual([whole.status, slugOf(whole)], [422, 'validation_failed'])
    const outside = await send(raw(true).replace('"op":"create"', '"op":"\\u0000"'))
    assert.deepEqual([outside.status, slugOf(outside)], [422, 'validation_failed'])
    assert.equal((await call('GET /documents')).body.data.length, 1)
    await auditDocuments(runtime, project_id)
  })

  test('executes, with each_alone, the valid operations; the others get an error', async () => {
    const { call, project_id } = await newCollection({ schema: counted })
    const { body: one } = await call('POST /documents', { n: 1 })
    const { status, body } = await call('POST /documents/batch', {
      each_alone: true,
      operations: [
        { op: 'create', data: { n: 'x' } },
        { op: 'patch', id: one.id, data: { n: 2 }, version: 5 },
        { op: 'patch', id: one.id, data: { n: 3 } },
        { op: 'delete', id: UNKNOWN_ID },
        { op: 'create', data: { a: 'b'.repeat(limits.document_bytes_max) } },
        { op: 'create', data: { n: 4 } },
      ],
    })
    assert.equal(status, 200)
    assert.deepEqual(
      body.results.map(({ error }: { error: { type: string } | null }) => error?.type ?? null),
      ['schema_mismatch', 'version_conflict', null, 'not_found', 'document_too_large', null],
    )
    assert.equal(body.results[0].error.errors[0].path, '/n')
    assert.equal((await call('GET ')).body.document_count, 2)
    await auditDocuments(runtime, project_id)
  })

  test('checks concurrent batches separately; a refused batch writes nothing', async () => {
    const { call, project_id } = await newCollection({ unique: ['n'], schema: counted })
    const batches = Array.from({ length: 24 }, (_, batch) => {
      const numbers = Array.from({ length: 20 }, (__, n) => batch * 20 + n)
      // The last operation violates the schema in every third batch, and a unique field in every
      // fourth.
      const last = batch % 3 === 0 ? { n: 'none' } : batch % 4 === 0 ? { n: batch * 20 } : {}
      return {
        is_whole: batch % 3 !== 0 && batch % 4 !== 0,
        data: [...numbers.map((n) => ({ n })), last],
      }
    })
    const answers = await Promise.all(
      batches.map(({ data }) =>
        call('POST /documents/batch', {
          operations: data.map((one) => ({ op: 'create', data: one })),
        }),
      ),
    )
    for (const [index, { is_whole }] of batches.entries()) {
      assert.equal(answers[index]!.status, is_whole ? 200 : 422)
    }
    const whole = batches.filter(({ is_whole }) => is_whole).length
    const { body } = await call('GET ')
    assert.equal(body.document_count, whole * 21)
    await auditDocuments(runtime, project_id)
  })

  test('accepts 500 operations and refuses 501', async () => {
    const { call, project_id } = await newCollection({ indexes: ['n'] })
    const operations = Array.from({ length: 501 }, (_, n) => ({ op: 'create', data: { n } }))
    const over = await call('POST /documents/batch', { operations })
    assert.deepEqual([over.status, slugOf(over)], [422, 'validation_failed'])
    const { status, body } = await call('POST /documents/batch', {
      operations: operations.slice(1),
    })
    assert.deepEqual([status, body.results.length], [200, 500])
    await auditDocuments(runtime, project_id)
  })

  test('accepts a body of 10 MB, where other routes accept 1 MB', async () => {
    const { call } = await newCollection()
    const data = { text: 'x'.repeat(60_000) }
    const operations = Array.from({ length: 100 }, () => ({ op: 'create', data }))
    assert.equal((await call('POST /documents/batch', { operations })).status, 200)
    const more = Array.from({ length: 200 }, () => ({ op: 'create', data }))
    const answer = await call('POST /documents/batch', { operations: more })
    assert.deepEqual([answer.status, slugOf(answer)], [400, 'bad_request'])
  })

  test('lets an operation use a unique value that an earlier operation released', async () => {
    const { call, project_id } = await newCollection({ unique: ['k'] })
    const [a, b, c] = await Promise.all(
      ['a', 'b', 'c'].map(async (k) => (await call('POST /documents', { k })).body.id),
    )
    const { status, text } = await call('POST /documents/batch', {
      operations: [
        { op: 'patch', id: a, data: { k: 'free' } },
        { op: 'patch', id: b, data: { k: 'a' } },
        { op: 'delete', id: c },
        { op: 'create', data: { k: 'c' } },
        { op: 'patch', id: a, data: { k: 'b' } },
      ],
    })
    assert.equal(status, 200, text)
    assert.equal((await call(`GET /documents/${a}`)).body.data.k, 'b')
    const taken = await call('POST /documents', { k: 'a' })
    assert.equal(taken.status, 422)
    assert.equal((await call('POST /documents', { k: 'free' })).status, 201)
    await auditDocuments(runtime, project_id)
  })

  test('lets an operation use a unique value of a document deleted in the same batch', async () => {
    const { call, project_id } = await newCollection({ unique: ['k'] })
    const { body: one } = await call('POST /documents', { k: 1 })
    await call('POST /documents/batch', {
      operations: [
        { op: 'delete', id: one.id },
        { op: 'create', data: { k: 1 } },
      ],
    })
    assert.equal((await call('GET ')).body.document_count, 1)
    await auditDocuments(runtime, project_id)
  })

  test('refuses operations with a wrong member or type, each with its path', async () => {
    const { call } = await newCollection()
    const faulty = [
      { op: 'create' },
      { op: 'patch', data: {} },
      { op: 'replace', id: 'x', data: {} },
      { op: 'delete', id: UNKNOWN_ID, data: {} },
      { op: 'other' },
      { op: 'create', data: [] },
    ]
    for (const operation of faulty) {
      const answer = await call('POST /documents/batch', { operations: [operation] })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
      assert.match(answer.body.errors[0].path, /^\/operations\/0/)
    }
  })

  test('reports the errors of the operation named by op, and lists the known ones for an unknown op', async () => {
    const { call } = await newCollection()
    const detailOf = async (operation: object) => {
      const answer = await call('POST /documents/batch', { operations: [operation] })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
      return answer.body.detail
    }
    const id = UNKNOWN_ID
    const at = '/operations/0'
    assert.equal(await detailOf({ op: 'delete', id, version: 0 }), `${at}/version must be >= 1.`)
    assert.equal(await detailOf({ op: 'patch', id }), `${at}/data is required.`)
    const names = '"create","replace","patch","delete"'
    assert.equal(await detailOf({ op: 'x', id }), `${at}/op must be one of ${names}.`)
    assert.equal(await detailOf({ id }), `${at}/op is required, one of ${names}.`)
  })
})

const value = fc.constantFrom('a', 'b', 'c', 1, null)
const data = fc.record({ k: value, n: fc.oneof(fc.nat(3), fc.constant('no integer')) }, {})
const step = fc.oneof(
  fc.record({ op: fc.constant('create' as const), data }),
  fc.record({ op: fc.constantFrom('replace' as const, 'patch' as const), at: fc.nat(6), data }),
  fc.record({ op: fc.constant('delete' as const), at: fc.nat(6) }),
)

test('a batch leaves the same documents as its operations executed one by one', async () => {
  const settings = { schema: counted, unique: ['k'], indexes: ['n', 'k'] }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const left = await newCollection(settings)
      const right = await newCollection(settings)
      const seeds = [{ k: 'a' }, { k: 'b', n: 1 }, { n: 2 }, {}]
      const idsOf = async ({ call }: typeof left) => {
        const ids: string[] = []
        for (const seed of seeds) ids.push((await call('POST /documents', seed)).body.id)
        return [...ids, UNKNOWN_ID]
      }
      const [leftIds, rightIds] = [await idsOf(left), await idsOf(right)]
      const operations = steps.map((one) =>
        'at' in one ? { ...one, at: undefined, id: leftIds[one.at % leftIds.length] } : one,
      )
      const { body } = await left.call('POST /documents/batch', { operations, each_alone: true })
      const said: unknown[] = []
      for (const one of steps) {
        const id = 'at' in one ? rightIds[one.at % rightIds.length] : ''
        const method = { create: 'POST', replace: 'PUT', patch: 'PATCH', delete: 'DELETE' }[one.op]
        const path = id === '' ? '/documents' : `/documents/${id}`
        const answer = await right.call(`${method} ${path}`, 'data' in one ? one.data : undefined)
        said.push(answer.status < 300 ? (answer.body?.version ?? null) : slugOf(answer))
      }
      const results: { error: { type: string } | null; version: number | null }[] = body.results
      assert.deepEqual(
        results.map(({ error, version }) => error?.type ?? version),
        said,
      )
      assert.deepEqual(await contentOf(left.project_id), await contentOf(right.project_id))
      await auditDocuments(runtime, left.project_id)
      await auditDocuments(runtime, right.project_id)
    }),
    { numRuns: depth(10, 40) },
  )
})

/** The documents of a project without ids and times, oldest first. */
async function contentOf(project_id: string): Promise<unknown[]> {
  const { db } = runtime.runtime
  const rows = await db
    .selectFrom('documents')
    .select(['data', 'version', 'bytes'])
    .where('project_id', '=', project_id)
    .orderBy('id')
    .execute()
  const keys = await db
    .selectFrom('document_keys as k')
    .select(['k.field', 'k.key', 'k.digest'])
    .where('k.project_id', '=', project_id)
    .orderBy('k.document_id')
    .orderBy('k.field')
    .execute()
  return [rows, keys]
}
