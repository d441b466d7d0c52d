/** Writes to one collection from two processes: both apply its current settings and counts. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import pg from 'pg'
import {
  auditDocuments,
  callerOf,
  newFixtureOfTwo,
  slugOf,
} from '../../../../test/fixtures/data/data.ts'
import type { Answer } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'
import { plans } from '../../../contract/plans.ts'

const { runtime, other, newCollection } = await newFixtureOfTwo()
const { db } = runtime.runtime

/** Creates a collection that both processes have written to. */
async function newShared(settings: object = {}) {
  const collection = await newCollection(settings)
  const there = callerOf(other, collection.project_id)
  const add = (n: number) => collection.call('POST /documents', { n })
  const addThere = (n: number) => there('POST /collections/c/documents', { n })
  const change = (changes: object) => there('PATCH /collections/c', changes)
  for (const one of [add, addThere, add, addThere]) assert.equal((await one(0)).status, 201)
  return { ...collection, add, addThere, change }
}

const create = (n: number) => ({ op: 'create', data: { n } })
const refusalOf = (answer: Answer) => [answer.status, slugOf(answer)]

/** Returns the ids of created documents in the order of their change numbers. */
async function createdIn(project_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('document_changes')
    .select('document_ids')
    .where('project_id', '=', project_id)
    .where('kind', '=', 'created')
    .orderBy('number')
    .execute()
  return rows.flatMap(({ document_ids }) => [...document_ids])
}

suite('a new document in one process obeys a change by the other of', () => {
  test('the schema', async () => {
    const { add, change } = await newShared()
    await add(1)
    await change({ schema: { properties: { n: { maximum: 5 } } } })
    assert.deepEqual(refusalOf(await add(6)), [422, 'schema_mismatch'])
    await change({ schema: {} })
    assert.equal((await add(6)).status, 201)
  })

  test('unique fields and indexes', async () => {
    const { add, change, call, project_id } = await newShared({ schema: {} })
    const { body } = await call('GET /documents')
    for (const { id } of body.data.slice(1)) await call(`DELETE /documents/${id}`)
    await change({ indexes: ['n'] })
    assert.equal((await add(7)).status, 201)
    assert.equal((await call('GET /documents?filter=n%20%3D%207')).body.data.length, 1)
    await change({ unique: ['n'] })
    assert.deepEqual(refusalOf(await add(7)), [422, 'schema_mismatch'])
    await auditDocuments(runtime, project_id)
  })

  test('webhook_on_insert', async () => {
    const { add, change, project_id } = await newShared()
    const countEvents = async () => {
      const rows = db.selectFrom('events').select('id').where('project_id', '=', project_id)
      return (await rows.where('type', '=', 'document.created').execute()).length
    }
    const before = await countEvents()
    await add(1)
    assert.equal(await countEvents(), before)
    await change({ webhook_on_insert: true })
    await add(2)
    await add(3)
    assert.equal(await countEvents(), before + 2)
  })

  test('the plan', async () => {
    const { add, project_id } = await newShared()
    const bytes = BigInt(plans.free.data_bytes_max)
    await db.transact((tx) =>
      tx.updateTable('data_usage').set({ bytes }).where('project_id', '=', project_id).execute(),
    )
    assert.equal((await add(1)).status, 201)
    await db.transact((tx) =>
      tx.updateTable('projects').set({ plan: 'free' }).where('id', '=', project_id).execute(),
    )
    assert.deepEqual(refusalOf(await add(1)), [409, 'plan_limit_reached'])
  })

  test('a deleted collection that was recreated with the same name', async () => {
    const { add, addThere, project_id } = await newShared()
    const there = callerOf(other, project_id)
    assert.equal((await there('DELETE /collections/c?confirm=c')).status, 204)
    assert.deepEqual(refusalOf(await add(1)), [404, 'not_found'])
    assert.equal((await there('POST /collections', { name: 'c' })).status, 201)
    for (const one of [add, addThere, add]) assert.equal((await one(1)).status, 201)
    await auditDocuments(runtime, project_id)
  })
})

suite('two processes that write concurrently', () => {
  test('keep exact counts and change numbers', async () => {
    const { add, addThere, call, project_id } = await newShared({ indexes: ['n'] })
    const there = callerOf(other, project_id)
    const batch = (n: number) => ({ operations: [create(n), create(n + 1), create(n + 2)] })
    const ways = [
      add,
      addThere,
      (n: number) => call('POST /documents/batch', batch(n)),
      (n: number) => there('POST /collections/c/documents/batch', batch(n)),
    ]
    for (let round = 0; round < 6; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, n) => ways[(n * (round + 1)) % ways.length]!(n)),
      )
      for (const { status, text } of answers) assert.ok(status < 300, text)
    }
    await auditDocuments(runtime, project_id)
  })

  test('never exceed the document limit together', async () => {
    const { add, addThere, project_id } = await newShared()
    const document_count = limits.documents_per_collection_max - 10
    await db.transact((tx) =>
      tx
        .updateTable('collections')
        .set({ document_count })
        .where('project_id', '=', project_id)
        .execute(),
    )
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, n) => (n % 2 ? add(n) : addThere(n))),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 10)
    for (const answer of answers)
      if (answer.status !== 201)
        assert.deepEqual(refusalOf(answer), [422, 'document_limit_reached'])
  })
})

