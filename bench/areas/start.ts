/**
 * `npm run bench -- start`: first and later starts, from spawning the process to its banner; memory
 * when idle and under load; the first request of each kind; duration and disk usage of `npm ci` in a clean clone.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { embeddedConnection } from '../../server/kernel/database/embedded-postgres.ts'
import { startServer } from '../../test/fixtures/server-process.ts'
import { addKeys, bearers } from '../support/keys.ts'
import { generatorText, measure } from '../support/load.ts'
import { readOptions } from '../support/options.ts'
import { processorMs, residentMb } from '../support/processor.ts'
import { begin, type Cell, type ResultTable } from '../support/result.ts'
import { rounded, spread } from '../support/spread.ts'
import { openStage } from '../support/stage.ts'

const CONNECTIONS = 32
const KEYS = 12_000
const SETTLE_MS = 3000
/** Idle memory is that after a minute without requests. */
const IDLE_MS = 60_000
const LOAD_S = 10

const options = readOptions()
const finish = begin('start', options)
const stage = await openStage()
const root = join(import.meta.dirname, '..', '..')

async function starts(): Promise<ResultTable> {
  const first: number[] = []
  const later: number[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    const data_dir = mkdtempSync(join(stage.folder, 'start-'))
    for (const list of [first, later]) {
      const begun = performance.now()
      const server = await startServer(data_dir)
      list.push((performance.now() - begun) / 1000)
      await server.stop()
    }
    rmSync(data_dir, { recursive: true })
  }
  return {
    title: 'From the command to the banner',
    about: 'The first start makes the database, every table and the demo project.',
    columns: ['start', 'seconds'],
    rows: [
      ['first', spread(first)],
      ['later', spread(later)],
    ],
  }
}

/** Memory of the Node process, and of it together with its PostgreSQL. */
async function memory(): Promise<ResultTable> {
  const data_dir = mkdtempSync(join(stage.folder, 'memory-'))
  const server = await startServer(data_dir, { HOMEPORT_LOG_LEVEL: 'error' })
  const pid = server.child.pid ?? 0
  const heldMb = (): Cell[] => [rounded(alone(pid)), rounded(residentMb(pid))]
  await delay(SETTLE_MS)
  const [before = 0] = processorMs([pid])
  await delay(IDLE_MS - SETTLE_MS)
  const [after = 0] = processorMs([pid])
  const idle = heldMb()
  const client = new pg.Client(embeddedConnection(data_dir))
  await client.connect()
  const headers = bearers(await addKeys(client, server.banner['project_id']!, KEYS))
  await client.query('analyze')
  await client.end()
  const port = Number(new URL(server.banner['base_url']!).port)
  await measure({
    requests: { port, count: KEYS, methods: ['GET'], paths: ['/api/v1/project'], headers },
    connections: CONNECTIONS,
    seconds: LOAD_S,
    folder: stage.folder,
    service_pid: pid,
    postgres_pid: 0,
  })
  const loaded = heldMb()
  await server.stop()
  const idle_share = rounded(((after - before) / (IDLE_MS - SETTLE_MS)) * 100)
  return {
    title: 'Memory that is resident, in MB',
    about:
      `Idle is ${IDLE_MS / 1000} s after the banner, in which it used ${idle_share} % of a core; under load is ` +
      `right after ${LOAD_S} s of GET /project. Pages that several processes share count once.`,
    columns: ['when', 'Homeport', 'with its PostgreSQL'],
    rows: [
      ['idle', ...idle],
      ['under load', ...loaded],
    ],
  }
}

/** One request of each kind, each the first of its kind to a started server. */
async function firstRequests(): Promise<ResultTable> {
  const data_dir = mkdtempSync(join(stage.folder, 'first-'))
  // Only the first start prints the key.
  const { banner, stop } = await startServer(data_dir)
  await stop()
  const server = await startServer(data_dir, { HOMEPORT_LOG_LEVEL: 'error' })
  const { base_url = '', mcp_url = '' } = server.banner
  const { origin } = new URL(base_url)
  const headers = {
    authorization: `Bearer ${banner['test_key']}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  const post = (url: string, body: unknown) =>
    [url, { method: 'POST', headers, body: JSON.stringify(body) }] as const
  const call = (method: string, params: object) =>
    post(mcp_url, { jsonrpc: '2.0', id: 1, method, params })
  const documents = `${base_url}/collections/orders/documents`
  const kinds: Record<string, readonly [url: string, init?: RequestInit]> = {
    'project read': [`${base_url}/project`, { headers }],
    'collection made': post(`${base_url}/collections`, { name: 'orders' }),
    'document written': post(documents, { n: 1 }),
    'documents listed': [
      `${documents}?filter=${encodeURIComponent('n >= 1')}&sort=-n`,
      { headers },
    ],
    'page of the portal': [`${origin}/portal`],
    'page of the documentation': [`${origin}/docs/guides/forms`],
    'page of the reference': [`${origin}/docs/reference/documents`],
    'page of the status': [`${origin}/status`],
    'script of the widget': [`${origin}/widget.js`],
    'MCP, initialize': call('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    }),
    'MCP, tools/list': call('tools/list', {}),
    'MCP, a search of operations': call('tools/call', {
      name: 'search_operations',
      arguments: { query: 'put a site online' },
    }),
  }
  await delay(SETTLE_MS)
  const rows: Cell[][] = []
  for (const [kind, [url, init]] of Object.entries(kinds)) {
    const begun = performance.now()
    const reply = await fetch(url, init)
    await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`${kind}: ${reply.status}`)
    rows.push([kind, rounded(performance.now() - begun)])
  }
  await server.stop()
  return { title: 'The first request of each kind after a start', columns: ['kind', 'ms'], rows }
}

function alone(pid: number): number {
  const said = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(said) / 1024
}

/**
 * Runs npm in a folder with only the files that it needs, twice: the second time with a full cache.
 */
function size(): ResultTable {
  const folder = mkdtempSync(join(stage.folder, 'clone-'))
  for (const file of ['package.json', 'package-lock.json', 'server/package.json']) {
    cpSync(join(root, file), join(folder, file), { recursive: true })
  }
  const install = (more: readonly string[]): number => {
    const begun = performance.now()
    const args = ['ci', '--no-audit', '--no-fund', ...more]
    const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'ignore' })
    if (status !== 0) throw new Error(`npm ${args.join(' ')} failed.`)
    return rounded((performance.now() - begun) / 1000)
  }
  const diskMb = () =>
    Math.round(
      Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1024,
    )
  const rows: Cell[][] = [
    ['npm ci', install([]), diskMb()],
    ['npm ci, all of it in the cache of npm', install([]), diskMb()],
    ['npm ci --omit=dev, for running alone', install(['--omit=dev']), diskMb()],
  ]
  return { title: 'Installing', columns: ['command', 'seconds', 'MB on disk'], rows }
}

const tables: ResultTable[] = []
if (options.wants('starts')) tables.push(await starts())
if (options.wants('memory')) tables.push(await memory())
if (options.wants('first')) tables.push(await firstRequests())
if (options.wants('size')) tables.push(size())
finish({ generator: generatorText(CONNECTIONS), tables })
await stage.close()
