/**
 * One workerd process, which runs the code of one app: an unprivileged user of its own if the server is
 * root, no network where the kernel allows that, limits on memory and files, and a folder with its
 * sockets that no other process may enter.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHostServers, type AppHost, type HostServers } from './host-servers.ts'
import { SECRET_PREFIX, writeConfig } from './workerd-config.ts'

export interface AppModule {
  path: string
  text: string
}

/** Everything that a process is started with. The first module is the main module. */
export interface AppCode {
  modules: readonly AppModule[]
  secrets: Readonly<Record<string, string>>
}

export interface AppProcess {
  /** The socket for requests of visitors, and that of the server itself. */
  socket: string
  control: string
  pid: number
  /** Resolves when the process has ended. */
  ended: Promise<void>
  kill(): void
}

/** The code does not start. The message names the file and the line, as far as workerd does. */
export class AppStartFailed extends Error {
  override readonly name = 'AppStartFailed'
}

const START_MS_MAX = 5_000
const STDERR_CHARACTERS_MAX = 20_000
const FAULT_CHARACTERS_MAX = 1_000
/** RLIMIT_DATA: an idle workerd already reserves 540 MB. */
const DATA_BYTES_MAX = 780_000_000
const FILES_MAX = 256
/** Users without a name, one per process, as systemd uses them for services. */
const FIRST_UID = 61_184
const UIDS = 4_000
let uids_used = 0

/** `network_namespace`: the process has no network at all; `process`: only workerd restricts it. */
type Isolation = 'network_namespace' | 'process'

let known: { command: string[]; isolation: Isolation } | undefined

/** Whether the kernel keeps app processes off the network. */
export function isIsolated(): boolean {
  return isolation().isolation === 'network_namespace'
}

/** The command line before the program, tried once. */
function isolation(): { command: readonly string[]; isolation: Isolation } {
  const limits = ['prlimit', `--data=${DATA_BYTES_MAX}`, `--nofile=${FILES_MAX}`, '--core=0']
  const dying = ['setpriv', '--pdeathsig', 'KILL']
  const candidates = [
    { command: ['unshare', '-Urn', ...dying, ...limits], isolation: 'network_namespace' },
    { command: [...dying, ...limits], isolation: 'process' },
  ] as const
  known ??= candidates
    .map(({ command, isolation }) => ({ command: [...command], isolation }))
    .find(({ command: [program, ...rest] }) => {
      const as_user = process.getuid?.() === 0 ? { uid: FIRST_UID, gid: FIRST_UID } : {}
      return spawnSync(program!, [...rest, 'true'], as_user).status === 0
    }) ?? { command: [], isolation: 'process' }
  return known
}

