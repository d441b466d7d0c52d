/** Tests of prepared statements and transactions on real connections. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openBareFixture } from '../../../test/fixtures/bare-runtime.ts'
import { openDatabase, readTogether, readWithin, StatementTimeout } from './database.ts'

const fixture = await openBareFixture()
// One connection, so that its prepared statements can be queried.
const runtime = fixture.openRuntime()
const one = { ...fixture.connection, max: 1 }

const shape = (n: number) => sql<{ n: number }>`select ${sql.lit(n)}::int as n`

test('a connection keeps a bounded number of prepared statements, and evicted ones work again', async () => {
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

test('a refused statement leaves the connection usable', async () => {
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

test('a used statement stays prepared while others are evicted', async () => {
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

test('two pools do not share prepared statements', async () => {
  assert.equal((await shape(7).execute(runtime.db)).rows[0]?.n, 7)
  assert.equal((await shape(7).execute(fixture.openRuntime().db)).rows[0]?.n, 7)
})

test('a statement whose row type changed works again after one failure', async () => {
  const db = openDatabase({ connection: one, onError: () => {} })
  const read = () => sql<object>`select * from shifting`.execute(db)
  try {
    await sql`create table shifting as select 1 as a`.execute(db)
    assert.deepEqual((await read()).rows, [{ a: 1 }])
    await sql`alter table shifting add column b text default 'b'`.execute(db)
    await assert.rejects(read(), /cached plan must not change result type/)
    assert.deepEqual((await read()).rows, [{ a: 1, b: 'b' }])
    assert.deepEqual((await read()).rows, [{ a: 1, b: 'b' }])
    await sql`drop table shifting`.execute(db)
    await assert.rejects(read(), /does not exist/)
    await assert.rejects(read(), /does not exist/)
  } finally {
    await db.close()
  }
})

test('a transaction begins with its first statement, and an empty one has no effect', async () => {
  const db = openDatabase({ connection: one, onError: () => {} })
  const other = openDatabase({ connection: one, onError: () => {} })
  const count = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from kept`.execute(other)
    return rows[0]?.n
  }
  try {
    await sql`create table kept (n integer)`.execute(db)
    await db.transact(async () => {})
    await assert.rejects(
      db.transact(async (tx) => {
        await sql`insert into kept values (1)`.execute(tx)
        throw new Error('changed my mind')
      }),
      /changed my mind/,
    )
    assert.equal(await count(), 0)
    await assert.rejects(db.transact((tx) => sql`insert into kept values (1 / 0)`.execute(tx)))
    await assert.rejects(
      db.transact(async (tx) => {
        await sql`insert into kept values (1)`.execute(tx)
        await sql`select 1 / 0`.execute(tx)
      }),
    )
    assert.equal(await count(), 0)
    await db.transact(async (tx) => {
      await Promise.all([1, 2, 3].map((n) => sql`insert into kept values (${n})`.execute(tx)))
      assert.equal(await count(), 0)
    })
    assert.equal(await count(), 3)
    await sql`drop table kept`.execute(db)
  } finally {
    await db.close()
    await other.close()
  }
})

test('JSON is parsed, or left as text if the column name says so', async () => {
  const { db } = runtime
  const one = sql<object>`select '{"a": [1.50]}'::jsonb as it, '{"a": [1.50]}'::jsonb as it_json,
    null::jsonb as no_json`
  for (const round of ['described', 'known']) {
    const { rows } = await one.execute(db)
    assert.deepEqual(rows, [{ it: { a: [1.5] }, it_json: '{"a": [1.50]}', no_json: null }], round)
  }
})

test('writes report affected rows, and selects do not', async () => {
  const { db } = runtime
  await sql`create table counted as select n from generate_series(1, 5) as n`.execute(db)
  const counts = async (query: ReturnType<typeof sql>) =>
    (await query.execute(db)).numAffectedRows ?? null
  assert.equal(await counts(sql`select * from counted`), null)
  assert.equal(await counts(sql`insert into counted values (6), (7)`), 2n)
  assert.equal(await counts(sql`update counted set n = n where n > 100`), 0n)
  assert.equal(await counts(sql`delete from counted returning n`), 7n)
  await sql`drop table counted`.execute(db)
})

test('a select over its timeout is cancelled, and the next one is not affected', async () => {
  const { db } = runtime
  const read = (seconds: number, timeout_ms: number) =>
    readWithin(db, { query: sql`select pg_sleep(${seconds}), 1 as n`.compile(db), timeout_ms })
  await assert.rejects(read(60, 20), StatementTimeout)
  assert.equal((await read(0.05, 60_000)).length, 1)
  const { rows } = await sql<{
    n: string
  }>`select current_setting('statement_timeout') as n`.execute(db)
  assert.equal(rows[0]?.n, '30s')
  const broken = readWithin(db, { query: sql`select 1 / 0`.compile(db), timeout_ms: 1000 })
  await assert.rejects(broken, /division by zero/)
})

test('concurrent quick selects share a round trip, and each has its own rows', async () => {
  const db = openDatabase({ connection: one, onError: () => {} })
  const transaction = sql<{ at: string }>`select transaction_timestamp()::text as at`.compile(db)
  try {
    for (const statements of ['new', 'known']) {
      const all = Array.from({ length: 30 }, (_, n) => readTogether(db, shape(n % 7).compile(db)))
      for (const [n, rows] of (await Promise.all(all)).entries())
        assert.deepEqual(rows, [{ n: n % 7 }], statements)
    }
    const some = await Promise.all(Array.from({ length: 5 }, () => readTogether(db, transaction)))
    assert.equal(new Set(some.map(([row]) => row?.at)).size, 1)
  } finally {
    await db.close()
  }
})

test('a select that fails does not affect those that share its round trip', async () => {
  const db = openDatabase({ connection: { ...one, max: 2 }, onError: () => {} })
  const quotient = (n: number) => sql<{ n: number }>`select 6 / ${n}::integer as n`.compile(db)
  try {
    for (const divisors of [[1, 0, 2, 0, 3], [0], [0, 0], [3, 2, 1, 0]]) {
      const settled = await Promise.allSettled(divisors.map((n) => readTogether(db, quotient(n))))
      const seen = settled.map((one) => (one.status === 'fulfilled' ? one.value : `${one.reason}`))
      const by_zero = 'error: division by zero'
      assert.deepEqual(
        seen,
        divisors.map((n) => (n === 0 ? by_zero : [{ n: 6 / n }])),
      )
    }
  } finally {
    await db.close()
  }
})

test('a connection that breaks fails every select of its round trip', async () => {
  const db = openDatabase({ connection: one, onError: () => {} })
  try {
    const end = sql`select pg_terminate_backend(pg_backend_pid())`.compile(db)
    const broken = [readTogether(db, end), readTogether(db, shape(1).compile(db))]
    for (const { status } of await Promise.allSettled(broken)) assert.equal(status, 'rejected')
  } finally {
    await db.close()
  }
})