test('leave database connections for other requests while they wait for a locked collection', async () => {
  const { call, project_id } = await newCollection()
  const locker = new pg.Client(runtime.connection)
  await locker.connect()
  await locker.query('begin')
  await locker.query('select from collections where project_id = $1 for update', [project_id])
  const writes = Promise.all(Array.from({ length: 15 }, (_, n) => call('POST /documents', { n })))
  assert.equal((await call('GET /documents')).status, 200)
  await locker.query('rollback')
  await locker.end()
  for (const { status, text } of await writes) assert.equal(status, 201, text)
  await auditDocuments(runtime, project_id)
})

suite('concurrent batches', () => {
  const hundred = (first: number) => ({
    operations: Array.from({ length: 100 }, (_, at) => create(first + at)),
  })
  type Ask = (n: number) => Promise<Answer>
  const askAll = (count: number, asks: readonly Ask[]) =>
    Promise.all(Array.from({ length: count }, (_, n) => asks[n % asks.length]!(100 * n)))
  const idsOf = (answers: readonly Answer[]): string[] =>
    answers.flatMap(({ status, body }) =>
      status === 200 ? body.results.map(({ id }: { id: string }) => id) : [],
    )

  test('keep exact counts and number changes in the order of ids', async () => {
    const { call, project_id } = await newCollection({ indexes: ['n'] })
    await call('POST /documents', { n: 0 })
    const answers = await askAll(20, [(n) => call('POST /documents/batch', hundred(n))])
    for (const { status, text } of answers) assert.equal(status, 200, text)
    await auditDocuments(runtime, project_id)
    const ids = await createdIn(project_id)
    assert.deepEqual(ids.slice(1).toSorted(), idsOf(answers).toSorted())
    assert.deepEqual(ids, ids.toSorted())
  })

  test('keep exact counts while another process writes and changes the collection', async () => {
    const { call, addThere, change, project_id } = await newShared()
    const there = callerOf(other, project_id)
    const asks: Ask[] = [
      (n) => call('POST /documents/batch', hundred(n)),
      (n) => call('POST /documents/batch', hundred(n)),
      (n) => call('POST /documents/batch', hundred(n)),
      (n) => there('POST /collections/c/documents/batch', hundred(n)),
      (n) => addThere(n),
      (n) => change({ indexes: n % 1000 ? ['n'] : [] }),
    ]
    const answers = await askAll(72, asks)
    for (const { status, text } of answers) assert.ok(status < 300, text)
    await auditDocuments(runtime, project_id)
    const ids = await createdIn(project_id)
    const batches = answers.filter(({ body }) => 'results' in body)
    assert.equal(batches.length, 48)
    const known = new Set(ids)
    assert.ok(idsOf(batches).every((id) => known.has(id)))
  })

  test('never exceed the document limit', async () => {
    const { call, project_id } = await newShared()
    const document_count = limits.documents_per_collection_max - 1550
    await db.transact((tx) =>
      tx
        .updateTable('collections')
        .set({ document_count })
        .where('project_id', '=', project_id)
        .execute(),
    )
    const answers = await askAll(40, [(n) => call('POST /documents/batch', hundred(n))])
    assert.equal(answers.filter(({ status }) => status === 200).length, 15)
    for (const answer of answers)
      if (answer.status !== 200)
        assert.deepEqual(refusalOf(answer), [422, 'document_limit_reached'])
    assert.equal((await createdIn(project_id)).length, 4 + 1500)
  })

  test('never exceed the plan quota', async () => {
    const { call, project_id } = await newShared()
    const { operations } = hundred(100_000)
    const batch_bytes = JSON.stringify(operations[0]!.data).length * 100
    const bytes = BigInt(plans.reachable.data_bytes_max - 15.5 * batch_bytes)
    await db.transact((tx) =>
      tx.updateTable('data_usage').set({ bytes }).where('project_id', '=', project_id).execute(),
    )
    const answers = await askAll(40, [(n) => call('POST /documents/batch', hundred(100_000 + n))])
    assert.equal(answers.filter(({ status }) => status === 200).length, 15)
    for (const answer of answers)
      if (answer.status !== 200) assert.deepEqual(refusalOf(answer), [409, 'plan_limit_reached'])
    const usage = await db
      .selectFrom('data_usage')
      .select('bytes')
      .where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()
    assert.equal(usage.bytes, bytes + 15n * BigInt(batch_bytes))
  })
})
