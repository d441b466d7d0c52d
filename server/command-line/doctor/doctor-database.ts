/** Checks of the database: version, migrations, clock, failed jobs and disabled endpoints. */
import type pg from 'pg'
import { systemClock } from '../../kernel/clock.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import { deadJobs } from '../../kernel/jobs/jobs.ts'
import { readMigrations } from '../../kernel/database/migrations.ts'
import type { DoctorCheck } from './doctor-check.ts'
import {
  findMasterKey,
  hasDatabase,
  openDatabaseAccess,
  withDatabase,
  type DatabaseAccess,
} from '../database-access.ts'
import { CommandError } from '../command-error.ts'
import { withClient } from '../../kernel/backup/connection.ts'
import * as store from '../../kernel/backup/store.ts'
import { formatCount } from '../output.ts'
import { countSealedValues } from '../sealed-values.ts'

const POSTGRES_VERSION_MIN = 150_000
const CLOCK_MS_WARN = 2_000
const CLOCK_MS_FAIL = 60_000

export async function checkDatabase(config: Config): Promise<DoctorCheck[]> {
  const name = 'database'
  if (!hasDatabase(config)) {
    return [
      {
        name,
        status: 'ok',
        detail: 'There is no database yet; the first start creates it.',
        next_step: null,
      },
    ]
  }
  try {
    const database = await openDatabaseAccess(config)
    try {
      return await lookInto(database, config)
    } finally {
      await database.leave()
    }
  } catch (error) {
    return [{ name, status: 'fail', ...unreachable(error, config) }]
  }
}

function unreachable(
  error: unknown,
  { database_url }: Config,
): { detail: string; next_step: string } {
  const said = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  const detail =
    error instanceof CommandError
      ? said
      : `The database cannot be reached: ${said || 'no answer'}${code}.`
  const next_step = database_url
    ? 'Check DATABASE_URL, and that this PostgreSQL runs and accepts connections from this machine.'
    : 'Run the server with HOMEPORT_LOG_LEVEL=debug to see the messages of PostgreSQL.'
  return { detail, next_step }
}

function lookInto(database: DatabaseAccess, config: Config): Promise<DoctorCheck[]> {
  return withClient(database.connection, async (client) => {
    const first = [await checkVersion(client, database), await checkClock(client)]
    const migrations = checkMigrations(await store.listApplied(client))
    // These tables exist only after all migrations.
    if (migrations.status !== 'ok') return [...first, migrations]
    const sealed = await checkSealedValues(database, config)
    return [...first, migrations, sealed, await checkJobs(database), await checkEndpoints(client)]
  })
}

async function checkVersion(
  client: pg.Client,
  { server_pid }: DatabaseAccess,
): Promise<DoctorCheck> {
  const name = 'database'
  const version = await store.readVersion(client)
  const by = server_pid > 0 ? `, beside the running Homeport (process ${server_pid})` : ''
  const detail = `PostgreSQL ${version.text} answers${by}.`
  if (version.number >= POSTGRES_VERSION_MIN) return { name, status: 'ok', detail, next_step: null }
  return { name, status: 'fail', detail, next_step: 'Homeport needs PostgreSQL 15 or newer.' }
}

async function checkClock(client: pg.Client): Promise<DoctorCheck> {
  const before_ms = systemClock.now_ms()
  const database_ms = await store.readDatabaseTime(client)
  const middle_ms = (before_ms + systemClock.now_ms()) / 2
  return clockCheck(Math.abs(database_ms - middle_ms))
}

export function clockCheck(apart_ms: number): DoctorCheck {
  const name = 'clock'
  const status = apart_ms > CLOCK_MS_FAIL ? 'fail' : apart_ms > CLOCK_MS_WARN ? 'warn' : 'ok'
  const detail = `The clocks of this machine and the database differ by ${(apart_ms / 1000).toFixed(1)} s.`
  const next_step = status === 'ok' ? null : 'Synchronize both machines by NTP.'
  return { name, status, detail, next_step }
}

export function checkMigrations(applied: readonly store.AppliedMigration[]): DoctorCheck {
  const name = 'migrations'
  const known = readMigrations()
  const foreign = applied.filter(
    ({ number, hash }) => !known.some((one) => one.number === number && one.hash === hash),
  )
  if (foreign.length > 0) {
    const names = foreign.map((one) => one.name).join(', ')
    const detail = `The database has migrations that this version does not have: ${names}.`
    return {
      name,
      status: 'fail',
      detail,
      next_step: 'Run the version of Homeport that applied them, or a newer one.',
    }
  }
  const newest = applied.at(-1)?.number ?? 0
  const due = known.filter(({ number }) => number > newest)
  if (due.length === 0)
    return {
      name,
      status: 'ok',
      detail: `All migrations are applied, up to ${newest}.`,
      next_step: null,
    }
  const detail = `${formatCount(due.length, 'migration')} to apply: ${due.map((one) => one.name).join(', ')}.`
  return {
    name,
    status: 'warn',
    detail,
    next_step: 'Run "migrate", or start the server, which applies them too.',
  }
}

async function checkSealedValues(database: DatabaseAccess, config: Config): Promise<DoctorCheck> {
  const name = 'sealed_values'
  const key = findMasterKey(config)
  const counts = await withDatabase(database, countSealedValues)
  const known = [key?.key_id, key?.previous_key_id]
  const count = counts
    .filter(({ key_id }) => !known.includes(key_id))
    .reduce((sum, { values }) => sum + values, 0)
  if (count === 0) {
    return {
      name,
      status: 'ok',
      detail: 'The master key decrypts all secrets.',
      next_step: null,
    }
  }
  const detail = `${formatCount(count, 'secret')} in the database cannot be decrypted with this master key.`
  const next_step = 'Set HOMEPORT_SECRET to the key that encrypted them, or restore its file.'
  return { name, status: 'fail', detail, next_step }
}

async function checkJobs(database: DatabaseAccess): Promise<DoctorCheck> {
  const name = 'jobs'
  const { count, jobs } = await withDatabase(database, deadJobs)
  if (count === 0)
    return { name, status: 'ok', detail: 'No job has failed for good.', next_step: null }
  const [newest] = jobs
  const detail = `${formatCount(count, 'job')} given up; the newest is ${newest?.job}: ${newest?.last_error ?? 'no reason known'}`
  return {
    name,
    status: 'warn',
    detail,
    next_step: 'Fix the cause of the error, then run "homeport jobs retry".',
  }
}

async function checkEndpoints(client: pg.Client): Promise<DoctorCheck> {
  const name = 'webhooks'
  const count = await store.countDisabledEndpoints(client)
  if (count === 0)
    return { name, status: 'ok', detail: 'No endpoint is disabled.', next_step: null }
  const detail = `${formatCount(count, 'endpoint')} disabled because deliveries kept failing.`
  return {
    name,
    status: 'warn',
    detail,
    next_step: 'The owner has to fix the receiver and enable the endpoint again.',
  }
}
