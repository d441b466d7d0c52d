/**
 * Deletes the rows of a project. The tables are read from the catalog of PostgreSQL, so a new table
 * with a column project_id needs no change here.
 */
import { sql } from 'kysely'
import type { Database, Reader, Transaction } from '../../../kernel/database/database.ts'
import { orderTables, type Reference } from '../../../kernel/database/table-order.ts'

/** Rows in one transaction, which limits its duration and its locks. */
const ROWS_AT_ONCE = 2000

/** Tables with a column project_id, each before the tables that it references. */
export async function listProjectTables(db: Reader): Promise<string[]> {
  const schema = sql`(select oid from pg_namespace where nspname = current_schema())`
  const tables = await sql<{ name: string }>`
    select c.relname::text as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = ${schema}`.execute(db)
  const names = new Set(tables.rows.map(({ name }) => name))
  const references = await sql<Reference>`
    select f.relname::text as from_table, t.relname::text as to_table
    from pg_constraint k
      join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and f.relnamespace = ${schema}`.execute(db)
  const among = references.rows.filter(
    ({ from_table, to_table }) => names.has(from_table) && names.has(to_table),
  )
  return orderTables([...names], among).toReversed()
}

/** Deletes all rows except that of the project, in many transactions. */
export async function deleteRowsOf(
  db: Database,
  { project_id, signal }: { project_id: string; signal: AbortSignal },
): Promise<void> {
  for (const table of await listProjectTables(db)) {
    let deleted = ROWS_AT_ONCE
    while (deleted === ROWS_AT_ONCE) {
      signal.throwIfAborted()
      deleted = await db.transact((tx) => deleteSome(tx, table, project_id))
    }
  }
}

async function deleteSome(tx: Transaction, table: string, project_id: string): Promise<number> {
  const name = sql.id(table)
  const { numAffectedRows } = await sql`
    delete from ${name} where ctid = any(array(
      select ctid from ${name} where project_id = ${project_id} limit ${ROWS_AT_ONCE}))`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Deletes the row of the project, and the reference of the other half of a pair to it. */
export async function deleteProjectRow(tx: Transaction, project_id: string): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ pair_id: null })
    .where('pair_id', '=', project_id)
    .execute()
  await tx.deleteFrom('projects').where('id', '=', project_id).execute()
}
