/**
 * Tests the cost of foreign keys. PostgreSQL looks up each written row in the referenced table with
 * a plan that a connection caches, often while the table is small. An index that shares only the
 * first column with the key then looks as good, and later each written row scans all rows of its
 * project.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, dropTestDatabase } from './fixtures/cluster.ts'

let connection: pg.PoolConfig
let client: pg.Pool

before(async () => {
  connection = await createTestDatabase()
  client = new pg.Pool({ ...connection, max: 1 })
})

after(async () => {
  await client.end()
  await dropTestDatabase(connection)
})

interface Rival {
  referring: string
  key: string
  rival: string
}

/**
 * Complete indexes that contain some but not all columns of a referenced multi-column key,
 * beginning with one of them. An index with all of the columns finds the row like the key does.
 */
async function rivals(): Promise<Rival[]> {
  const { rows } = await client.query<Rival>(`
    select con.conrelid::regclass::text as referring, con.conindid::regclass::text as key,
      other.indexrelid::regclass::text as rival
    from pg_constraint as con
      join pg_index as other on other.indrelid = con.confrelid
        and other.indexrelid <> con.conindid and other.indpred is null
        and other.indkey[0] = any(con.confkey)
        and not con.confkey <@ other.indkey[0:array_length(con.confkey, 1) - 1]::smallint[]
    where con.contype = 'f' and array_length(con.confkey, 1) > 1
    order by 1, 3`)
  return rows
}

test('no index competes with a referenced key', async () => {
  assert.deepEqual(await rivals(), [])
})

test('the check finds a competing index', async () => {
  await client.query('begin')
  await client.query('create index entries_of_project on ledger_entries (project_id, created_at)')
  const found = await rivals()
  await client.query('rollback')
  assert.deepEqual(found, [
    { referring: 'ledger_holds', key: 'ledger_entries_pkey', rival: 'entries_of_project' },
    { referring: 'ledger_postings', key: 'ledger_entries_pkey', rival: 'entries_of_project' },
  ])
})
