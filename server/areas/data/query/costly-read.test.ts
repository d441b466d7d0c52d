/** Expensive reads over HTTP. A lock on the table makes the statements wait. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { newFixture, slugOf } from '../../../../test/fixtures/data/data.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'

const { newCollection, runtime } = await newFixture()
const holder = new pg.Client(runtime.connection)
holder.on('error', () => {})
await holder.connect()
after(() => holder.end())

/** Returns the number of statements that wait for the table. */
async function countWaiting(): Promise<number> {
  const { rows } = await holder.query(
    `select count(*)::int as n from pg_locks
     where relation = 'documents'::regclass and not granted`,
  )
  return rows[0].n
}

async function locked(work: () => Promise<void>): Promise<void> {
  await holder.query('begin')
  await holder.query('lock table documents in access exclusive mode')
  try {
    await work()
  } finally {
    await holder.query('rollback')
  }
}

describe('a list or query that takes more than five seconds', () => {
  test('is 400 invalid_parameter with advice on a cheaper request', async () => {
    const { call } = await newCollection()
    await call('POST /documents', { a: 1 })
    const filter = encodeURIComponent('a = 1')
    await locked(async () => {
      const answers = await Promise.all([
        call(`GET /documents?filter=${filter}`),
        call('POST /documents/query', { group_by: [{ field: 'a' }] }),
      ])
      for (const answer of answers) {
        assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], answer.text)
        assert.match(answer.body.detail, /more than 5 seconds/)
        assert.match(answer.body.user_message, /takes too long/)
        assert.match(answer.body.next_step, /fewer comparisons.*indexes/)
      }
    })
    assert.equal((await call(`GET /documents?filter=${filter}`)).body.data.length, 1)
  })

  test('uses at most three database connections of one project', async () => {
    const [busy, other] = [await newCollection(), await newCollection()]
    await locked(async () => {
      const asked = Array.from({ length: 5 }, () => busy.call('GET /documents?filter=a%3D1'))
      await eventually(async () => (await countWaiting()) === 3)
      assert.equal((await other.call('GET ')).status, 200)
      assert.equal(await countWaiting(), 3)
      await Promise.all(asked)
    })
  })
})
