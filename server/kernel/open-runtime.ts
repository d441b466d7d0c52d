/**
 * Opens a runtime: the database (embedded or external) with its migrations, the clock, the master key
 * and the guarded outbound clients. The server and the command line both start here. The command line
 * may use a data folder that a running server holds.
 */
import type pg from 'pg'
import { createWakeups } from './jobs/wakeups.ts'
import { openBlobs } from './blobs/blobs.ts'
import { movableClock, type MovableClock } from './clock.ts'
import { ConfigError } from './config/config.ts'
import type { Config } from './config/config-types.ts'
import type { Seal } from './secrets/crypto.ts'
import { openSeal, type MasterSecrets } from './secrets/lasting-mac-keys.ts'
import { nameOfConnection, readMasterSecrets } from './secrets/master-secrets.ts'
import { openDatabase, type Database } from './database/database.ts'
import { APP_CONNECTIONS_MAX } from './database/app-schemas.ts'
import { embeddedConnection, startEmbedded } from './database/embedded-postgres.ts'
import { lockFolder } from './process/folder-lock.ts'
import type { Runtime } from './runtime.ts'
import { createLog, type Log } from './log.ts'
import { createMetrics } from './metrics.ts'
import { migrate } from './database/migrations.ts'
import { createOutbound } from './outbound/outbound.ts'
import { readClockOffset, readServerOffset } from './settings.ts'

export interface OpenRuntime {
  runtime: Runtime
  /** The clock of the runtime, with the methods of a movable clock. */
  clock: MovableClock
  connection: pg.PoolConfig
  close(): Promise<void>
}

export interface OpenOptions {
  /** Shares the data folder with the server that holds it, instead of refusing to start. */
  beside?: boolean
  log?: Log
}

/** The connection to the database, and the function that releases it. */
interface Storage {
  connection: pg.PoolConfig
  leave(): Promise<void>
}

export async function openRuntime(config: Config, options: OpenOptions = {}): Promise<OpenRuntime> {
  const log = options.log ?? createLog(config.log_level)
  const storage = config.database_url
    ? { connection: { connectionString: config.database_url }, leave: async () => {} }
    : await embeddedStorage(config, log, options.beside ?? false)
  try {
    return await assemble({ config, log, storage, beside: options.beside ?? false })
  } catch (error) {
    await storage.leave()
    throw error
  }
}

async function embeddedStorage(config: Config, log: Log, beside: boolean): Promise<Storage> {
  const { data_dir } = config
  const lock = await lockFolder(data_dir)
  if ('held_by' in lock) {
    if (beside) return { connection: embeddedConnection(data_dir), leave: async () => {} }
    throw new ConfigError(
      `Another Homeport (process ${lock.held_by}) already uses the data folder ${data_dir}. Stop it, or set HOMEPORT_DATA_DIR to another folder.`,
    )
  }
  const settings = { max_connections: String(connectionsFor(config)) }
  const postgres = await startEmbedded({ data_dir, log, settings }).catch(
    async (error: unknown) => {
      await lock.release()
      throw error
    },
  )
  return {
    connection: postgres.connection,
    async leave() {
      await postgres.stop()
      await lock.release()
    },
  }
}

/** Ten connections per process and those of its apps, and thirty for the command line and backups. */
function connectionsFor({ workers }: Config): number {
  return Math.max(60, (workers + 1) * 10 + 30) + Math.max(1, workers) * APP_CONNECTIONS_MAX
}

async function assemble({
  config,
  log,
  storage,
  beside,
}: {
  config: Config
  log: Log
  storage: Storage
  beside: boolean
}): Promise<OpenRuntime> {
  const applied = await migrate(storage.connection)
  if (applied.length > 0) {
    log.info({ applied: applied.length, newest: applied.at(-1) }, 'migrations were applied')
  }
  const secrets = readMasterSecrets(config)
  const connection = { ...storage.connection, application_name: nameOfConnection(secrets) }
  let closing = false
  const onError = (error: Error) => {
    if (!closing) log.warn({ err: error }, 'a database connection was lost')
  }
  const db = openDatabase({ connection, onError })
  const clock = movableClock(await offsetOf(db, { config, beside }))
  const policy = {
    allow_cidrs: config.egress_allow,
    proxy_url: config.egress_proxy_url || null,
  }
  const outbound = createOutbound({ ...policy, allow_private: config.egress_allow_private })
  const webhook_outbound = createOutbound({
    ...policy,
    allow_private: config.webhooks_allow_private,
  })
  const runtime: Runtime = {
    config,
    db,
    connection: storage.connection,
    clock,
    log,
    seal: await openSealOf(db, secrets),
    wakeups: createWakeups(),
    blobs: openBlobs(config),
    metrics: createMetrics(),
    outbound,
    webhook_outbound,
  }
  return {
    runtime,
    clock,
    connection,
    async close() {
      closing = true
      await outbound.close()
      await webhook_outbound.close()
      await runtime.blobs.close()
      await db.close()
      await storage.leave()
    },
  }
}

/** A command that shares the data folder uses the clock offset of the server. */
function offsetOf(
  db: Database,
  { config, beside }: { config: Config; beside: boolean },
): number | Promise<number> {
  if (config.test_clock) return readClockOffset(db)
  return beside ? readServerOffset(db) : 0
}

/** Closes the database if the seal cannot be opened. */
async function openSealOf(db: Database, secrets: MasterSecrets): Promise<Seal> {
  try {
    return await openSeal(db, secrets)
  } catch (error) {
    await db.close()
    throw error
  }
}
