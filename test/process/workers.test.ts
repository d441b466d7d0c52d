/**
 * Several worker processes on one port: they answer, are replaced when killed, and stop together.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { longTest } from '../fixtures/depth.ts'
import { eventually } from '../fixtures/eventually.ts'
import { startServer, type ServerProcess } from '../fixtures/server-process.ts'
import { freePort, listen } from '../fixtures/loopback.ts'

const WORKERS = 2
const commands = join(import.meta.dirname, '..', '..', 'server', 'command-line', 'main.ts')
const folders: string[] = []
const started: ServerProcess[] = []

after(async () => {
  for (const server of started) await server.stop()
  for (const folder of folders) {
    const file = join(folder, 'postgres', 'postmaster.pid')
    // The PostgreSQL process left by a killed primary process.
    if (existsSync(file)) process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
})

interface Running extends ServerProcess {
  port: number
  folder: string
  settings: Record<string, string>
}

async function startWorkers(port?: number): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-workers-'))
  folders.push(folder)
  port ??= await freePort()
  const settings = {
    HOMEPORT_ENV: 'production',
    HOMEPORT_WORKERS: String(WORKERS),
    HOMEPORT_PORT: String(port),
    HOMEPORT_PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOMEPORT_SECRET: 'a master key for tests that is long enough',
    HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: '',
    HOMEPORT_EGRESS_ALLOW_PRIVATE: '',
    HOMEPORT_CARRIER: 'none',
    HOMEPORT_VAT: 'vies',
    HOMEPORT_PAYMENTS: 'none',
    HOMEPORT_MAIL: 'none',
    HOMEPORT_LOG_LEVEL: 'error',
  }
  const server = await startServer(folder, settings)
  started.push(server)
  return { ...server, port, folder, settings }
}

function command({ folder, settings }: Running, ...args: string[]): any {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, HOMEPORT_DATA_DIR: folder, ...settings }
  const said = execFileSync(process.execPath, [commands, ...args, '--json'], { env })
  return JSON.parse(said.toString())
}

function newKey(server: Running): string {
  const { project_id } = command(server, 'projects', 'create', '--name', 'Bakery')
  return command(server, 'keys', 'create', '--project', project_id, '--mode', 'test').key
}

/** Uses a new connection, which any of the processes may accept. */
async function get({ port }: Running, path: string, key?: string) {
  const headers = key ? { authorization: `Bearer ${key}` } : {}
  const sent = request({ port, host: '127.0.0.1', path, headers, agent: new Agent() }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode, text: Buffer.concat(chunks).toString() }
}

/** The ids of the Node processes that a process started. */
function workersOf(leader: number): number[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
  return all
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) +(\S+) +(.*)$/.exec(line))
    .filter((found) => Number(found?.[2]) === leader && found?.[4]?.includes('start.js'))
    .filter((found) => !found?.[3]?.startsWith('Z'))
    .map((found) => Number(found?.[1]))
}

const isAlive = (pid: number): boolean => {
  try {
    // A zombie has ended, too; its parent has not collected its exit status.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe('HOMEPORT_WORKERS', () => {
  test('above 1 answers from several processes and reports metrics of all of them', async () => {
    const server = await startWorkers()
    assert.equal(workersOf(server.child.pid!).length, WORKERS)
    const key = newKey(server)
    const asked = 6
    for (let n = 0; n < asked; n += 1) {
      const { status, text } = await get(server, '/api/v1/project', key)
      assert.equal(status, 200, text)
      assert.equal(JSON.parse(text).name, 'Bakery')
    }
    const { text } = await get(server, '/metrics')
    const [, counted] =
      /^homeport_request_seconds_count\{operation="project.get",status="200"\} (\d+)/m.exec(text) ??
      []
    assert.equal(Number(counted), asked, text.slice(0, 500))
    assert.equal(await server.stop(), 0)
    assert.deepEqual(workersOf(server.child.pid!), [])
  })

  longTest('above 1 replaces a killed process while the others continue to answer', async () => {
    const server = await startWorkers()
    const key = newKey(server)
    const [victim, other] = workersOf(server.child.pid!) as [number, number]
    process.kill(victim, 'SIGKILL')
    await eventually(() => !isAlive(victim))
    assert.equal((await get(server, '/api/v1/project', key)).status, 200)
    const now = await eventually(() => {
      const workers = workersOf(server.child.pid!)
      return workers.length === WORKERS && workers
    })
    assert.ok(now.includes(other) && !now.includes(victim))
    for (let n = 0; n < 2 * WORKERS; n += 1) {
      assert.equal((await get(server, '/api/v1/project', key)).status, 200)
    }
    assert.equal(await server.stop(), 0)
  })

  longTest('above 1 leaves no process behind when the primary process is killed', async () => {
    const server = await startWorkers()
    const workers = workersOf(server.child.pid!)
    server.child.kill('SIGKILL')
    await once(server.child, 'exit')
    for (const pid of workers) await eventually(() => !isAlive(pid))
  })

  longTest('on a taken port ends with 1 and one line that names the port', async (t) => {
    const port = await listen(t, createServer())
    await assert.rejects(startWorkers(port), {
      message:
        `The server ended with 1: The port ${port} is in use by another program. ` +
        'Set HOMEPORT_PORT to a free one, or to 0.\n',
    })
  })

  for (const [said, settings] of Object.entries({
    'above 1 is for production': { HOMEPORT_WORKERS: '2' },
    'must be a whole number from 1 to 32': { HOMEPORT_WORKERS: 'many' },
    'needs the role web': { HOMEPORT_WORKERS: '2', HOMEPORT_ROLES: 'worker' },
  })) {
    longTest(`with an invalid value is refused: ${said}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'homeport-workers-'))
      folders.push(folder)
      await assert.rejects(startServer(folder, settings), new RegExp(said))
    })
  }
})