/** Starts the code. Throws AppStartFailed if it does not load. */
export async function startApp(code: AppCode, host: AppHost): Promise<AppProcess> {
  const folder = join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-${randomBytes(8).toString('hex')}`)
  await removeRemains()
  await mkdir(folder, { mode: 0o700 })
  let servers: HostServers | null = null
  const tidy = () => {
    servers?.close()
    host.closed()
    return rm(folder, { recursive: true, force: true })
  }
  try {
    const user = process.getuid?.() === 0 ? nextUser() : null
    await writeFiles(code, folder)
    servers = await openHostServers(host, folder)
    if (user)
      await Promise.all(['', ...filesOf(code)].map((path) => chown(join(folder, path), user, user)))
    const child = launch(code, { folder, user })
    // Of all its threads; the watchdog raises that of the code again while it works little.
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    const ended = new Promise<void>((done) => child.once('close', () => done(tidy())))
    await started(child)
    return {
      socket: join(folder, 'app.sock'),
      control: join(folder, 'control.sock'),
      pid: child.pid!,
      ended,
      kill: () => child.kill('SIGKILL'),
    }
  } catch (error) {
    if (!(error instanceof AppStartFailed)) await tidy()
    throw error
  }
}

const FOLDER_PREFIX = 'homeport-app-'
let is_clean = false

/** Removes the folders of servers that were killed, once. */
async function removeRemains(): Promise<void> {
  if (is_clean) return
  is_clean = true
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^homeport-app-(\d+)-[0-9a-f]{16}$/.exec(name) ?? []
    if (pid === undefined || isAlive(Number(pid))) continue
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return Object(error).code === 'EPERM'
  }
}

function nextUser(): number {
  uids_used = (uids_used + 1) % UIDS
  return FIRST_UID + uids_used
}

const fixed_files = ['config.capnp', 'host-worker.js'] as const

function filesOf({ modules }: AppCode): string[] {
  return [...fixed_files, ...modules.map((_, index) => `module-${index}`)]
}

async function writeFiles({ modules, secrets }: AppCode, folder: string): Promise<void> {
  const write = (name: string, text: string | Buffer) =>
    writeFile(join(folder, name), text, { mode: 0o600 })
  const configured = modules.map(({ path }, index) => ({
    path,
    file: `module-${index}`,
    kind: kindOf(path),
  }))
  const worker = await readFile(join(import.meta.dirname, 'host-worker.js'))
  await Promise.all([
    ...modules.map(({ text }, index) => write(`module-${index}`, text)),
    write('host-worker.js', worker),
    write(
      'config.capnp',
      writeConfig({ modules: configured, secrets: Object.keys(secrets) }, folder),
    ),
  ])
}

function kindOf(path: string): 'esModule' | 'text' | 'json' {
  if (path.endsWith('.json')) return 'json'
  return /\.(?:js|mjs|ts|mts)$/.test(path) ? 'esModule' : 'text'
}

interface Place {
  folder: string
  user: number | null
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The descriptor of the program in the process, so that no folder above it has to be open. */
const PROGRAM_FD = 4

function launch({ secrets }: AppCode, { folder, user }: Place): ChildProcess {
  const program = openSync(programPath(), 'r')
  const args = ['serve', join(folder, 'config.capnp'), 'config', '--control-fd=3']
  const line = [...isolation().command, `/proc/self/fd/${PROGRAM_FD}`, ...args]
  const named = Object.entries(secrets).map(([name, value]) => [SECRET_PREFIX + name, value])
  try {
    return spawn(line[0]!, line.slice(1), {
      cwd: folder,
      env: { PATH: SYSTEM_PATH, ...Object.fromEntries(named) },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', program],
      ...(user === null ? {} : { uid: user, gid: user }),
    })
  } finally {
    closeSync(program)
  }
}

function programPath(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('workerd/package.json'))
  const cpu = process.arch === 'arm64' ? 'arm64' : '64'
  return require.resolve(`@cloudflare/workerd-${process.platform}-${cpu}/bin/workerd`)
}

/** Waits until both sockets listen. */
async function started(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let said = ''
  let listening = 0
  child.stderr!.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-STDERR_CHARACTERS_MAX)
  })
  const control = child.stdio[3]!
  // A pipe of a process that was killed can be reset.
  for (const pipe of [child.stderr!, control]) pipe.on('error', () => {})
  control.on('data', (chunk: Buffer) => {
    listening += chunk.toString().split('"listen"').length - 1
    if (listening >= 2) resolve()
  })
  child.once('error', reject)
  child.once('close', () => reject(new AppStartFailed(readFault(said))))
  const timer = setTimeout(() => {
    child.kill('SIGKILL')
    reject(new AppStartFailed(`The code did not start within ${START_MS_MAX / 1000} s.`))
  }, START_MS_MAX)
  try {
    await promise
  } finally {
    clearTimeout(timer)
  }
}

/** Reads the first error that workerd wrote before it ended, with its file and line. */
function readFault(said: string): string {
  const faults = said
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
    .map(messageOf)
  const fault = faults[0]
    ?.replace(/^service app: (?:Uncaught )?/, '')
    .slice(0, FAULT_CHARACTERS_MAX)
  return fault ?? 'The code does not start.'
}

function messageOf(line: string): string {
  try {
    return String(JSON.parse(line).message)
  } catch {
    return line
  }
}
