/** Statements are prepared once for each connection, and not without end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openBareGround } from '../../test/ground/bare-house.ts'
import { openDatabase } from './database.ts'

const ground = await openBareGround()
// One connection, so that what it has prepared can be asked for.
const house = ground.openHouse()
const one = { ...ground.connection, max: 1 }

const shape = (n: number) => sql<{ n: number }>`select ${sql.lit(n)}::int as n`

test('a connection keeps a bounded number of statements, and every one works again', async () => {
  const db = openDatabase({ connection: one, onError: () => {} })
  try {
    for (let n = 0; n < 1000; n += 1) assert.equal((await shape(n).execute(db)).rows[0]?.n, n)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_prepared_statements`.execute(db)
    assert.ok(rows[0]!.count <= 401, `${rows[0]!.count} are prepared`)
    assert.ok(rows[0]!.count >= 390, `only ${rows[0]!.count} are prepared`)
    for (const n of [0, 999, 500, 0]) assert.equal((await shape(n).execute(db)).rows[0]?.n, n)
  } finally {
    await db.close()
  }
})

test('a statement that the database refuses leaves the connection as it was', async () => {
  const db = openDatabase({ connection: one, onError: () => {} })
  try {
    for (let n = 0; n < 10; n += 1) {
      await assert.rejects(sql`select * from ${sql.ref(`nothing_${n}`)}`.execute(db))
    }
    for (let n = 0; n < 450; n += 1) await shape(n).execute(db)
    const failing = db.transact(async (tx) => {
      for (let n = 450; n < 900; n += 1) await shape(n).execute(tx)
      await sql`select 1 / 0`.execute(tx)
    })
    await assert.rejects(failing, /division by zero/)
    assert.equal((await shape(1).execute(db)).rows[0]?.n, 1)
  } finally {
    await db.close()
  }
})

test('a used statement stays prepared while others come and go', async () => {
  const db = openDatabase({ connection: one, onError: () => {} })
  const often = sql<{ calls: number }>`select generic_plans + custom_plans as calls
    from pg_prepared_statements where statement like '%generic_plans%'`
  try {
    for (let n = 0; n < 600; n += 1) {
      await shape(n).execute(db)
      await often.execute(db)
    }
    assert.ok(Number((await often.execute(db)).rows[0]?.calls) >= 600)
  } finally {
    await db.close()
  }
})

test('two houses do not share what they prepared', async () => {
  assert.equal((await shape(7).execute(house.db)).rows[0]?.n, 7)
  assert.equal((await shape(7).execute(ground.openHouse().db)).rows[0]?.n, 7)
})
