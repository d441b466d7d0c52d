/** SQL of project exports and imports. Columns come from PostgreSQL's catalog. */
import { sql } from 'kysely'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Readable } from 'node:stream'
import type { ExportedTable } from '../../../contract/manifest/exported-table.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { ArchivedTable } from './format.ts'

/**
 * The rows of a project as JSON objects, one in a line. Quote and delimiter are control characters,
 * which JSON escapes, so COPY changes nothing in a line. JSON columns may contain line ends between
 * values.
 */
export function copyRowsAsJson(
  client: pg.Client,
  { table, columns }: Pick<ArchivedTable, 'table' | 'columns'>,
  project_id: string,
): Readable {
  const names = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  return client.query(
    copyTo(`copy (
      select translate(row_to_json(r)::text, e'\\r\\n', '  ') from (
        select ${names} from ${pg.escapeIdentifier(table)}
        where project_id = ${pg.escapeLiteral(project_id)}
      ) r
    ) to stdout (format csv, quote e'\\x01', escape e'\\x01', delimiter e'\\x02')`),
  )
}

export interface ProjectFile {
  project_id: string
  id: string
  beside: string[]
  created_at: Date
}

export async function listProjectFiles(
  client: pg.Client,
  project_id: string,
): Promise<ProjectFile[]> {
  const { rows } = await client.query<ProjectFile>(
    `select project_id, id, beside, created_at from files
     where project_id = $1 and stored_at is not null and doomed_at is null order by id`,
    [project_id],
  )
  return rows
}

export async function listAppIds(client: pg.Client, project_id: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from apps where project_id = $1 order by id',
    [project_id],
  )
  return rows.map(({ id }) => id)
}

export async function findBytes(db: Reader, project_id: string): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce((select bytes + versions_bytes from data_usage where project_id = ${project_id}), 0)
      + coalesce((select bytes from file_usage where project_id = ${project_id}), 0) as bytes`.execute(
    db,
  )
  return Number(rows[0]?.bytes ?? 0)
}

/** Lifts the time limits of requests, because an import is one transaction. */
export async function liftLimits(tx: Transaction): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
}

/** Whether a project has this id, also a deleted one. */
export async function hasProject(db: Reader, project_id: string): Promise<boolean> {
  const { rows } = await sql`select from projects where id = ${project_id}`.execute(db)
  return rows.length > 0
}

export interface ImportedRows {
  table: ExportedTable
  columns: readonly string[]
  project_id: string
  /** A JSON array of rows. */
  rows: string
  /** Appended to addresses that are taken. */
  suffix: string
}

/** Returns the number of inserted rows. */
export async function insertRows(
  tx: Transaction,
  { table, columns, project_id, rows, suffix }: ImportedRows,
): Promise<number> {
  const { emptied = [], filled = {}, replaced = {}, address } = table
  const name = sql.table(table.table)
  const kept = columns.filter((column) => !emptied.includes(column))
  const values = kept.map((column) => {
    const value = sql`r.${sql.ref(column)}`
    if (column in replaced) return sql`f.${sql.ref(column)}`
    if (column in filled) return sql`coalesce(${value}, f.${sql.ref(column)})`
    if (column !== address?.column && column !== address?.label) return value
    const [own, label] = [sql.ref(address.column), sql.ref(address.label)]
    const rest = sql`substr(${value}, length(r.${own}) + 1)`
    return sql`case when exists (select from ${name} t where r.${own} in (t.${own}, t.${label}))
      then rtrim(left(r.${own}, 40), '-') || ${suffix} || ${rest} else ${value} end`
  })
  const { numAffectedRows } = await sql`
    insert into ${name} (project_id, ${sql.join(kept.map((column) => sql.ref(column)))})
    select ${project_id}::uuid, ${sql.join(values)}
    from json_populate_recordset(null::${name}, ${rows}::json) r,
      json_populate_record(null::${name}, ${JSON.stringify({ ...filled, ...replaced })}::json) f`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

/** The addresses of its sites. */
export async function listAddresses(db: Reader, project_id: string): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select slug from sites where project_id = ${project_id} order by slug`.execute(db)
  return rows.map(({ slug }) => slug)
}

export async function findMigration(db: Reader): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select max(number) as number from migrations`.execute(db)
  return rows[0]?.number ?? 0
}

/** The columns of tables by table, without generated ones and the project. */
export async function listColumns(
  db: Reader,
  tables: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c.relname::text as name, array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relname = any(${[...tables]}::text[])
      and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.attname <> 'project_id'
    group by c.relname`.execute(db)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}
