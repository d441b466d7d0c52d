/**
 * The database of apps: beside the database of Homeport on the same server, with a role and a schema
 * for each app. Its role can connect to this database only, so that advisory locks, notifications and
 * catalogs of Homeport are out of reach. It is created at the first use.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { plans } from '../../../contract/plans.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as projects from '../../projects/service.ts'
import * as store from '../store.ts'

export const PASSWORD_PURPOSE = 'app-database-password'

const CONNECTIONS_MAX = 4
const NAME_BYTES_MAX = 63
const DUPLICATE = new Set(['42P04', '42710', '23505'])
const UNKNOWN_DATABASE = '3D000'

/** The name of the role and of the schema. */
export function roleOf(app_id: string): string {
  return `app_${app_id.replaceAll('-', '')}`
}

function placeOf({ connection }: Runtime) {
  const { host, port, user, password, database = 'homeport', ssl } = new pg.Client(connection)
  const apps = `${database.slice(0, NAME_BYTES_MAX - 5)}_apps`
  return { host, port, user, password, database: apps, ssl }
}

/** Runs `work` as the user of Homeport in the database of apps. */
async function asAdmin<T>(runtime: Runtime, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...placeOf(runtime), statement_timeout: 30_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function createDatabase(runtime: Runtime): Promise<void> {
  const { database } = placeOf(runtime)
  const client = new pg.Client(runtime.connection)
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

/** Returns the pool of an app, whose role and schema exist then. */
export async function openAppPool(runtime: Runtime, key: store.AppKey): Promise<pg.Pool> {
  const password = await preparePassword(runtime, key)
  const { host, port, database, ssl } = placeOf(runtime)
  const pool = new pg.Pool({
    host,
    port,
    database,
    ssl,
    user: roleOf(key.id),
    password,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 20_000,
    idle_in_transaction_session_timeout: 60_000,
    allowExitOnIdle: true,
    types: { getTypeParser: parserOf },
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function preparePassword(runtime: Runtime, key: store.AppKey): Promise<string> {
  const known = await store.find(runtime.db, key)
  assert(known)
  const { sealed_database_password } = known
  if (sealed_database_password) return runtime.seal.open(sealed_database_password, PASSWORD_PURPOSE)
  await createDatabase(runtime)
  return runtime.db.transact(async (tx) => {
    const row = await store.lock(tx, key)
    assert(row)
    if (row.sealed_database_password)
      return runtime.seal.open(row.sealed_database_password, PASSWORD_PURPOSE)
    const password = randomBytes(24).toString('hex')
    await createRole(runtime, { role: roleOf(key.id), password })
    const sealed = runtime.seal.seal(password, PASSWORD_PURPOSE)
    await store.update(tx, key, { sealed_database_password: sealed })
    return password
  })
}

/** Can run again after it was interrupted. */
function createRole(
  runtime: Runtime,
  { role, password }: { role: string; password: string },
): Promise<void> {
  const { database } = placeOf(runtime)
  return asAdmin(runtime, async (admin) => {
    await admin.query(`revoke all on database ${pg.escapeIdentifier(database)} from public`)
    await admin.query('revoke all on schema public from public')
    await ignoring(DUPLICATE, admin.query(`create role ${role}`))
    await admin.query(`alter role ${role} login password ${pg.escapeLiteral(password)}
      nosuperuser nocreatedb nocreaterole noinherit connection limit ${CONNECTIONS_MAX * 4}`)
    await admin.query(`alter role ${role} set search_path = ${role}`)
    await admin.query(`grant connect on database ${pg.escapeIdentifier(database)} to ${role}`)
    // An external server may not allow to create objects for another role without membership.
    await admin.query(`grant ${role} to current_user`)
    await admin.query(`create schema if not exists ${role} authorization ${role}`)
  })
}

/** Measures the schema of an app and stores its size. Returns the size in bytes. */
export async function measure(runtime: Runtime, key: store.AppKey): Promise<number> {
  const { rows } = await asAdmin(runtime, (admin) =>
    admin.query<{ bytes: string }>(
      `select coalesce(sum(pg_total_relation_size(c.oid)), 0) as bytes from pg_class as c
        where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'm')`,
      [roleOf(key.id)],
    ),
  )
  const bytes = Number(rows[0]?.bytes ?? 0)
  await runtime.db.transact((tx) =>
    store.update(tx, key, {
      database_bytes: BigInt(bytes),
      database_measured_at: runtime.clock.now(),
    }),
  )
  return bytes
}

/** Whether the database of an app is as large as the plan allows. */
export async function isFull(runtime: Runtime, key: store.AppKey): Promise<boolean> {
  const [app, project] = await Promise.all([
    store.find(runtime.db, key),
    projects.find(runtime.db, key.project_id),
  ])
  if (!app || !project) return false
  return Number(app.database_bytes) >= plans[project.plan].data_bytes_max
}

/** Deletes the schemas and roles of apps that do not exist. */
export async function dropOrphans(runtime: Runtime): Promise<void> {
  const known = new Set((await store.listIds(runtime.db)).map(roleOf))
  try {
    await asAdmin(runtime, async (admin) => {
      const { rows } = await admin.query<{ name: string }>(
        `select nspname as name from pg_namespace where nspname ~ '^app_[0-9a-f]{32}$'`,
      )
      for (const { name } of rows) if (!known.has(name)) await dropSchema(admin, name)
    })
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== UNKNOWN_DATABASE) throw error
  }
}

async function dropSchema(admin: pg.Client, name: string): Promise<void> {
  await admin.query(`alter role ${name} nologin`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
    name,
  ])
  await admin.query(`drop owned by ${name} cascade`)
  await admin.query(`drop schema if exists ${name} cascade`)
  await admin.query(`drop role ${name}`)
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
