/**
 * Schemas of apps: a database beside that of Homeport on the same server, with a role and a schema for
 * each app. A role can connect to this database only, so that advisory locks, notifications and catalogs of
 * Homeport are out of its reach. The database is created at the first use.
 */
import pg from 'pg'
import { createSlots } from '../limits/slots.ts'
import type { Log } from '../log.ts'
import { limitBackend } from './backend-limits.ts'

/** Connections of one app. */
const CONNECTIONS_MAX = 4
/** Transactions of all apps of this process at the same time, and of those of one person. */
const TRANSACTIONS_MAX = 24
const TRANSACTIONS_EACH_MAX = 4
const WAIT_MS_MAX = 10_000
/** Connections that are kept open without a transaction, besides one of each app, of which 60 run. */
const IDLE_MAX = 12
const IDLE_MS_MAX = 5_000
/** Connections of all apps of a process. */
export const APP_CONNECTIONS_MAX = TRANSACTIONS_MAX + IDLE_MAX + 60
const NAME_BYTES_MAX = 63
const DUPLICATE = new Set(['42P04', '42710', '23505'])
const NOT_ALLOWED = new Set(['42501'])
const UNKNOWN_DATABASE = '3D000'

/** The name of the role and of the schema. */
function roleOf(app_id: string): string {
  return `app_${app_id.replaceAll('-', '')}`
}

/** The database of apps. `connection` is that of Homeport. */
export function placeOf(connection: pg.PoolConfig) {
  const { host, port, user, password, database = 'homeport', ssl } = new pg.Client(connection)
  const apps = `${database.slice(0, NAME_BYTES_MAX - 5)}_apps`
  return { host, port, user, password, database: apps, ssl }
}

/** Runs `work` as the user of Homeport in the database of apps. */
async function asAdmin<T>(
  connection: pg.PoolConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...placeOf(connection), statement_timeout: 30_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function createDatabase(connection: pg.PoolConfig): Promise<void> {
  const { database } = placeOf(connection)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const found = await client.query('select from pg_database where datname = $1', [database])
    if (found.rowCount === 0) {
      await ignoring(DUPLICATE, client.query(`create database ${pg.escapeIdentifier(database)}`))
    }
  } finally {
    await client.end()
  }
}

async function ignoring(codes: ReadonlySet<string>, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !codes.has(error.code ?? '')) throw error
  }
}

export interface AppRole {
  app_id: string
  password: string
}

/** Creates the database, the role and the schema. Can run again after it was interrupted. */
export async function createAppSchema(
  connection: pg.PoolConfig,
  { app_id, password }: AppRole,
): Promise<void> {
  await createDatabase(connection)
  const database = pg.escapeIdentifier(placeOf(connection).database)
  const role = roleOf(app_id)
  await asAdmin(connection, async (admin) => {
    // Held until the connection ends: grants of the same object at the same time fail.
    await admin.query('select pg_advisory_lock(1)')
    const { rows } = await admin.query<{ yes: boolean }>(areTextsReadable)
    if (rows[0]?.yes) {
      await admin.query(`revoke all on database ${database} from public`)
      await admin.query('revoke all on schema public from public')
      await ignoring(NOT_ALLOWED, admin.query(withholdTexts))
    }
    // Before the role, because the reconciler finds what an interrupted run left by its schema.
    await admin.query(`create schema if not exists ${role}`)
    await ignoring(DUPLICATE, admin.query(`create role ${role}`))
    await admin.query(`alter role ${role} login password ${pg.escapeLiteral(password)}
      nosuperuser nocreatedb nocreaterole noinherit connection limit ${CONNECTIONS_MAX * 4}`)
    await admin.query(`alter role ${role} set search_path = ${role}`)
    await ignoring(NOT_ALLOWED, admin.query(`alter role ${role} set temp_file_limit = '256MB'`))
    await admin.query(`grant connect on database ${database} to ${role}`)
    await admin.query(`grant usage, create on schema ${role} to ${role}`)
  })
}

/** Catalogs with the column of an object, and the catalog of that object if it is another. */
const catalogs: readonly (readonly [string, string, string?])[] = [
  ['class', 'oid'],
  ['attribute', 'attrelid', 'class'],
  ['attrdef', 'oid'],
  ['index', 'indexrelid', 'class'],
  ['partitioned_table', 'partrelid', 'class'],
  ['statistic_ext', 'oid'],
  ['constraint', 'oid'],
  ['trigger', 'oid'],
  ['policy', 'oid'],
  ['rewrite', 'oid'],
  ['type', 'oid'],
  ['enum', 'enumtypid', 'type'],
  ['proc', 'oid'],
  ['aggregate', 'aggfnoid', 'proc'],
  ['ts_dict', 'oid'],
  ['collation', 'oid'],
]

