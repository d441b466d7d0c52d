/** New documents of many collections, whose requests share statements. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import pg from 'pg'
import { auditDocuments, newFixture, slugOf } from '../../../../test/fixtures/data/data.ts'
import { limits } from '../../../contract/limits.ts'
import { plans } from '../../../contract/plans.ts'

/** A connection beside those of the server. */
let beside = new pg.Client()
const { newCollection, runtime } = await newFixture({
  relay: async (connection) => {
    beside = new pg.Client(connection)
    await beside.connect()
    return { connection, close: () => beside.end() }
  },
})

const COLLECTIONS = 12
const collections = await Promise.all(
  Array.from({ length: COLLECTIONS }, (_, n) =>
    newCollection({ indexes: ['n'] }, n === 1 ? 'free' : 'reachable'),
  ),
)
const [full, poor, changed, locked] = collections
assert.ok(full && poor && changed && locked)

type Answers = Awaited<ReturnType<typeof createEverywhere>>

/** Creates documents in every collection at once; returns the replies by collection. */
function createEverywhere(each: number) {
  return Promise.all(
    collections.map(({ call }) =>
      Promise.all(Array.from({ length: each }, (_, n) => call('POST /documents', { n }))),
    ),
  )
}

function statusesOf(answers: Answers, at: number): number[] {
  return (answers[at] ?? []).map(({ status }) => status)
}

async function auditAll(): Promise<void> {
  for (const { project_id } of collections) await auditDocuments(runtime, project_id)
}

suite('concurrent creates in many collections', () => {
  test('leave exact counts, bytes, keys and change numbers', async () => {
    const answers = await createEverywhere(8)
    for (const { status, text } of answers.flat()) assert.equal(status, 201, text)
    const batch = { operations: [1, 2, 3].map((n) => ({ op: 'create', data: { n } })) }
    const batches = await Promise.all(
      collections.map(({ call }) => call('POST /documents/batch', batch)),
    )
    for (const { status, text } of batches) assert.equal(status, 200, text)
    for (const { call } of collections) assert.equal((await call('GET ')).body.document_count, 11)
    await auditAll()
  })

  test('are refused in those alone that are full or above the quota of the plan', async () => {
    const count = limits.documents_per_collection_max - 2
    await beside.query('update collections set document_count = $2 where project_id = $1', [
      full.project_id,
      count,
    ])
    const { rows } = await beside.query('select bytes from data_usage where project_id = $1', [
      poor.project_id,
    ])
    const left = 3 * '{"n":1}'.length
    await beside.query('update data_usage set bytes = $2 where project_id = $1', [
      poor.project_id,
      plans.free.data_bytes_max - left,
    ])
    const answers = await createEverywhere(5)
    assert.deepEqual(statusesOf(answers, 0).toSorted(), [201, 201, 422, 422, 422])
    assert.deepEqual(statusesOf(answers, 1).toSorted(), [201, 201, 201, 409, 409])
    for (const { status, text } of answers.slice(2).flat()) assert.equal(status, 201, text)
    const refused = answers.flat().filter(({ status }) => status !== 201)
    assert.deepEqual(
      new Set(refused.map(slugOf)),
      new Set(['document_limit_reached', 'plan_limit_reached']),
    )
    await beside.query('update collections set document_count = 13 where project_id = $1', [
      full.project_id,
    ])
    await beside.query('update data_usage set bytes = $2 where project_id = $1', [
      poor.project_id,
      Number(rows[0].bytes) + left,
    ])
    await auditAll()
  })

  test('obey a schema that changes meanwhile', async () => {
    const [answers] = await Promise.all([
      createEverywhere(8),
      changed.call('PATCH ', { schema: { properties: { n: { maximum: 3 } } } }),
    ])
    for (const { status } of answers[2] ?? []) assert.ok([201, 422].includes(status))
    const again = await createEverywhere(6)
    assert.deepEqual(statusesOf(again, 2), [201, 201, 201, 201, 422, 422])
    assert.deepEqual(new Set(statusesOf(again, 5)), new Set([201]))
    await auditAll()
  })

  for (const table of ['collections', 'data_usage']) {
    test(`do not wait for a project whose row in ${table} is locked`, async () => {
      await beside.query('begin')
      await beside.query(`select from ${table} where project_id = $1 for update`, [
        locked.project_id,
      ])
      const waiting = Promise.all([0, 1, 2].map((n) => locked.call('POST /documents', { n })))
      const others = collections.filter((one) => one !== locked && one !== full && one !== poor)
      const answers = await Promise.all(others.map(({ call }) => call('POST /documents', { n: 1 })))
      for (const { status, text } of answers) assert.equal(status, 201, text)
      await beside.query('rollback')
      for (const { status, text } of await waiting) assert.equal(status, 201, text)
      await auditAll()
    })
  }

  test('are written one by one if the statement that they share fails', async () => {
    await beside.query(`create function refuse_large() returns trigger language plpgsql as
      $$ begin
        if new.bytes > 1000 then raise exception 'too large'; end if;
        return new;
      end $$;
      create trigger refuse_large before insert on documents
        for each row execute function refuse_large()`)
    const text = 'x'.repeat(2000)
    const [large, ...answers] = await Promise.all([
      locked.call('POST /documents', { text }),
      ...collections.slice(4).map(({ call }) => call('POST /documents', { n: 1 })),
    ])
    await beside.query('drop trigger refuse_large on documents')
    assert.equal(large?.status, 500)
    for (const answer of answers) assert.equal(answer.status, 201, answer.text)
    await auditAll()
  })
})
