/**
 * `npm run bench`: the figures of the foundation, as ratios of things measured in turn in one run
 * on one machine. Needs `wrk` (Debian package wrk) as the load generator. Prints a table and
 * writes bench/results/foundation.json.
 *
 * GET /project is asked with thousands of keys, because one key may ask 120 times a minute.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { newKeyText, startOf } from '../server/areas/keys/text.ts'
import { scopeNames } from '../server/contract/scopes.ts'
import { sha256 } from '../server/kernel/crypto.ts'
import { embeddedConnection } from '../server/kernel/embedded-postgres.ts'
import { newId } from '../server/kernel/ids.ts'
import { systemClock } from '../server/kernel/clock.ts'
import { startServer } from '../test/ground/server-process.ts'

const ROUNDS = 7
const SECONDS = 3
const CONNECTIONS = 32
const KEYS = 12_000

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))

async function addKeys(connection: pg.PoolConfig, project_id: string): Promise<string[]> {
  const keys = Array.from({ length: KEYS }, () => newKeyText('test'))
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(
    `insert into api_keys (id, project_id, hash, start, name, mode, scopes, created_at)
     select id, $1, hash, start, 'bench', 'test', $2, now() from unnest($3::uuid[], $4::bytea[], $5::text[]) as k(id, hash, start)`,
    [
      project_id,
      scopeNames,
      keys.map(() => newId(systemClock)),
      keys.map(sha256),
      keys.map(startOf),
    ],
  )
  await client.query('analyze')
  await client.end()
  return keys
}

function writeScript(keys: string[]): string {
  const file = join(folder, 'keys.lua')
  const list = keys.map((key) => `"Bearer ${key}"`).join(',')
  writeFileSync(
    file,
    `local keys = {${list}}
local at = math.random(#keys)
init = function() math.randomseed(os.time()) at = math.random(#keys) end
request = function()
  at = at % #keys + 1
  return wrk.format("GET", "/api/v1/project", { Authorization = keys[at] })
end
done = function(summary) io.write("RESULT " .. summary.requests .. " " .. summary.duration .. " " .. summary.errors.status .. "\\n") end
`,
  )
  return file
}

interface Round {
  per_second: number
  refused: number
}

function load(port: number, script: string): Round {
  const args = [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${SECONDS}s`,
    '-s',
    script,
    `http://127.0.0.1:${port}`,
  ]
  const said = execFileSync('wrk', args, { encoding: 'utf8' })
  const [, requests, duration_us, refused] = /RESULT (\d+) (\d+) (\d+)/.exec(said) ?? []
  return { per_second: (Number(requests) / Number(duration_us)) * 1e6, refused: Number(refused) }
}

function spread(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const round = (value: number | undefined) => Math.round((value ?? 0) * 100) / 100
  return {
    min: round(sorted[0]),
    median: round(sorted[sorted.length >> 1]),
    max: round(sorted.at(-1)),
  }
}

async function startBare(connection: pg.PoolConfig) {
  const child = spawn(process.execPath, [
    join(import.meta.dirname, 'bare-server.ts'),
    JSON.stringify(connection),
  ])
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, port: Number(line) }
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

async function measureStarts() {
  const first: number[] = []
  const later: number[] = []
  for (let round = 0; round < 5; round++) {
    const data_dir = mkdtempSync(join(folder, 'start-'))
    for (const list of [first, later]) {
      const begun = performance.now()
      const server = await startServer(data_dir)
      list.push((performance.now() - begun) / 1000)
      await server.stop()
    }
  }
  return { first_start_s: spread(first), later_start_s: spread(later) }
}

async function measureProject() {
  const data_dir = mkdtempSync(join(folder, 'project-'))
  const server = await startServer(data_dir, { HOMEPORT_LOG_LEVEL: 'error' })
  await new Promise((done) => setTimeout(done, 3000))
  const idle_mb = residentMegabytes(server.child.pid!)
  const connection = embeddedConnection(data_dir)
  const script = writeScript(await addKeys(connection, server.banner['project_id']!))
  const bare = await startBare(connection)
  const port = Number(new URL(server.banner['base_url']!).port)
  const homeport: Round[] = []
  const limit: Round[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const [ours, theirs] = [load(port, script), load(bare.port, script)]
    // The first round warms both up.
    if (round < 0) continue
    homeport.push(ours)
    limit.push(theirs)
  }
  const loaded_mb = residentMegabytes(server.child.pid!)
  bare.child.kill()
  await server.stop()
  return {
    homeport_per_second: spread(homeport.map(({ per_second }) => per_second)),
    bare_per_second: spread(limit.map(({ per_second }) => per_second)),
    ratio: spread(homeport.map(({ per_second }, index) => per_second / limit[index]!.per_second)),
    refused: homeport.reduce((sum, { refused }) => sum + refused, 0),
    idle_mb: Math.round(idle_mb),
    loaded_mb: Math.round(loaded_mb),
  }
}

const results = {
  machine: { cores: cpus().length, model: cpus()[0]?.model, node: process.version },
  load: `wrk, 1 thread, ${CONNECTIONS} connections, ${SECONDS} s a round, ${ROUNDS} rounds in turn`,
  start: await measureStarts(),
  get_project: await measureProject(),
}
rmSync(folder, { recursive: true, force: true })
mkdirSync(join(import.meta.dirname, 'results'), { recursive: true })
writeFileSync(
  join(import.meta.dirname, 'results', 'foundation.json'),
  `${JSON.stringify(results, null, 2)}\n`,
)
console.log(JSON.stringify(results, null, 2))
