/**
 * Stops a server that was started through npm, by a signal to npm or to Node: afterwards neither
 * Node nor PostgreSQL runs, and the next start succeeds.
 */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it, type TestContext } from 'node:test'
import { longTest } from '../fixtures/depth.ts'
import { eventually } from '../fixtures/eventually.ts'
import { startServer } from '../fixtures/server-process.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'homeport-npm-'))
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

interface Script {
  npm: ChildProcess
  /** The Node process that npm started. */
  node_pid: number
}

/** Runs an npm script until it has printed a line that matches. */
async function runScript(t: TestContext, args: readonly string[], until: RegExp): Promise<Script> {
  const npm = spawn('npm', ['run', '-s', ...args], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOME: folder,
      HOMEPORT_DATA_DIR: folder,
      HOMEPORT_PORT: '0',
      HOMEPORT_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => void npm.kill('SIGTERM'))
  for await (const line of createInterface({ input: npm.stdout })) if (until.test(line)) break
  npm.stdout.resume()
  const children = readFileSync(`/proc/${npm.pid}/task/${npm.pid}/children`, 'utf8')
  return { npm, node_pid: Number(children.trim().split(' ')[0]) }
}

/** True while the process runs; false once it has ended, also as a zombie. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const postgresRuns = () => existsSync(join(folder, 'postgres', 'postmaster.pid'))

describe('npm start', { timeout: 120_000 }, () => {
  for (const [signal, to] of [
    ['SIGTERM', 'npm'],
    ['SIGINT', 'npm'],
    ['SIGKILL', 'npm'],
    ['SIGTERM', 'node'],
  ] as const) {
    const here = signal === 'SIGTERM' && to === 'npm' ? it : longTest
    here(`stops Node and PostgreSQL on ${signal} to ${to} alone`, async (t) => {
      const { npm, node_pid } = await runScript(t, ['start'], /^sites:/)
      assert(postgresRuns())
      process.kill(to === 'npm' ? npm.pid! : node_pid, signal)
      await eventually(() => !isAlive(node_pid) && !postgresRuns())
    })
  }
})

describe('npm run homeport -- listen', { timeout: 120_000 }, () => {
  const servers: Awaited<ReturnType<typeof startServer>>[] = []
  before(async () => void servers.push(await startServer(folder)))
  after(() => servers[0]?.stop())

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
    longTest(`ends on ${signal} to npm alone`, async (t) => {
      const listen = ['homeport', '--', 'listen', '--forward-to', 'http://localhost:1/']
      const { npm, node_pid } = await runScript(t, listen, /Waiting for events/)
      const exited = once(npm, 'exit')
      npm.kill(signal)
      await exited
      await eventually(() => !isAlive(node_pid))
    })
  }
})
