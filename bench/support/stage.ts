/**
 * The environment of an area: a temporary folder with one embedded PostgreSQL in its default
 * configuration, except for more connections and TCP. Every service has its own database.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../server/kernel/database/embedded-postgres.ts'
import { createLog } from '../../server/kernel/log.ts'

export interface NewDatabase {
  connection: pg.PoolConfig
  url: string
}

export interface BenchStage {
  /** For files. */
  folder: string
  postgres_pid: number
  postgres_version: string
  newDatabase(name: string): Promise<NewDatabase>
  close(): Promise<void>
}

/** `settings` are added to those of PostgreSQL. */
export async function openStage(settings: Record<string, string> = {}): Promise<BenchStage> {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const data_dir = join(folder, 'cluster')
  // A separate loopback address, because other clusters on the machine may use the usual one.
  const host = `127.${1 + (process.pid % 250)}.${1 + ((process.pid >> 8) % 250)}.1`
  const postgres = await startEmbedded({
    data_dir,
    log: createLog('silent'),
    // Enough connections for six services.
    settings: { listen_addresses: host, max_connections: '300', ...settings },
  })
  const pid_file = join(data_dir, 'postgres', 'postmaster.pid')
  const client = new pg.Client(postgres.connection)
  await client.connect()
  const { rows } = await client.query('show server_version')
  return {
    folder,
    postgres_pid: Number(readFileSync(pid_file, 'utf8').split('\n')[0]),
    postgres_version: rows[0].server_version,
    async newDatabase(database) {
      await client.query(`create database "${database}"`)
      const { user = '', password } = postgres.connection
      const secret = String(password)
      const url = `postgres://${user}:${encodeURIComponent(secret)}@${host}:5432/${database}`
      return { connection: { host, port: 5432, user, password: secret, database }, url }
    },
    async close() {
      await client.end()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
