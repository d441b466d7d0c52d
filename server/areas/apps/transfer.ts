/**
 * Apps in the export of a project, and their import: code, settings and migrations, without secrets, users
 * and rows. An imported app is not deployed: its next deploy runs all checks, because the file could hold
 * anything.
 */
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { MIGRATIONS } from '../../kernel/backup/app-sections.ts'
import { inTransaction, StatementFailed } from '../../kernel/database/run-app-statements.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { openPool } from './database/app-database.ts'
import { runMigrations } from './database/database.ts'
import { columnsOf, firstDefinition } from './deploy/definition.ts'
import { AppInput, type MigrationsInput } from './schema.ts'
import * as store from './store.ts'

type Migration = MigrationsInput['migrations'][number]

const ArchivedApp = Type.Object(
  {
    app: AppInput,
    /** Names of the secrets, whose values are not exported. */
    secrets: Type.Array(Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,63}$' }), { maxItems: 1_000 }),
    /** In the order in which they ran; the SQL of those of the first version is empty. */
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

const reading = { read_only: true, seconds_max: limits.app_migration_s_max }
const UNDEFINED_TABLE = '42P01'

/** Reads each in a transaction of its own, because a transaction has a limit on the bytes of results. */
async function listMigrations(runtime: Runtime, key: store.AppKey): Promise<Migration[]> {
  const pool = await openPool(runtime, key)
  try {
    // The record of an app of the first version has neither numbers nor SQL.
    const names = await inTransaction(pool, reading, (run) =>
      run(`select name from ${MIGRATIONS} as m order by to_jsonb(m) -> 'number', applied_at`),
    )
    const migrations: Migration[] = []
    for (const [name] of names.rows) {
      const found = await inTransaction(pool, reading, (run) =>
        run(`select to_jsonb(m) ->> 'sql' from ${MIGRATIONS} as m where name = $1`, [name]),
      )
      migrations.push({ name: String(name), sql: String(found.rows[0]?.[0] ?? '') })
    }
    return migrations
  } catch (error) {
    if (error instanceof StatementFailed && error.code === UNDEFINED_TABLE) return []
    throw error
  } finally {
    await pool.end()
  }
}

export interface ImportedApp extends store.AppKey {
  name: string
  missing_secrets: string[]
  /** Names of migrations that ran before their SQL was recorded. */
  missing_migrations: string[]
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
  if (!schemaChecks().Check(ArchivedApp, archived)) return null
  const { app, secrets: missing_secrets, migrations } = archived
  const modules = app.modules.flatMap(({ path, text }) =>
    text === undefined ? [] : { path, text },
  )
  if (modules.length < app.modules.length) return null
  const now = clock.now()
  const key = { project_id, id: newId(clock) }
  const { site_id, name } = app
  const numbers = { live_version: 1, last_version: 1, test: true }
  const times = { created_at: now, updated_at: now, deployed_at: null }
  if (!(await store.insert(tx, { ...key, site_id, name, ...numbers, ...times }))) return null
  await store.insertVersion(tx, {
    project_id,
    app_id: key.id,
    number: 1,
    ...columnsOf(firstDefinition(app, modules)),
    code: '[]',
    test: true,
    created_at: now,
  })
  const missing = migrations.filter(({ sql }) => sql === '')
  return {
    ...key,
    name,
    missing_secrets,
    missing_migrations: missing.map((one) => one.name),
    migrations: migrations.filter(({ sql }) => sql !== ''),
  }
}

/** Runs the migrations of an imported app. Returns why they were not completed; null if they were. */
export async function migrateImported(
  runtime: Runtime,
  { migrations, project_id, id }: ImportedApp,
): Promise<string | null> {
  if (migrations.length === 0) return null
  try {
    await runMigrations(runtime, { project_id, id }, migrations)
    return null
  } catch (error) {
    if (error instanceof Problem) return error.detail
    // The import is committed, so that a fault of one app must not hide the report of the others.
    return `Its migrations were not completed: ${error instanceof Error ? error.message : String(error)}`
  }
}
