/**
 * Apps in the export of a project, and their import: code, settings and migrations, without secrets, users
 * and rows. An imported app is not deployed: its next deploy runs all checks, because the file could hold
 * anything.
 */
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { Problem } from '../../contract/errors.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { MIGRATIONS } from '../../kernel/database/app-schemas/dump.ts'
import { runStatements, StatementFailed } from '../../kernel/database/app-schemas/run.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { openPool, queryLimits } from './database/app-database.ts'
import { runMigrations } from './database/database.ts'
import { AppInput, type MigrationsInput } from './schema.ts'
import * as store from './store.ts'

type Migration = MigrationsInput['migrations'][number]

const ArchivedApp = Type.Object(
  {
    app: AppInput,
    /** Names of the secrets, whose values are not exported. */
    secrets: Type.Array(Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,63}$' }), { maxItems: 1_000 }),
    migrations: Type.Array(Type.Object({ name: Type.String(), sql: Type.String() })),
  },
  { additionalProperties: false },
)
type ArchivedApp = Static<typeof ArchivedApp>

export async function exportApp(runtime: Runtime, key: store.AppKey): Promise<ArchivedApp | null> {
  const row = await store.find(runtime.db, key)
  const version = row && (await store.findVersion(runtime.db, { ...key, number: row.live_version }))
  if (!row || !version) return null
  const { site_id, name, main, allowed_hosts, collections, services, schedules, auth } = row
  const settings = { main, allowed_hosts, collections, services, schedules, auth: auth ?? false }
  return {
    app: { site_id, name, modules: JSON.parse(version.modules), ...settings },
    secrets: row.secrets,
    migrations: row.sealed_database_password === null ? [] : await listMigrations(runtime, key),
  }
}

/** Those whose SQL is recorded, in the order in which they ran. */
async function listMigrations(runtime: Runtime, key: store.AppKey): Promise<Migration[]> {
  const pool = await openPool(runtime, key)
  try {
    const sql = `select name, sql from ${MIGRATIONS} where sql <> '' order by number`
    const options = { ...queryLimits, rows_max: MIGRATIONS_MAX, read_only: true }
    const [result] = await runStatements(pool, [{ sql, parameters: [] }], options)
    return result!.rows.map((row) => ({ name: String(row['name']), sql: String(row['sql']) }))
  } catch (error) {
    if (error instanceof StatementFailed) return []
    throw error
  } finally {
    await pool.end()
  }
}

const MIGRATIONS_MAX = 10_000

export interface ImportedApp extends store.AppKey {
  name: string
  missing_secrets: string[]
  migrations: Migration[]
}

/**
 * Inserts an app that is not deployed; null if the text is not that of an export. It gets a new id, because
 * its database is named by it.
 */
export async function importApp(
  tx: Transaction,
  { clock }: Runtime,
  { project_id, archived }: { project_id: string; archived: unknown },
): Promise<ImportedApp | null> {
  if (!Value.Check(ArchivedApp, archived)) return null
  const { app, secrets: missing_secrets, migrations } = archived
  const modules = app.modules.flatMap(({ path, text }) =>
    text === undefined ? [] : { path, text },
  )
  if (modules.length < app.modules.length || (typeof app.auth === 'boolean' && app.auth))
    return null
  const now = clock.now()
  const key = { project_id, id: newId(clock) }
  const { site_id, name, main = '' } = app
  const numbers = { live_version: 1, last_version: 1, test: true }
  const times = { created_at: now, updated_at: now, deployed_at: null }
  if (!(await store.insert(tx, { ...key, site_id, name, ...numbers, ...times }))) return null
  await store.insertVersion(tx, {
    project_id,
    app_id: key.id,
    number: 1,
    modules: JSON.stringify(modules),
    code: '[]',
    main,
    allowed_hosts: JSON.stringify(app.allowed_hosts ?? []),
    collections: JSON.stringify(app.collections ?? []),
    services: JSON.stringify(app.services ?? []),
    schedules: JSON.stringify(app.schedules ?? []),
    auth: app.auth ? JSON.stringify(app.auth) : null,
    bytes: modules.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    test: true,
    created_at: now,
  })
  return { ...key, name, missing_secrets, migrations }
}

/** Runs the migrations of an imported app. Returns why one was refused; null if none was. */
export async function migrateImported(
  runtime: Runtime,
  { migrations, ...key }: ImportedApp,
): Promise<string | null> {
  if (migrations.length === 0) return null
  try {
    await runMigrations(runtime, key, migrations)
    return null
  } catch (error) {
    if (error instanceof Problem) return error.detail
    throw error
  }
}