/** The query of the bytes of the tables and sequences of a schema, and of its rows in the catalogs. */
function selectSize(schema: string): string {
  const rows = catalogs.map(
    ([name, id, owner = name]) => `
      select pg_column_size(row.*) from pg_${name} as row
        join own on classid = 'pg_${owner}'::regclass and objid = row.${id}`,
  )
  return `
    with recursive own as (
      select 'pg_namespace'::regclass::oid as classid, ${schema}::regnamespace::oid as objid
      union select d.classid, d.objid from pg_depend as d
        join own on d.refclassid = own.classid and d.refobjid = own.objid)
    select sum(bytes)::bigint as bytes from (
      ${selectTableSize(schema)}
      union all select pg_column_size(row.*) from pg_description as row
        join own on classid = row.classoid and objid = row.objoid
      union all select pg_column_size(row.*) from pg_db_role_setting as row
        where row.setrole = ${schema}::regrole
      union all ${rows.join(' union all ')}) as sizes`
}

function selectTableSize(schema: string): string {
  return `select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
    where relnamespace = ${schema}::regnamespace and relkind in ('r', 'm', 'S')`
}

const sizeFunction = 'catalogs.size_of_app()'

/** The queries of the size of its schema for the role of an app. */
export const ownSize = {
  /** Whether the database has `all`; one of before gets it with the next app. */
  isKnown: `select to_regprocedure('${sizeFunction}') is not null`,
  all: `select ${sizeFunction}`,
  tables: selectTableSize('session_user::text'),
}

/** Copies of the catalogs for `select *`, where the withheld columns are null. */
export const findCatalogCopies = 'set search_path = "$user", catalogs, pg_catalog'

/** False if `withholdTexts` ran, which locks much and takes long. */
const areTextsReadable =
  "select has_column_privilege('public', 'pg_db_role_setting', 'setconfig', 'select') as yes"

/**
 * Advisory locks fill a table of the whole server, large objects belong to no schema, and the catalogs have
 * what apps wrote in their functions, views, defaults and comments. Only a superuser may revoke them.
 */
const withholdTexts = `do $$
declare one regprocedure; catalog regclass; readable text; copied text;
begin
  drop schema if exists catalogs cascade;
  create schema catalogs;
  grant usage on schema catalogs to public;
  create or replace function ${sizeFunction} returns bigint language sql
    security definer set search_path = pg_catalog, pg_temp
    as $size$ ${selectSize('session_user::text')} $size$;
  for catalog, readable, copied in
    select attrelid, string_agg(quote_ident(attname), ', ') filter (where not withheld),
      string_agg(case when withheld then format('null::%s as ', type) else '' end
        || quote_ident(attname), ', ' order by attnum) filter (where attnum > 0)
    from pg_attribute cross join lateral (select
      case when atttypid = 'anyarray'::regtype then 'text' else format_type(atttypid, null) end as type,
      atttypid = 'pg_node_tree'::regtype or attname in
      ('prosrc', 'proconfig', 'description', 'tgargs', 'attmissingval', 'typdefault', 'enumlabel',
      'agginitval', 'aggminitval', 'dictinitoption', 'collicurules', 'setconfig', 'rolconfig',
      'useconfig', 'qual', 'with_check') as withheld) as facts
    where attrelid in (select oid from pg_class where relnamespace = 'pg_catalog'::regnamespace
      and (relkind = 'r' or oid in ('pg_roles'::regclass, 'pg_user'::regclass, 'pg_policies'::regclass))
      and has_any_column_privilege('public', oid, 'select'))
    group by attrelid having bool_or(withheld)
  loop
    execute format('revoke select on %s from public', catalog);
    execute format('grant select (%s) on %s to public', readable, catalog);
    execute format('create or replace view catalogs.%s as select %s from %1$s', catalog, copied);
    execute format('grant select on catalogs.%s to public', catalog);
  end loop;
  for one in select oid::regprocedure from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and (proname ~ '^pg_(try_)?advisory_' or proname ~ '^lo_' or proname ~ '^pg_get_.*def'
        or proname ~ '^pg_get_function_(arg|sqlbody)' or proname in ('loread', 'lowrite'))
  loop execute format('revoke execute on function %s from public', one); end loop;
  revoke select on information_schema.domains from public;
end $$`

/** Apps share the connections of the database, so that none can use all of them. */
const transactions = createSlots({
  name: 'the databases of apps work',
  units: TRANSACTIONS_MAX,
  units_each: TRANSACTIONS_EACH_MAX,
  waiting_max: 1_000,
  waiting_each_max: 100,
  wait_ms_max: WAIT_MS_MAX,
  retry_after_s: 1,
})
let connections_open = 0

