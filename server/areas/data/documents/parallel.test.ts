/** Concurrent writers: unique fields, limits and counts stay exact. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { limits } from '../../../contract/limits.ts'
import { plans } from '../../../contract/plans.ts'
import {
  auditDocuments,
  newFixture,
  slugOf,
  type TestCollection,
} from '../../../../test/fixtures/data/data.ts'

const { newCollection, runtime } = await newFixture()
const { db } = runtime.runtime
const WRITERS = 32

function writers<T>(work: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: WRITERS }, (_, n) => work(n)))
}

/** Sets the stored document count of a collection. */
async function pretendCount({ project_id }: TestCollection, document_count: number) {
  await db.transact((tx) =>
    tx
      .updateTable('collections')
      .set({ document_count })
      .where('project_id', '=', project_id)
      .execute(),
  )
}

/** Sets the stored data usage of a project. */
async function pretendUsage({ project_id }: TestCollection, bytes: number) {
  await db.transact((tx) =>
    tx
      .insertInto('data_usage')
      .values({ project_id, bytes: BigInt(bytes) })
      .onConflict((row) => row.column('project_id').doUpdateSet({ bytes: BigInt(bytes) }))
      .execute(),
  )
}

async function usageOf({ project_id }: TestCollection): Promise<number> {
  const row = await db
    .selectFrom('data_usage')
    .select('bytes')
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return Number(row.bytes)
}

suite('a unique field', () => {
  test('accepts one document of 32 concurrent writers with the same value', async () => {
    const { call, project_id } = await newCollection({ unique: ['email'] })
    for (const email of ['a@b.c', 7, true, '', 'x'.repeat(5000)]) {
      const answers = await writers((n) => call('POST /documents', { email, n }))
      assert.equal(answers.filter(({ status }) => status === 201).length, 1)
      const refused = answers.filter(({ status }) => status !== 201)
      for (const answer of refused) {
        assert.deepEqual([answer.status, slugOf(answer)], [422, 'schema_mismatch'])
        const errors = [{ path: '/email', message: 'Another document already has this value.' }]
        assert.deepEqual(answer.body.errors, errors)
      }
    }
    await auditDocuments(runtime, project_id)
  })

  test('is enforced among concurrent creates, patches, upserts and batches', async () => {
    const { call, project_id } = await newCollection({ unique: ['k'] })
    const { body: one } = await call('POST /documents', {})
    const ways = [
      (n: number) => call('POST /documents', { k: 'v', n }),
      (n: number) => call(`PATCH /documents/${one.id}`, { k: 'v', n }),
      (n: number) =>
        call('POST /documents/batch', { operations: [{ op: 'create', data: { k: 'v', n } }] }),
      (n: number) => call('PUT /documents?by=k', { k: 'v', n }),
    ]
    await writers((n) => ways[n % ways.length]!(n))
    const rows = await db
      .selectFrom('documents')
      .select('data')
      .where('project_id', '=', project_id)
      .execute()
    const holding = rows.filter(({ data }) => JSON.stringify(data).includes('"k":"v"'))
    assert.equal(holding.length, 1)
    await auditDocuments(runtime, project_id)
  })

  test('distinguishes types and allows any number of null or missing values', async () => {
    const { call } = await newCollection({ unique: ['k'] })
    for (const data of [{ k: 1 }, { k: '1' }, { k: true }, { k: 'true' }, { k: null }, { k: null }])
      assert.equal((await call('POST /documents', data)).status, 201, JSON.stringify(data))
    for (const data of [{}, {}, { k: [1] }, { k: [1] }, { k: 1.5 }])
      assert.equal((await call('POST /documents', data)).status, 201, JSON.stringify(data))
    for (const raw of ['{"k":1.0}', '{"k":10e-1}', '{"k":"\\u0031"}'])
      assert.equal((await call('POST /documents', undefined, { raw })).status, 422, raw)
  })
})

suite('the document limit of a collection', () => {
  test('is not exceeded by 32 concurrent writers', async () => {
    const collection = await newCollection()
    await pretendCount(collection, limits.documents_per_collection_max - 10)
    const answers = await writers((n) => collection.call('POST /documents', { n }))
    assert.equal(answers.filter(({ status }) => status === 201).length, 10)
    const refused = answers.find(({ status }) => status !== 201)
    assert.ok(refused)
    assert.deepEqual([refused.status, slugOf(refused)], [422, 'document_limit_reached'])
    const { body } = await collection.call('GET ')
    assert.equal(body.document_count, limits.documents_per_collection_max)
  })

  test('counts deletes within a batch', async () => {
    const collection = await newCollection()
    const { body: one } = await collection.call('POST /documents', {})
    await pretendCount(collection, limits.documents_per_collection_max)
    const create = { op: 'create', data: {} }
    const remove = { op: 'delete', id: one.id }
    const batch = (operations: object[]) => collection.call('POST /documents/batch', { operations })
    assert.equal(slugOf(await batch([create, remove])), 'document_limit_reached')
    assert.equal((await batch([remove, create])).status, 200)
  })

  test('is reached exactly with real documents', async () => {
    const { call, project_id } = await newCollection()
    const operations = Array.from({ length: 500 }, (_, n) => ({ op: 'create', data: { n } }))
    for (let n = 0; n < 20; n += 1) await call('POST /documents/batch', { operations })
    assert.equal((await call('GET ')).body.document_count, 10_000)
    assert.equal(slugOf(await call('POST /documents', {})), 'document_limit_reached')
    await auditDocuments(runtime, project_id)
    assert.equal((await call('DELETE ?confirm=c')).status, 204)
  })
})

