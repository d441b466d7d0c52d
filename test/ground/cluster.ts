/**
 * One PostgreSQL for a whole test run, with a database that has all migrations. Each test file
 * gets a copy of that one, which takes a few milliseconds, so no test sees what another wrote.
 * `npm test` starts the cluster and names it in the environment; a test file that is run alone
 * starts its own.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../server/kernel/embedded-postgres.ts'
import { createLog } from '../../server/kernel/log.ts'
import { migrate } from '../../server/kernel/migrations.ts'

const TEMPLATE = 'homeport'
const VARIABLE = 'HOMEPORT_TEST_CLUSTER'
/** Longer than in production, so that a busy machine makes a test slower and not fail. */
const CONNECTION_MS_MAX = 30_000

export interface Cluster {
  connection: pg.PoolConfig
  stop(): Promise<void>
}

/** A cluster that is thrown away with its folder: it need not survive a power cut. */
export async function startCluster(): Promise<Cluster> {
  const data_dir = mkdtempSync(join(tmpdir(), 'homeport-test-'))
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
  }
  const postgres = await startEmbedded({ data_dir, log: createLog('warn'), settings })
  await migrate(postgres.connection)
  return {
    connection: postgres.connection,
    async stop() {
      await postgres.stop()
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}

/** What a child process needs to find the cluster. */
export function clusterEnvironment(cluster: Cluster): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(cluster.connection) }
}

// A test file that is run alone has its own cluster for as long as it has databases open.
let own: Promise<Cluster> | null = null
let open = 0

async function connectionOfRun(): Promise<pg.PoolConfig> {
  const given = process.env[VARIABLE]
  if (given) return JSON.parse(given)
  own ??= startCluster()
  return (await own).connection
}

/** A database of its own with all migrations and nothing in it. */
export async function createTestDatabase(): Promise<pg.PoolConfig> {
  open += 1
  const connection = await connectionOfRun()
  const database = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    await client.query(`create database ${database} template ${TEMPLATE}`)
  } finally {
    await client.end()
  }
  return { ...connection, database, connectionTimeoutMillis: CONNECTION_MS_MAX }
}

export async function dropTestDatabase({ database, ...connection }: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    await client.query(`drop database if exists ${database} with (force)`)
  } finally {
    await client.end()
  }
  open -= 1
  if (open > 0 || !own) return
  const cluster = await own
  own = null
  await cluster.stop()
}
