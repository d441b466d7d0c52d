/**
 * What a foreign key costs. Each row written is looked up in the table it refers to, by a plan that
 * PostgreSQL makes once for a connection, often while the table is small. An index that shares
 * its first column with the one of the key then looks as good, and is kept while the table grows:
 * each row written reads all of its project's rows.
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
 * Whole indexes that begin with a column of a key of several columns that others refer to, and not
 * with all of them: with all, in whatever order, an index finds the row as the key does.
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

test('no index can be taken for that of a key which rows refer to', async () => {
  assert.deepEqual(await rivals(), [])
})

test('an index that could be is found', async () => {
  await client.query('begin')
  await client.query('create index entries_of_project on ledger_entries (project_id, created_at)')
  const found = await rivals()
  await client.query('rollback')
  assert.deepEqual(found, [
    { referring: 'ledger_holds', key: 'ledger_entries_pkey', rival: 'entries_of_project' },
    { referring: 'ledger_postings', key: 'ledger_entries_pkey', rival: 'entries_of_project' },
  ])
})