suite('the storage limit of the plan', () => {
  const bytes_max = plans.free.data_bytes_max

  test('is not exceeded by 32 concurrent writers in two collections: 409 plan_limit_reached', async () => {
    const collection = await newCollection({}, 'free')
    await collection.callProject('POST /collections', { name: 'other' })
    const data = { text: 'x'.repeat(1000 - '{"text":""}'.length) }
    await pretendUsage(collection, bytes_max - 10_500)
    const answers = await writers((n) =>
      collection.callProject(`POST /collections/${n % 2 ? 'c' : 'other'}/documents`, data),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 10)
    const refused = answers.find(({ status }) => status !== 201)
    assert.ok(refused)
    assert.deepEqual([refused.status, slugOf(refused)], [409, 'plan_limit_reached'])
    assert.equal(await usageOf(collection), bytes_max - 500)
  })

  test('still accepts a smaller document after a larger one was refused', async () => {
    const collection = await newCollection({}, 'free')
    await pretendUsage(collection, bytes_max - 100)
    const large = { op: 'create', data: { text: 'x'.repeat(200) } }
    const small = { op: 'create', data: { n: 1 } }
    const operations = [large, small, large, small]
    const { body } = await collection.call('POST /documents/batch', {
      operations,
      each_alone: true,
    })
    assert.deepEqual(
      body.results.map(({ error }: { error: { type: string } | null }) => error?.type ?? null),
      ['plan_limit_reached', null, 'plan_limit_reached', null],
    )
    const whole = await collection.call('POST /documents/batch', { operations })
    assert.deepEqual([whole.status, slugOf(whole)], [409, 'plan_limit_reached'])
    assert.equal(await usageOf(collection), bytes_max - 100 + 14)
  })

  test('refuses growth beyond it, and accepts smaller replacements and deletes', async () => {
    const collection = await newCollection({}, 'free')
    const { call } = collection
    const { body: one } = await call('POST /documents', { text: 'long enough' })
    await pretendUsage(collection, bytes_max + 5000)
    const route = `/documents/${one.id}`
    assert.equal(slugOf(await call(`PUT ${route}`, { text: 'x'.repeat(50) })), 'plan_limit_reached')
    assert.equal((await call(`PUT ${route}`, { text: 'short' })).status, 200)
    assert.equal((await call(`DELETE ${route}`)).status, 204)
    assert.equal(await usageOf(collection), bytes_max + 5000 - 22)
  })

  test('refuses a first document that is larger than the limit', async () => {
    const collection = await newCollection({}, 'free')
    const data = { text: 'x'.repeat(60_000) }
    const operations = Array.from({ length: 170 }, () => ({ op: 'create', data }))
    const body = { operations, each_alone: true }
    const first = await collection.call('POST /documents/batch', {
      ...body,
      operations: operations.slice(1),
    })
    assert.equal(first.status, 200)
    const answer = await collection.call('POST /documents/batch', body)
    const done = answer.body.results.filter(({ error }: { error: unknown }) => error === null)
    assert.equal(169 + done.length, Math.floor(bytes_max / 60_011))
    await auditDocuments(runtime, collection.project_id)
  })
})

suite('concurrent writers', () => {
  test('leave exact counts, bytes and keys after writes of every kind', async () => {
    const { call, project_id } = await newCollection({ indexes: ['n'], unique: ['k'] })
    const ids = await writers(async (k) => (await call('POST /documents', { k })).body.id)
    const ways = [
      (n: number) => call('POST /documents', { k: n % 8, n }),
      (n: number) => call(`PATCH /documents/${ids[(n * 7) % WRITERS]}`, { n }),
      (n: number) => call(`PUT /documents/${ids[(n * 5) % WRITERS]}`, { k: n % 40 }),
      (n: number) => call(`DELETE /documents/${ids[(n * 3) % WRITERS]}`),
      (n: number) => call('PUT /documents?by=k', { k: n % 4, n }),
      (n: number) =>
        call('POST /documents/batch', {
          each_alone: true,
          operations: [
            { op: 'create', data: { k: n } },
            { op: 'delete', id: ids[n % WRITERS] },
          ],
        }),
    ]
    for (let round = 0; round < 4; round += 1) {
      const answers = await writers((n) => ways[(n + round) % ways.length]!(n + round * 3))
      for (const { status, text } of answers) assert.ok(status < 500, text)
    }
    await auditDocuments(runtime, project_id)
  })

  test('leave complete keys while the indexed fields of the collection change', async () => {
    const { call, project_id } = await newCollection()
    const settings = [{ indexes: ['n'] }, { indexes: ['n', 'm'], unique: ['n'] }, { unique: [] }]
    const changes = async () => {
      for (const change of settings) await call('PATCH ', change)
    }
    await Promise.all([changes(), writers((n) => call('POST /documents', { n, m: n }))])
    await auditDocuments(runtime, project_id)
  })

  test('get 201 or 404 while the collection is deleted, and leave no rows', async () => {
    const collection = await newCollection()
    const { call } = collection
    await call('POST /documents', {})
    const [removed, answers] = await Promise.all([
      call('DELETE ?confirm=c'),
      writers((n) => call('POST /documents', { n })),
    ])
    assert.equal(removed.status, 204)
    for (const { status } of answers) assert.ok([201, 404].includes(status))
    assert.equal(await usageOf(collection), 0)
  })
})
