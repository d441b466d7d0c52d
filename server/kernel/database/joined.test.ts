/** Tests of transactions as savepoints of an open transaction. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openBareFixture } from '../../../test/fixtures/bare-runtime.ts'
import { afterCommit, type Database, type Transaction } from './database.ts'
import { joinedTo } from './joined.ts'

const { db } = (await openBareFixture()).openRuntime()
await db.transact(async (tx) => {
  await sql`create table marks (name text primary key)`.execute(tx)
})

const mark = (tx: Transaction, name: string) =>
  sql`insert into marks (name) values (${name})`.execute(tx)

async function marks(at: Pick<Database, 'executeQuery' | 'getExecutor'> = db): Promise<string[]> {
  const query = sql<{ name: string }>`select name from marks order by name`
  const { rows } = await query.execute(at)
  return rows.map(({ name }) => name)
}

describe('a joined transaction', () => {
  test('is visible in the outer transaction and committed with it', async () => {
    await db.transact(async (tx) => {
      const joined = joinedTo(tx)
      assert.equal(await joined.transact(async (part) => (await mark(part, 'a'), 7)), 7)
      assert.deepEqual(await marks(joined), ['a'])
      assert.deepEqual(await marks(), [])
    })
    assert.deepEqual(await marks(), ['a'])
  })

  test('is rolled back with the outer transaction', async () => {
    const undone = db.transact(async (tx) => {
      await joinedTo(tx).transact((part) => mark(part, 'b'))
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    assert.deepEqual(await marks(), ['a'])
  })

  test('is rolled back alone if it fails, also if the database refused a statement', async () => {
    await db.transact(async (tx) => {
      const joined = joinedTo(tx)
      await joined.transact((part) => mark(part, 'c'))
      const twice = joined.transact(async (part) => {
        await mark(part, 'd')
        await mark(part, 'c')
      })
      await assert.rejects(twice, /duplicate key/)
      await joined.transact((part) => mark(part, 'e'))
    })
    assert.deepEqual(await marks(), ['a', 'c', 'e'])
  })

  test('waits for the previous one, and its hooks wait for the commit', async () => {
    const rung: string[] = []
    await db.transact(async (tx) => {
      const joined = joinedTo(tx)
      const order: string[] = []
      await Promise.all(
        ['f', 'g', 'h'].map((name) =>
          joined.transact(async (part) => {
            order.push(`begin ${name}`)
            await mark(part, name)
            afterCommit(part, () => void rung.push(name))
            order.push(`end ${name}`)
          }),
        ),
      )
      assert.deepEqual(order, ['begin f', 'end f', 'begin g', 'end g', 'begin h', 'end h'])
      assert.deepEqual(rung, [])
    })
    assert.deepEqual(rung, ['f', 'g', 'h'])
    assert.deepEqual(await marks(), ['a', 'c', 'e', 'f', 'g', 'h'])
  })
})