export interface AppPool {
  /** Connections as the role of the app. */
  connections: pg.Pool
  /** Waits for the turn of a transaction, and returns the function that ends it. Throws NoSlot. */
  take(): Promise<() => void>
  /** Whether too many connections are open to keep one of these that is not used. */
  isCrowded(): boolean
  /** Ends the backend of a connection. */
  terminate(pid: number): Promise<void>
  end(): Promise<void>
}

/** Opens connections as the role of an app of `project_id`. */
export function openAppPool(
  connection: pg.PoolConfig,
  { app_id, password, project_id, log }: AppRole & { project_id: string; log: Log },
): AppPool {
  const { host, port, database, ssl } = placeOf(connection)
  const pool = new pg.Pool({
    host,
    port,
    database,
    ssl,
    user: roleOf(app_id),
    password,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: IDLE_MS_MAX,
    idle_in_transaction_session_timeout: 60_000,
    allowExitOnIdle: true,
    types: { getTypeParser: parserOf },
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    connections_open += 1
    limitBackend(Object(client).processID, { role: roleOf(app_id), log })
  })
  pool.on('remove', () => (connections_open -= 1))
  return {
    connections: pool,
    take: () => transactions.take(project_id),
    isCrowded: () => connections_open > IDLE_MAX && pool.totalCount > 1,
    async terminate(pid) {
      const text =
        'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and usename = $2'
      await asAdmin(connection, (admin) => admin.query(text, [pid, roleOf(app_id)]))
    },
    end: () => pool.end(),
  }
}

/** The size of the schema of an app in bytes, with its rows in the catalogs: comments can be as large as tables. */
export function measureAppSchema(
  connection: pg.PoolConfig,
  { app_id, project_id }: { app_id: string; project_id: string },
): Promise<number> {
  const text = selectSize(`'${roleOf(app_id)}'`)
  return transactions.run(project_id, async () => {
    const { rows } = await asAdmin(connection, (admin) => admin.query<{ bytes: string }>(text))
    return Number(rows[0]?.bytes)
  })
}

/**
 * Drops the schemas and roles of apps that do not exist. `listIds` is called after they were listed, so that
 * those of a new app stay. Returns the names that could not be dropped.
 */
export async function dropOtherSchemas(
  connection: pg.PoolConfig,
  listIds: () => Promise<readonly string[]>,
): Promise<string[]> {
  try {
    return await asAdmin(connection, async (admin) => {
      const { rows } = await admin.query<{ name: string }>(
        `select nspname as name from pg_namespace where nspname ~ '^app_[0-9a-f]{32}$'`,
      )
      const kept = new Set((await listIds()).map(roleOf))
      const failed: string[] = []
      for (const { name } of rows) {
        if (kept.has(name)) continue
        await dropSchema(admin, name).catch(() => failed.push(name))
      }
      return failed
    })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Whether the database of apps does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === UNKNOWN_DATABASE
}

/** Drops the schema of an app, if it exists. Its role stays: another database of the server may use it. */
export async function dropAppSchema(connection: pg.PoolConfig, app_id: string): Promise<void> {
  try {
    await asAdmin(connection, (admin) =>
      admin.query(`drop schema if exists ${roleOf(app_id)} cascade`),
    )
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** The schema goes last, so that an interrupted run is repeated. */
async function dropSchema(admin: pg.Client, name: string): Promise<void> {
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [name])
  if (rowCount === 1) {
    await admin.query(`alter role ${name} nologin`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
      name,
    ])
    await admin.query(`drop owned by ${name} cascade`)
    await admin.query(`drop role ${name}`)
  }
  await admin.query(`drop schema if exists ${name} cascade`)
}

const { builtins } = pg.types
const asNumber = new Set<number>([
  builtins.INT2,
  builtins.INT4,
  builtins.OID,
  builtins.FLOAT4,
  builtins.FLOAT8,
])
/** Times stay as PostgreSQL writes them, except those with a zone. */
const asText = new Set<number>([
  builtins.TIMESTAMP,
  builtins.DATE,
  builtins.INTERVAL,
  builtins.BYTEA,
])

function parserOf(oid: number): (text: string) => unknown {
  if (asNumber.has(oid)) return Number
  if (oid === builtins.TIMESTAMPTZ) return toIso
  if (asText.has(oid)) return (text) => text
  return pg.types.getTypeParser(oid)
}

function toIso(text: string): string {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? text : time.toISOString()
}
