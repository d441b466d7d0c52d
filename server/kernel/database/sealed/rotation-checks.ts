/** Checks before a rotation of the master key: servers without the key, and undeclared sealed columns. */
import { sql } from 'kysely'
import type { Reader } from '../database.ts'
import { CONNECTION_PREFIX } from '../../secrets/master-secrets.ts'

const KEY_ID_CHARACTERS = 8

/** The key ids of processes that are connected to this database with another master key. */
export async function listServersWithoutKey(db: Reader, key_id: string): Promise<string[]> {
  const start = CONNECTION_PREFIX.length + 1
  const { rows } = await sql<{ id: string }>`
    select distinct substring(application_name from ${sql.lit(start)} for ${sql.lit(KEY_ID_CHARACTERS)}) as id
    from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${CONNECTION_PREFIX})
      and not starts_with(application_name, ${CONNECTION_PREFIX + key_id})`.execute(db)
  return rows.map(({ id }) => id)
}

/** Binary columns, declared as sealed or not, with a value of this key. */
export async function listSealedElsewhere(db: Reader, key_id: string): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname::text as "table", a.attname::text as "column"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attnum > 0
      and not a.attisdropped and a.atttypid = 'bytea'::regtype order by 1, 2`.execute(db)
  const start = Buffer.from(`01${key_id}`, 'hex')
  const found: string[] = []
  for (const { table, column } of rows) {
    const { rows: values } = await sql`
      select from ${sql.table(table)}
      where substring(${sql.ref(column)} for ${start.length}) = ${start} limit 1`.execute(db)
    if (values.length > 0) found.push(`${table}.${column}`)
  }
  return found
}
