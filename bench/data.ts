/**
 * `npm run bench:data`: documents read, listed, written and written in batches, in turn by
 * Homeport, by bare routes of Fastify and pg, and by peers that are installed in --peers-folder;
 * all on one PostgreSQL on one machine. Prints the figures and writes bench/results/data.json.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../server/kernel/embedded-postgres.ts'
import { createLog } from '../server/kernel/log.ts'
import { startBare } from './data/bare.ts'
import { startHomeport } from './data/homeport.ts'
import { measure, type Pass } from './data/load.ts'
import { startParseServer } from './data/parse-server.ts'
import { startSupabaseLite } from './data/supabase-lite.ts'
import { tasks, type Ground, type Requests, type Target, type Task } from './data/target.ts'

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: tasks.join(',') },
    'peers-folder': { type: 'string', default: '' },
  },
})
const ROUNDS = Number(given.rounds)
const SECONDS = Number(given.seconds)
const CONNECTIONS = 32

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
const data_dir = join(folder, 'cluster')
// An address of its own, because other clusters of the machine may have the usual one.
const host = `127.${1 + (process.pid % 250)}.${1 + ((process.pid >> 8) % 250)}.1`
const postgres = await startEmbedded({
  data_dir,
  log: createLog('silent'),
  settings: { listen_addresses: host },
})
const postgres_pid = Number(
  readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
)
const client = new pg.Client(postgres.connection)
await client.connect()

const ground: Ground = {
  folder,
  peers_folder: given['peers-folder'],
  async newDatabase(database) {
    await client.query(`create database "${database}"`)
    const { user = '', password } = postgres.connection
    const secret = String(password)
    const url = `postgres://${user}:${encodeURIComponent(secret)}@${host}:5432/${database}`
    return { connection: { host, port: 5432, user, password: secret, database }, url }
  },
}

const targets: Target[] = []
const missing: Record<string, string> = {}
const peers = { 'supabase-lite': startSupabaseLite, 'parse-server': startParseServer }
const rounded = (value: number) => Math.round(value * 100) / 100

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return rounded(sorted[sorted.length >> 1] ?? 0)
}

function pass(target: Target, requests: Requests, connections = CONNECTIONS): Promise<Pass> {
  const service_pid = target.pid
  return measure({ requests, connections, seconds: SECONDS, folder, service_pid, postgres_pid })
}

/** Every service in every round, so that what else the machine does meets all of them. */
async function compare(task: Task) {
  const passes = new Map<string, Pass[]>(targets.map(({ name }) => [name, []]))
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      const requests = await target.requests(task)
      if (!requests) continue
      const result = await pass(target, requests)
      const bad = result.refused > 0
      const said = `${task} ${target.name} ${Math.round(result.per_second)}/s`
      console.error(`${said} ${bad ? `${result.refused} REFUSED` : ''}`)
      // The first round warms all of them up, and a pass with refusals says nothing.
      if (round >= 0 && !bad) passes.get(target.name)!.push(result)
    }
  }
  return report(passes)
}

function report(passes: ReadonlyMap<string, readonly Pass[]>) {
  const figures = Object.fromEntries(
    [...passes].filter(([, all]) => all.length > 0).map(([name, all]) => [name, figuresOf(all)]),
  )
  const ours = passes.get('homeport') ?? []
  const bare = passes.get('bare') ?? []
  const peers = Object.entries(figures).filter(([name]) => !['homeport', 'bare'].includes(name))
  const [best] = peers.toSorted(([, a], [, b]) => b.per_second.median - a.per_second.median)
  const rival = best ? (passes.get(best[0]) ?? []) : []
  return {
    ...figures,
    ratio_to_bare: ratio(ours, bare),
    best_peer: best?.[0] ?? null,
    ratio_to_best_peer: ratio(ours, rival),
  }
}

/** Of the passes of the same round; null where there are none. */
function ratio(ours: readonly Pass[], theirs: readonly Pass[]): number | null {
  const pairs = ours.flatMap(({ per_second }, n) => {
    const other = theirs[n]
    return other ? [per_second / other.per_second] : []
  })
  return pairs.length > 0 ? median(pairs) : null
}

function figuresOf(all: readonly Pass[]) {
  const of = (value: (one: Pass) => number) => all.map(value)
  const rates = of(({ per_second }) => per_second)
  return {
    passes: all.length,
    per_second: {
      min: rounded(Math.min(...rates)),
      median: median(rates),
      max: rounded(Math.max(...rates)),
    },
    p50_ms: median(of(({ p50_ms }) => p50_ms)),
    p90_ms: median(of(({ p90_ms }) => p90_ms)),
    p99_ms: median(of(({ p99_ms }) => p99_ms)),
    processor_ms: {
      service: median(of(({ processor_ms }) => processor_ms.service)),
      postgres: median(of(({ processor_ms }) => processor_ms.postgres)),
    },
  }
}

/** What a list costs a client that is alone, by how much an index helps it. */
const lists = {
  filtered_by_index: 'filter=n >= 5000&sort=-n',
  filtered_by_index_and_other_field: 'filter=n >= 5000 and name contains "7"&sort=-n',
  filtered_by_other_field: 'filter=email = "customer-5000@example.com"',
  newest_first: '',
}

async function listAlone() {
  const figures: Record<string, { p50_ms: number; p99_ms: number }> = {}
  for (const [name, query] of Object.entries(lists)) {
    const requests = homeport.listing(query && `&${encodeURI(query)}`)
    const passes: Pass[] = []
    for (let round = 0; round < ROUNDS; round += 1) passes.push(await pass(homeport, requests, 1))
    figures[name] = {
      p50_ms: median(passes.map(({ p50_ms }) => p50_ms)),
      p99_ms: median(passes.map(({ p99_ms }) => p99_ms)),
    }
  }
  return figures
}

const homeport = await startHomeport(ground)
targets.push(await startBare(ground), homeport)
for (const [name, start] of Object.entries(peers)) {
  try {
    targets.push(await start(ground))
  } catch (error) {
    missing[name] = String(error)
  }
}
const wanted = tasks.filter((task) => given.only.split(',').includes(task))
const load_before = loadavg().map(rounded)
const compared: Record<string, unknown> = {}
for (const task of wanted) compared[task] = await compare(task)
if (given.only.includes('list')) compared['list_at_one_connection'] = await listAlone()
const results = {
  machine: { cores: cpus().length, model: cpus()[0]?.model, node: process.version },
  load: `wrk, 1 thread, ${CONNECTIONS} connections, ${SECONDS} s a pass, ${ROUNDS} rounds in turn`,
  load_average: { before: load_before, after: loadavg().map(rounded) },
  versions: Object.fromEntries(targets.map(({ name, version }) => [name, version])),
  missing,
  ...compared,
}
for (const target of targets) await target.stop()
await client.end()
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
console.log(JSON.stringify(results, null, 2))
if (wanted.length === tasks.length) {
  const file = join(import.meta.dirname, 'results', 'data.json')
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true })
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
}
