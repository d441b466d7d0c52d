/** Migrations and queries of the own database of an app. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { createMigrations, MIGRATIONS } from '../../../kernel/backup/app-sections.ts'
import { findCatalogCopies, ownSize, type AppPool } from '../../../kernel/database/app-schemas.ts'
import { NoSlot } from '../../../kernel/limits/slots.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { formatSize } from '../../../kernel/values/size.ts'
import { findApp } from '../apps.ts'
import type { MigrationsInput, MigrationsReply, QueryInput, QueryReply } from '../schema.ts'
import * as store from '../store.ts'
import { findRoom, measure, openPool, queryLimits } from './app-database.ts'
import {
  inTransaction,
  runStatements,
  StatementFailed,
  type Run,
} from '../../../kernel/database/run-app-statements.ts'

const writing = { read_only: false, seconds_max: limits.app_migration_s_max }

/** POST /apps/{id}/migrations */
export async function migrate(
  caller: Caller,
  id: string,
  { migrations }: MigrationsInput,
): Promise<MigrationsReply> {
  const { project_id } = await findApp(caller, id)
  return runMigrations(caller.runtime, { project_id, id }, migrations)
}

export async function runMigrations(
  runtime: Runtime,
  app: store.AppKey,
  migrations: MigrationsInput['migrations'],
): Promise<MigrationsReply> {
  const pool = await openPool(runtime, app)
  const applied: string[] = []
  const skipped: string[] = []
  let running: string | null = null
  try {
    await prepareRecords(pool)
    const room = await findRoom(runtime, app)
    const now = runtime.clock.now()
    for (const migration of migrations) {
      running = migration.name
      const ran = await applyOrFindCopies(pool, migration, { room, now })
      const list = ran ? applied : skipped
      list.push(migration.name)
    }
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error
    const done = applied.length === 0 ? '' : ` These ran before: ${applied.join(', ')}.`
    const place = running === null ? '' : `The migration "${running}" was refused: `
    throw new Problem('migration_failed', `${place}${error.message}${done}`, {
      fields: { applied, skipped },
    })
  } finally {
    await pool.end()
  }
  return { applied, skipped, database_bytes: await measureOrRecall(runtime, app) }
}

/** The migrations have run, so that a wait for the size must not refuse them. */
async function measureOrRecall(runtime: Runtime, app: store.AppKey): Promise<number> {
  try {
    return await measure(runtime, app)
  } catch (error) {
    if (!(error instanceof NoSlot)) runtime.log.warn({ err: error }, 'an app could not be measured')
    return Number((await store.find(runtime.db, app))?.database_bytes ?? 0)
  }
}

/** Two requests may create the table at the same time, of which one fails. */
async function prepareRecords(pool: AppPool): Promise<void> {
  try {
    await inTransaction(pool, writing, (run) => run(createMigrations))
  } catch (error) {
    if (!(error instanceof StatementFailed) || !TAKEN.has(error.code ?? '')) throw error
  }
}

/** Unique violation, and relation exists. */
const TAKEN = new Set(['23505', '42P07'])

interface Applying {
  room: number
  now: Date
}

/** Returns false if it ran before. SQL that is denied a whole catalog runs again and finds its copy. */
async function applyOrFindCopies(
  pool: AppPool,
  { name, sql }: MigrationsInput['migrations'][number],
  options: Applying,
): Promise<boolean> {
  try {
    return await applyMigration(pool, { name, sql, path: null }, options)
  } catch (error) {
    if (!(error instanceof StatementFailed) || !error.is_of_catalog) throw error
    return applyMigration(pool, { name, sql, path: findCatalogCopies }, options).catch(() => {
      throw error
    })
  }
}

/** Its record is in the schema of the app, in the same transaction. */
function applyMigration(
  pool: AppPool,
  { name, sql, path }: MigrationsInput['migrations'][number] & { path: string | null },
  { room, now }: Applying,
): Promise<boolean> {
  const hash = sha256(sql).toString('hex')
  return inTransaction(pool, writing, async (run) => {
    await run(`lock table ${MIGRATIONS}`)
    const { rows } = await run(`select sha256 from ${MIGRATIONS} where name = $1`, [name])
    if (rows[0]?.[0] === hash) return false
    if (rows.length > 0) {
      const message = 'It ran before with other SQL. Give a change a new name.'
      throw new StatementFailed(message, null)
    }
    const before = await sizeWithin(run)
    if (path !== null) await run(path)
    await run(sql)
    await run('reset search_path')
    const row = [name, hash, now, sql]
    await run(
      `insert into ${MIGRATIONS} (name, sha256, applied_at, sql) values ($1, $2, $3, $4)`,
      row,
    )
    // Triggers can write, deferred ones too. It holds until the transaction ends, so that it is the last.
    await run('set constraints all immediate')
    const after = await sizeWithin(run)
    if (after > before && after > room) {
      const message = `The database would have ${formatSize(after)}; this plan allows ${formatSize(room)}.`
      throw new StatementFailed(message, null)
    }
    return true
  })
}

/**
 * The size as the transaction sees it. The search path keeps the SQL of the app from replacing what the query
 * calls.
 */
async function sizeWithin(run: Run): Promise<number> {
  await run('set search_path = pg_catalog')
  const found = await run(ownSize.isKnown)
  const { rows } = await run(found.rows[0]?.[0] === true ? ownSize.all : ownSize.tables)
  await run('reset search_path')
  return Number(rows[0]?.[0])
}

/** POST /apps/{id}/query */
export async function query(caller: Caller, id: string, input: QueryInput): Promise<QueryReply> {
  const app = await findApp(caller, id)
  const pool = await openPool(caller.runtime, app)
  const started_ms = performance.now()
  try {
    const statement = { sql: input.sql, parameters: input.parameters ?? [] }
    const options = { read_only: true, ...queryLimits }
    const [result] = await runStatements(pool, [statement], options)
    const { columns, rows, truncated } = result!
    return { columns, rows, truncated, duration_ms: Math.round(performance.now() - started_ms) }
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error
    throw new Problem('query_failed', error.message)
  } finally {
    await pool.end()
  }
}
