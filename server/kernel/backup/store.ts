/**
 * SQL of backup, restore and doctor. They work on the whole database, below the areas. Tables and
 * columns are read from PostgreSQL's catalog, so that new migrations need no change here.
 */
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Readable, Writable } from 'node:stream'
import { orderTables, type Reference } from '../database/table-order.ts'

export interface TableFacts {
  name: string
  /** Without generated columns. */
  columns: string[]
}

const inSchema = `(select oid from pg_namespace where nspname = current_schema())`

/** Every table of Homeport except `migrations`, ordered by foreign keys. */
export async function listTables(client: pg.Client): Promise<TableFacts[]> {
  return listTablesIn(client, { except: ['migrations'] })
}

interface TablesOf {
  except?: readonly string[]
  /** A name without special characters; by default the current schema. */
  schema?: string
  /** Whether foreign keys may form cycles. */
  cycles?: boolean
}

/** The tables of a schema, ordered by foreign keys. */
export async function listTablesIn(
  client: pg.Client,
  { except = [], schema, cycles = false }: TablesOf,
): Promise<TableFacts[]> {
  const place = schema === undefined ? inSchema : `'${schema}'::regnamespace`
  const { rows } = await client.query<TableFacts>(
    `
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = ${place} and c.relname <> all($1)
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname`,
    [except],
  )
  const references = await client.query<Reference>(`
    select f.relname::text as from_table, t.relname::text as to_table
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and not k.condeferrable and f.relnamespace = ${place}`)
  const byName = new Map(rows.map((table) => [table.name, table]))
  const names = orderTables([...byName.keys()], references.rows, { cycles })
  return names.flatMap((name) => byName.get(name) ?? [])
}

/** Objects that are not rows of tables, which a backup would miss. */
export async function listUnsupportedObjects(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname::text as name from pg_class where relkind in ('S', 'm', 'p') and relnamespace = ${inSchema}
    union all
    select tgname::text from pg_trigger join pg_class on pg_class.oid = tgrelid
      where not tgisinternal and relnamespace = ${inSchema}`)
  return rows.map(({ name }) => name)
}

/**
 * Tables that a backup leaves out: a restored list of backups would name running ones, and others
 * that were deleted since.
 */
const leftOut = new Set(['backups'])

/** The tables of a backup, ordered by foreign keys. */
export async function listSavedTables(client: pg.Client): Promise<TableFacts[]> {
  const tables = await listTables(client)
  return tables.filter(({ name }) => !leftOut.has(name))
}

/** Takes a lock of the database session; returns false if another session holds it. */
export async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtext($1), 0) as locked',
    [`homeport:${name}`],
  )
  return rows[0]?.locked === true
}

/** Drops databases of interrupted restore tests of this database; those in use remain. */
export async function dropStaleTests(client: pg.Client): Promise<void> {
  const prefix = await testDatabasePrefix(client)
  const { rows } = await client.query<{ name: string }>(
    'select quote_ident(datname) as name from pg_database where starts_with(datname, $1)',
    [prefix],
  )
  for (const { name } of rows) await client.query(`drop database ${name}`).catch(() => {})
}

/** The start of the names of temporary databases, different for each database of a cluster. */
export async function testDatabasePrefix(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ oid: string }>(
    'select oid::text from pg_database where datname = current_database()',
  )
  return `homeport_verify_${rows[0]?.oid ?? ''}_`
}

/** Starts a repeatable-read transaction without time limits. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query('begin transaction isolation level repeatable read, read only')
  await liftLimits(client)
}

/** Locks the tables against migrations during the snapshot. */
export async function lockAgainstMigrations(
  client: pg.Client,
  tables: readonly TableFacts[],
): Promise<void> {
  await client.query(`lock table ${namesOf(tables)} in access share mode`)
}

async function liftLimits(client: pg.Client): Promise<void> {
  await client.query(`
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local client_encoding = 'UTF8';
    set local datestyle = 'ISO';
    set local timezone = 'UTC'`)
}

export function copyRowsOut(client: pg.Client, table: TableFacts): Readable {
  return client.query(copyTo(`copy ${shapeOf(table)} to stdout`))
}

export function copyRowsIn(client: pg.Client, table: TableFacts): Writable {
  return client.query(copyFrom(`copy ${shapeOf(table)} from stdin`))
}

/** Locks every table, so that a server that starts now waits for the rows. */
export async function beginRestore(
  client: pg.Client,
  tables: readonly TableFacts[],
): Promise<void> {
  await client.query('begin')
  await liftLimits(client)
  await client.query('set constraints all deferred')
  await client.query(`lock table ${namesOf(tables)} in access exclusive mode`)
}

export async function emptyTables(client: pg.Client, tables: readonly TableFacts[]): Promise<void> {
  await client.query(`truncate ${namesOf(tables)}`)
}

function namesOf(tables: readonly TableFacts[]): string {
  return tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
}

function shapeOf({ name, columns }: TableFacts): string {
  return `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`
}

/**
 * The first bytes of a sealed value: its format, followed by the key id (kernel/secrets/crypto.ts).
 */
const SEAL_FORMAT = '01'

/** Whether any value was sealed with this master key. */
export async function hasSealedValues(client: pg.Client, key_id: string): Promise<boolean> {
  const start = Buffer.from(SEAL_FORMAT + key_id, 'hex')
  for (const { table, column } of await listBinaryColumns(client)) {
    const { rowCount } = await client.query(
      `select from ${table} where substring(${column} for ${start.length}) = $1 limit 1`,
      [start],
    )
    if (rowCount) return true
  }
  return false
}

async function listBinaryColumns(client: pg.Client): Promise<{ table: string; column: string }[]> {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select quote_ident(c.relname) as table, quote_ident(a.attname) as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = ${inSchema} and a.attnum > 0 and not a.attisdropped
      and a.atttypid = 'bytea'::regtype
    order by 1, 2`)
  return rows
}

