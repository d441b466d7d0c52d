/**
 * Database access for commands: the database of a running server, or the embedded PostgreSQL
 * started for the duration of the command. Commands that start it run one at a time, so that none
 * stops it during another.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../kernel/config/config-types.ts'
import { createSeal } from '../kernel/secrets/crypto.ts'
import { findMasterSecrets, secretFile } from '../kernel/secrets/master-secrets.ts'
import { openDatabase, type Database } from '../kernel/database/database.ts'
import { embeddedConnection, startEmbedded } from '../kernel/database/embedded-postgres.ts'
import { lockFolder } from '../kernel/process/folder-lock.ts'
import type { Runtime } from '../kernel/runtime.ts'
import { createLog, type Log } from '../kernel/log.ts'
import { openRuntime } from '../kernel/open-runtime.ts'
import { CommandError } from './command-error.ts'

const TURN_MS_MAX = 60_000
const SERVER_START_MS_MAX = 15_000
const POLL_MS = 50

/** Silent except at level debug, because a failed command prints one line. */
function commandLog(config: Config): Log {
  return createLog(config.log_level === 'debug' ? 'debug' : 'silent')
}

/**
 * Opens the runtime of an existing installation for `work`. Throws a CommandError, creating nothing, if
 * there is none.
 */
export async function withRuntime<T>(
  config: Config,
  work: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  requireInstallation(config)
  const turn = config.database_url ? null : await takeTurn(config.data_dir)
  try {
    const open = await openRuntime(config, { beside: true, log: commandLog(config) })
    try {
      return await work(open.runtime)
    } finally {
      await open.close()
    }
  } finally {
    await turn?.end()
  }
}

export interface DatabaseAccess {
  connection: pg.PoolConfig
  /** Process id of the server that uses the data folder; 0 if there is none. */
  server_pid: number
  leave(): Promise<void>
}

/** Opens the database without applying migrations. */
export async function openDatabaseAccess(config: Config): Promise<DatabaseAccess> {
  const { data_dir, database_url } = config
  if (database_url) {
    return { connection: { connectionString: database_url }, server_pid: 0, leave: async () => {} }
  }
  const turn = await takeTurn(data_dir)
  if (turn.server_pid > 0) {
    return {
      connection: embeddedConnection(data_dir),
      server_pid: turn.server_pid,
      leave: turn.end,
    }
  }
  try {
    return await startDatabaseAccess(config, turn)
  } catch (error) {
    await turn.end()
    throw error
  }
}

async function startDatabaseAccess(config: Config, turn: Turn): Promise<DatabaseAccess> {
  const { data_dir } = config
  const lock = await lockFolder(data_dir)
  if ('held_by' in lock) {
    throw new CommandError(
      `A Homeport server (process ${lock.held_by}) has just started on ${data_dir}: try again.`,
    )
  }
  const postgres = await startEmbedded({ data_dir, log: commandLog(config) })
  return {
    connection: postgres.connection,
    server_pid: 0,
    async leave() {
      await postgres.stop()
      await lock.release()
      await turn.end()
    },
  }
}

/** Whether DATABASE_URL is set or the data folder has a database. */
export function hasDatabase({ database_url, data_dir }: Config): boolean {
  return database_url !== '' || existsSync(join(data_dir, 'postgres', 'PG_VERSION'))
}

/**
 * Throws a CommandError without an installation. With DATABASE_URL the master key must exist too,
 * because a new one could not open existing secrets.
 */
function requireInstallation(config: Config): void {
  const { data_dir, secret } = config
  if (hasDatabase(config) && (secret !== '' || existsSync(data_dir))) return
  throw new CommandError(
    `There is no Homeport in the data folder ${data_dir}: set HOMEPORT_DATA_DIR to the data folder ` +
      'of the server. "npm start" creates a new installation there.',
  )
}

/**
 * Requires a running server. Without one nothing happens that a command could follow, and it would lock
 * the data folder against its start.
 */
export async function requireServer(settings: Config): Promise<void> {
  const { database_url, data_dir } = settings
  if (database_url) return
  const lock = hasDatabase(settings) ? await lockFolder(data_dir) : null
  if (lock !== null && 'held_by' in lock) return
  await lock?.release()
  throw new CommandError(`No Homeport server runs on ${data_dir}: start it with "npm start" first.`)
}

interface Turn {
  server_pid: number
  end(): Promise<void>
}

/**
 * Acquires the commands' lock. With a running server it is released at once, because the server
 * keeps the database up; otherwise it is held for the duration of the command.
 */
async function takeTurn(data_dir: string): Promise<Turn> {
  const lock = await lockWhenFree(join(data_dir, 'run'))
  try {
    const server_pid = await findServer(data_dir)
    if (server_pid === 0) return { server_pid, end: lock.release }
    await lock.release()
    return { server_pid, end: async () => {} }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function lockWhenFree(folder: string): Promise<{ release(): Promise<void> }> {
  const deadline = performance.now() + TURN_MS_MAX
  for (;;) {
    const lock = await lockFolder(folder)
    if (!('held_by' in lock)) return lock
    if (performance.now() > deadline) {
      throw new CommandError(
        `Another command (process ${lock.held_by}) is using the database: try again when it has ended.`,
      )
    }
    await delay(POLL_MS)
  }
}

/**
 * Waits until the database of a starting server answers, and returns the server's process id; 0 if
 * there is none.
 */
async function findServer(data_dir: string): Promise<number> {
  const deadline = performance.now() + SERVER_START_MS_MAX
  for (;;) {
    const lock = await lockFolder(data_dir)
    if (!('held_by' in lock)) {
      await lock.release()
      return 0
    }
    if (await answers(data_dir)) return lock.held_by
    if (performance.now() > deadline) {
      throw new CommandError(
        `The database of the Homeport server on ${data_dir} (process ${lock.held_by}) does not answer.`,
      )
    }
    await delay(POLL_MS)
  }
}

async function answers(data_dir: string): Promise<boolean> {
  if (!existsSync(join(data_dir, 'postgres-password'))) return false
  const client = new pg.Client(embeddedConnection(data_dir))
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Opens the database for queries of the kernel, without applying migrations. */
export async function withDatabase<T>(
  { connection }: DatabaseAccess,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = openDatabase({ connection: { ...connection, max: 1 }, onError: () => {} })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

export interface MasterKey {
  key_id: string
  /** Id of the key that it replaces, during a rotation. */
  previous_key_id: string | null
  /** The setting or file that contains it. */
  kept_in: string
}

/** Returns the master key; null if none exists. */
export function findMasterKey(config: Config): MasterKey | null {
  const secrets = findMasterSecrets(config)
  if (secrets === null) return null
  const { key_id, previous } = createSeal(secrets.current, secrets)
  const file = secretFile(config.data_dir)
  const kept_in = config.secret ? 'the setting HOMEPORT_SECRET' : `the file ${file}`
  return { key_id, previous_key_id: previous?.key_id ?? null, kept_in }
}
