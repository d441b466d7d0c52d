/** One pass of wrk over prepared requests, and the processor time that it cost. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Requests } from './target.ts'

/** In which Linux counts the processor time of a process. */
const TICK_MS = 10

export interface Pass {
  per_second: number
  p50_ms: number
  p90_ms: number
  p99_ms: number
  refused: number
  /** Of one request. */
  processor_ms: { service: number; postgres: number }
}

export interface Load {
  requests: Requests
  connections: number
  seconds: number
  folder: string
  service_pid: number
  postgres_pid: number
}

const done = `
local at = 0
request = function() at = at % #requests + 1 return requests[at] end
done = function(summary, latency)
  local bad = summary.errors.status + summary.errors.read + summary.errors.timeout + summary.errors.connect
  io.write(string.format("RESULT %d %d %d %d %d %d\\n", summary.requests, summary.duration, bad,
    latency:percentile(50), latency:percentile(90), latency:percentile(99)))
end
`

const PART = 500

/** A list in Lua, which takes only so many constants in one function. */
function luaList(name: string, items: readonly string[]): string {
  const parts = Array.from({ length: Math.ceil(items.length / PART) }, (_, part) => {
    const some = items.slice(part * PART, (part + 1) * PART)
    const lines = some.map((item) => `${name}[#${name}+1] = ${item}`).join('\n')
    return `do local function fill()\n${lines}\nend fill() end`
  })
  return `${name} = {}\n${parts.join('\n')}`
}

/** Every request is written out before the load begins, so that wrk only sends. */
function writeScript(folder: string, requests: Requests): string {
  const { method, paths, headers, bodies = [], count } = requests
  const heads = headers.map((header) => {
    const fields = Object.entries(header)
    return `{${fields.map(([name, value]) => `["${name}"]="${value}"`).join(',')}}`
  })
  const quoted = (text: string) => JSON.stringify(text)
  const script = `
${luaList('paths', paths.map(quoted))}
${luaList('heads', heads)}
${luaList('bodies', bodies.map(quoted))}
requests = {}
init = function()
  for n = 0, ${count} - 1 do
    requests[n + 1] = wrk.format("${method}", paths[n % #paths + 1], heads[n % #heads + 1],
      #bodies > 0 and bodies[n % #bodies + 1] or nil)
  end
end
${done}`
  const file = join(folder, 'load.lua')
  writeFileSync(file, script)
  return file
}

const run = promisify(execFile)

export async function measure(load: Load): Promise<Pass> {
  const { requests, connections, seconds, folder } = load
  const script = writeScript(folder, requests)
  const before = processorMs(load)
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout=20s',
    '-s',
    script,
    `http://127.0.0.1:${requests.port}`,
  ])
  const after = processorMs(load)
  const [, count, duration_us, refused, p50, p90, p99] =
    /RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(stdout)?.map(Number) ?? []
  if (!count || !duration_us) throw new Error(`wrk said: ${stdout}`)
  return {
    per_second: (count / duration_us) * 1e6,
    p50_ms: (p50 ?? 0) / 1000,
    p90_ms: (p90 ?? 0) / 1000,
    p99_ms: (p99 ?? 0) / 1000,
    refused: refused ?? 0,
    processor_ms: {
      service: (after.service - before.service) / count,
      postgres: (after.postgres - before.postgres) / count,
    },
  }
}

interface Process {
  parent: number
  ticks: number
}

function processes(): Map<number, Process> {
  const all = new Map<number, Process>()
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      // With that of children that have ended, which is kept with their parent.
      const ticks = stat.slice(11, 15).reduce((sum, one) => sum + Number(one), 0)
      all.set(pid, { parent: Number(stat[1]), ticks })
    } catch {
      // It ended meanwhile.
    }
  }
  return all
}

/** Of a process and all that it started. */
function processorMs({ service_pid, postgres_pid }: Load): { service: number; postgres: number } {
  const all = processes()
  const belongsTo = (root: number, pid: number): boolean =>
    pid === root || (all.has(pid) && belongsTo(root, all.get(pid)!.parent))
  const sum = (root: number) =>
    [...all].reduce((ms, [pid, { ticks }]) => ms + (belongsTo(root, pid) ? ticks * TICK_MS : 0), 0)
  return { service: sum(service_pid), postgres: sum(postgres_pid) }
}