export interface AppliedMigration {
  number: number
  name: string
  hash: string
}

/** The applied migrations; none for a new database. */
export async function listApplied(client: pg.Client): Promise<AppliedMigration[]> {
  if (!(await hasTable(client, 'migrations'))) return []
  const { rows } = await client.query<AppliedMigration>(
    'select number, name, hash from migrations order by number',
  )
  return rows
}

/** Number of projects, including deleted ones. */
export async function countProjects(client: pg.Client): Promise<number> {
  if (!(await hasTable(client, 'projects'))) return 0
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from projects',
  )
  return rows[0]?.count ?? 0
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_class where relname = $1 and relkind = 'r' and relnamespace = ${inSchema}`,
    [name],
  )
  return rowCount === 1
}

export interface DocumentFacts {
  project_id: string
  id: string
}

export interface FileFacts extends DocumentFacts {
  beside: string[]
}

const FILES_AT_ONCE = 1000

/**
 * Yields every stored file ordered by key. Yields nothing if the database has no table of files.
 */
export function listFiles(client: pg.Client): AsyncGenerator<FileFacts> {
  return listInPages<FileFacts>(client, {
    table: 'files',
    columns: 'project_id, id, beside',
    where: 'stored_at is not null and doomed_at is null',
  })
}

/** Yields every stored document of a verification. */
export function listDocuments(client: pg.Client): AsyncGenerator<DocumentFacts> {
  return listInPages<DocumentFacts>(client, {
    table: 'verification_documents',
    columns: 'project_id, id',
    where: 'received_at is not null and removed_at is null',
  })
}

async function* listInPages<Facts extends DocumentFacts>(
  client: pg.Client,
  { table, columns, where }: { table: string; columns: string; where: string },
): AsyncGenerator<Facts> {
  if (!(await hasTable(client, table))) return
  const none = '00000000-0000-0000-0000-000000000000'
  let last = [none, none]
  for (;;) {
    const { rows } = await client.query<Facts>(
      `select ${columns} from ${table} where ${where} and (project_id, id) > ($1, $2)
       order by project_id, id limit ${FILES_AT_ONCE}`,
      last,
    )
    yield* rows
    const end = rows.at(-1)
    if (!end || rows.length < FILES_AT_ONCE) return
    last = [end.project_id, end.id]
  }
}

/** Number of other connections of this user to this database; a running server has some. */
export async function countOtherConnections(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
      and backend_type = 'client backend'`)
  return rows[0]?.count ?? 0
}

export async function readVersion(client: pg.Client): Promise<{ number: number; text: string }> {
  const { rows } = await client.query<{ number: number; text: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
  )
  return rows[0] ?? { number: 0, text: 'unknown' }
}

export async function readDatabaseTime(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ time_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as time_ms',
  )
  return rows[0]?.time_ms ?? 0
}

export async function countDisabledEndpoints(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`
    select count(*)::int as count from webhook_endpoints e join projects p on p.id = e.project_id
    where not e.active and p.deleted_at is null`)
  return rows[0]?.count ?? 0
}

export async function refreshStatistics(client: pg.Client): Promise<void> {
  await client.query('analyze')
}
