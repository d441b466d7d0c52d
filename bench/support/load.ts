/**
 * One pass of a load generator over prepared requests: rate, latencies, and processor time of the
 * service, its PostgreSQL and the generator. Uses wrk from Debian if it is installed, because it
 * needs the least processor time; otherwise, or if requested, autocannon.
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endedChildrenMs, processorMs } from './processor.ts'

/** A cycle of `count` requests: the nth takes item n of each list; shorter lists start again. */
export interface Requests {
  port: number
  count: number
  methods: readonly string[]
  paths: readonly string[]
  headers: readonly Readonly<Record<string, string>>[]
  /** null means no body. */
  bodies?: readonly (string | null)[]
}

export interface Pass {
  per_second: number
  p50_ms: number
  p90_ms: number
  p99_ms: number
  p999_ms: number
  /** Replies other than 2xx, and requests without a reply. */
  refused: number
  /** The kinds of refusals. */
  how: string
  /** Microseconds per request. */
  service_us: number
  postgres_us: number
  /** Used share of one core; below 1, the generator was not the bottleneck. */
  generator_share: number
}

export interface Load {
  requests: Requests
  connections: number
  seconds: number
  folder: string
  /** Process id of the service; zero if there is none. */
  service_pid: number
  postgres_pid: number
  generator?: Generator
}

export type Generator = 'wrk' | 'autocannon'

type Raw = Omit<Pass, 'service_us' | 'postgres_us' | 'generator_share'> & { count: number }

const autocannon = join(import.meta.dirname, '..', 'node_modules', 'autocannon', 'autocannon.js')
const has_wrk = spawnSync('wrk', ['-v']).error === undefined
const PER_S = 1e6
const OUTPUT_BYTES_MAX = 10_000_000

/** Chooses wrk or autocannon; throws with installation instructions if neither is available. */
export function usualGenerator(): Generator {
  if (has_wrk) return 'wrk'
  if (existsSync(autocannon)) return 'autocannon'
  throw new Error(
    'There is no load generator: install wrk (apt-get install wrk), or run npm ci --prefix bench.',
  )
}

export function generatorText(connections: number): string {
  return usualGenerator() === 'wrk'
    ? `wrk, one thread, ${connections} connections`
    : `autocannon, ${connections} connections`
}

export async function measure(load: Load): Promise<Pass> {
  const pids = [load.service_pid, load.postgres_pid]
  const [service = 0, postgres = 0] = processorMs(pids)
  const ended = endedChildrenMs()
  const { count, ...pass } = await generators[load.generator ?? usualGenerator()](load)
  const [service_after = 0, postgres_after = 0] = processorMs(pids)
  return {
    ...pass,
    service_us: ((service_after - service) * 1000) / Math.max(count, 1),
    postgres_us: ((postgres_after - postgres) * 1000) / Math.max(count, 1),
    generator_share: (endedChildrenMs() - ended) / (load.seconds * 1000),
  }
}

const run = promisify(execFile)
const generators: Record<Generator, (load: Load) => Promise<Raw>> = {
  wrk: runWrk,
  autocannon: runAutocannon,
}

const done = `
local at = 0
request = function() at = at % #requests + 1 return requests[at] end
done = function(summary, latency)
  local bad = summary.errors.status + summary.errors.read + summary.errors.timeout + summary.errors.connect
  local e = summary.errors
  io.write(string.format("HOW %d no 2xx, %d not read, %d too late, %d not connected\\n", e.status, e.read, e.timeout, e.connect))
  io.write(string.format("RESULT %d %d %d %d %d %d %d\\n", summary.requests, summary.duration, bad,
    latency:percentile(50), latency:percentile(90), latency:percentile(99), latency:percentile(99.9)))
end
`

const PART = 500

/** A Lua table, split because a Lua function has a limited number of constants. */
function luaList(name: string, items: readonly string[]): string {
  const parts = Array.from({ length: Math.ceil(items.length / PART) }, (_, part) => {
    const some = items.slice(part * PART, (part + 1) * PART)
    const lines = some.map((item) => `${name}[#${name}+1] = ${item}`).join('\n')
    return `do local function fill()\n${lines}\nend fill() end`
  })
  return `${name} = {}\n${parts.join('\n')}`
}

/** Generates all requests beforehand, so that wrk only sends. */
function writeScript({ folder, requests }: Load): string {
  const { methods, paths, headers, bodies = [], count } = requests
  const heads = headers.map((header) => {
    const fields = Object.entries(header)
    return `{${fields.map(([name, value]) => `["${name}"]="${value}"`).join(',')}}`
  })
  const quoted = (text: string) => JSON.stringify(text)
  const script = `
${luaList('methods', methods.map(quoted))}
${luaList('paths', paths.map(quoted))}
${luaList('heads', heads)}
${luaList(
  'bodies',
  bodies.map((body) => (body === null ? 'false' : quoted(body))),
)}
requests = {}
init = function()
  for n = 0, ${count} - 1 do
    requests[n + 1] = wrk.format(methods[n % #methods + 1], paths[n % #paths + 1], heads[n % #heads + 1],
      bodies[n % #bodies + 1] or nil)
  end
end
${done}`
  const file = join(folder, 'load.lua')
  writeFileSync(file, script)
  return file
}

async function runWrk(load: Load): Promise<Raw> {
  const { requests, connections, seconds } = load
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout=20s',
    '-s',
    writeScript(load),
    `http://127.0.0.1:${requests.port}`,
  ])
  const [, count, duration_us, refused = 0, p50 = 0, p90 = 0, p99 = 0, p999 = 0] =
    /RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(stdout)?.map(Number) ?? []
  if (count === undefined || !duration_us) throw new Error(`wrk said: ${stdout}`)
  return {
    count,
    per_second: (count / duration_us) * PER_S,
    p50_ms: p50 / 1000,
    p90_ms: p90 / 1000,
    p99_ms: p99 / 1000,
    p999_ms: p999 / 1000,
    // A pass without any reply counts as refused.
    refused: count === 0 ? 1 : refused,
    how: count === 0 ? 'no answer in a whole pass' : (/HOW (.*)/.exec(stdout)?.[1] ?? ''),
  }
}

async function runAutocannon({ requests, connections, seconds, folder }: Load): Promise<Raw> {
  if (!existsSync(autocannon)) throw new Error('autocannon is not installed.')
  const { port, methods, paths, headers, bodies = [], count } = requests
  const entries = Array.from({ length: count }, (_, n) => {
    const body = bodies[n % bodies.length]
    const sent = {
      method: methods[n % methods.length],
      path: paths[n % paths.length],
      headers: headers[n % headers.length],
    }
    return { ...sent, ...(body ? { body } : {}) }
  })
  const file = join(folder, 'load.json')
  writeFileSync(file, JSON.stringify({ port, connections, seconds, requests: entries }))
  const script = join(import.meta.dirname, 'autocannon.mjs')
  const { stdout } = await run(process.execPath, [script, file], { maxBuffer: OUTPUT_BYTES_MAX })
  const { latency, requests: made, duration, ...faults } = JSON.parse(stdout)
  return {
    count: made.total,
    per_second: made.total / duration,
    p50_ms: latency.p50,
    p90_ms: latency.p90,
    p99_ms: latency.p99,
    p999_ms: latency.p99_9,
    refused: faults.non2xx + faults.errors + faults.timeouts,
    how: `${faults.non2xx} no 2xx, ${faults.errors} errors, ${faults.timeouts} too late`,
  }
}
