/**
 * `npm run bench:sites`: what serving a site costs, in turn with nginx and Caddy, which serve the
 * same files with the same headers; what it costs among ten thousand sites; and how long a deploy
 * takes. Needs `wrk`, `nginx` and `caddy` (Debian packages of these names); wrk is the load
 * generator. Prints the figures and writes bench/results/sites.json.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request, type IncomingMessage } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { embeddedConnection } from '../server/kernel/embedded-postgres.ts'
import { startServer, type ServerProcess } from '../test/ground/server-process.ts'

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    /** Only some of serve, many and deploy, for looking closer at one. */
    only: { type: 'string', default: 'serve,many,deploy' },
  },
})
const ROUNDS = Number(given.rounds)
const SECONDS = Number(given.seconds)
const CONNECTIONS = 64
const SITES = 10_000
const DEPLOY_FILES = 50
const DEPLOY_BYTES = 5_000_000

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
chmodSync(folder, 0o755)

/** A page of a usual size, and a script of 100 kB. */
const files = [
  {
    path: 'index.html',
    content: `<!doctype html>\n<title>Bakery</title>\n${'<p>Bread.</p>\n'.repeat(110)}`,
  },
  {
    path: 'app.js',
    content: `// A script.\n${'console.log("bread")\n'.repeat(5_120)}`.slice(0, 102_400),
  },
]
const addresses = { small_html: '/', asset_100_kb: '/app.js' } as const
type What = keyof typeof addresses

interface Homeport {
  server: ServerProcess
  data_dir: string
  port: number
  host: string
  call(method: 'POST' | 'PUT', path: string, body: unknown): Promise<{ status: number; body: any }>
}

async function startHomeport(): Promise<Homeport> {
  const data_dir = mkdtempSync(join(folder, 'homeport-'))
  const server = await startServer(data_dir, { HOMEPORT_LOG_LEVEL: 'error' })
  const { base_url = '', test_key = '', project_id } = server.banner
  const client = new pg.Client(embeddedConnection(data_dir))
  await client.connect()
  await client.query('update projects set phone_verified = true where id = $1', [project_id])
  await client.end()
  const call: Homeport['call'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${test_key}`, 'content-type': 'application/json' }
    const sent: RequestInit = { method, headers, body: JSON.stringify(body) }
    const response = await fetch(base_url + path, sent)
    return { status: response.status, body: await response.json() }
  }
  const made = await call('POST', '/sites', { slug: 'bakery', files })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { port } = new URL(base_url)
  return { server, data_dir, port: Number(port), host: new URL(made.body.url).host, call }
}

/** The headers of ours that the others are to send too. */
async function ourHeaders({ port, host }: Homeport, path: string) {
  const sent = request({ host: '127.0.0.1', port, path, headers: { Host: host } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  assert.equal(response.statusCode, 200)
  const own = new Set([
    'date',
    'connection',
    'keep-alive',
    'content-length',
    'content-type',
    'etag',
  ])
  own.add('accept-ranges')
  return Object.entries(response.headers).flatMap(([name, value]) =>
    own.has(name) ? [] : [[name, String(value)] as const],
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

type Headers = Awaited<ReturnType<typeof ourHeaders>>

async function startOther(name: string, root: string, headers: Headers) {
  const port = await freePort()
  const [command, ...args] = name.startsWith('nginx')
    ? nginx(port, { name, root, headers })
    : caddy(port, { root, headers })
  const child = spawn(command!, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  for (let tries = 0; tries < 100; tries++) {
    await delay(50)
    const found = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
    if (found?.ok) return { name, port, child }
  }
  throw new Error(`${name} does not answer.`)
}

function nginx(
  port: number,
  { name, root, headers }: { name: string; root: string; headers: Headers },
) {
  const own = join(folder, name)
  mkdirSync(own)
  const file = join(own, 'nginx.conf')
  const workers = name === 'nginx_auto' ? 'auto' : '1'
  writeFileSync(
    file,
    `worker_processes ${workers}; daemon off; pid ${own}/pid; error_log /dev/null;
     events { worker_connections 1024; }
     http { access_log off; sendfile on; tcp_nopush on; keepalive_timeout 72; keepalive_requests 100000000;
       open_file_cache max=1000; include /etc/nginx/mime.types; charset utf-8;
       client_body_temp_path ${own}/b; proxy_temp_path ${own}/p; fastcgi_temp_path ${own}/f;
       uwsgi_temp_path ${own}/u; scgi_temp_path ${own}/s;
       server { listen 127.0.0.1:${port}; root ${root};
         ${headers.map(([key, value]) => `add_header ${key} "${value}";`).join(' ')} } }`,
  )
  return ['nginx', '-c', file]
}

function caddy(port: number, { root, headers }: { root: string; headers: Headers }) {
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{\n admin off\n auto_https off\n log {\n  output discard\n }\n}
http://127.0.0.1:${port} {\n root * ${root}\n file_server
${headers.map(([key, value]) => ` header ${key} "${value}"`).join('\n')}\n}\n`,
  )
  return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile']
}

/** In which Linux counts the processor time of a process. */
const TICK_MS = 10

/** Processor time so far of a process and of those it started, threads included. */
function processorMs(pid: number): number {
  const ticks = readdirSync('/proc').map((name) => {
    try {
      const [, rest = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')
      const fields = rest.split(' ')
      const is_of = name === String(pid) || fields[1] === String(pid)
      return is_of ? Number(fields[11]) + Number(fields[12]) : 0
    } catch {
      // Not a process, or one that has ended.
      return 0
    }
  })
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS
}

interface Rate {
  per_second: number
  /** Of the server alone: says more than the rate where the machine has other work. */
  processor_us: number
}

/** Requests a second, by wrk; every answer must be a 2xx. */
function load({ port, pid }: Place, path: string, more: readonly string[] = []): Rate {
  const args = [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${SECONDS}s`,
    ...more,
    `http://127.0.0.1:${port}${path}`,
  ]
  const before_ms = processorMs(pid)
  const said = execFileSync('wrk', args, { encoding: 'utf8' })
  const used_ms = processorMs(pid) - before_ms
  assert.doesNotMatch(said, /Non-2xx|Socket errors/, said)
  const [, requests] = /(\d+) requests in/.exec(said) ?? []
  const [, per_second] = /Requests\/sec:\s+([\d.]+)/.exec(said) ?? []
  return { per_second: Number(per_second), processor_us: (used_ms * 1000) / Number(requests) }
}

interface Place {
  port: number
  pid: number
}

function placeOf({ port, server }: Homeport): Place {
  return { port, pid: server.child.pid ?? 0 }
}

function spread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const round = (value = 0) => (value > 100 ? Math.round(value) : Math.round(value * 1000) / 1000)
  return {
    median: round(sorted[sorted.length >> 1]),
    min: round(sorted[0]),
    max: round(sorted.at(-1)),
  }
}

function residentMegabytes(pid = 0): number {
  const said = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Math.round(Number(said) / 1024)
}

/** Every server in turn, in another order each round; the first round warms up. */
async function serve(ours: Homeport) {
  const root = join(folder, 'www')
  mkdirSync(root)
  for (const { path, content } of files) writeFileSync(join(root, path), content)
  const headers = await ourHeaders(ours, '/')
  const others: (Place & { name: string; child: ChildProcess; host: string })[] = []
  for (const name of ['nginx_1', 'nginx_auto', 'caddy']) {
    const { child, port } = await startOther(name, root, headers)
    others.push({ name, child, port, pid: child.pid ?? 0, host: `127.0.0.1:${port}` })
  }
  const servers = [{ name: 'homeport', host: ours.host, ...placeOf(ours) }, ...others]
  const found: Record<string, Record<string, Rate[]>> = {}
  const turns = Object.keys(addresses).flatMap((what) =>
    servers.map(({ name }) => ({ what, name })),
  )
  for (let round = -1; round < ROUNDS; round++) {
    for (const { what, name } of turns) {
      const server = servers.find((one) => one.name === name)!
      const rate = load(server, addresses[what as What], ['-H', `Host: ${server.host}`])
      if (round >= 0) ((found[what] ??= {})[name] ??= []).push(rate)
    }
    turns.push(...turns.splice(0, 1))
  }
  for (const { child } of others) {
    child.kill()
    await once(child, 'exit')
  }
  const compared = Object.entries(found).map(([what, by_name]) => [what, comparedTo(by_name)])
  return { same_headers: headers.map(([name]) => name), ...Object.fromEntries(compared) }
}

function comparedTo(by_name: Record<string, Rate[]>) {
  const { homeport = [], ...others } = by_name
  const ofEach = (lists: Record<string, Rate[]>, spreadOf: (rates: Rate[]) => object) =>
    Object.fromEntries(Object.entries(lists).map(([name, rates]) => [name, spreadOf(rates)]))
  return {
    per_second: ofEach(by_name, (rates) => spread(rates.map((one) => one.per_second))),
    processor_us: ofEach(by_name, (rates) => spread(rates.map((one) => one.processor_us))),
    ratio_to: ofEach(others, (rates) =>
      spread(homeport.map((one, at) => one.per_second / rates[at]!.per_second)),
    ),
  }
}

/** The same one site alone and among ten thousand, and all of the ten thousand in turn. */
async function many(alone: Homeport) {
  const crowd = await startHomeport()
  const client = new pg.Client(embeddedConnection(crowd.data_dir))
  await client.connect()
  await client.query(
    `insert into sites (project_id, id, slug, label, title, status, visibility, spa, live_version,
       last_version, test, created_at, updated_at, deployed_at)
     select project_id, gen_random_uuid(), 'site-' || n, 'site-' || n, title, status, visibility, spa, 1,
       1, test, created_at, updated_at, deployed_at
     from sites, generate_series(1, ${SITES - 1}) as n`,
  )
  await client.query(
    `insert into site_versions (project_id, site_id, number, preview_label, files, rules, files_count,
       bytes, collections, warnings, test, created_at)
     select s.project_id, s.id, 1, s.slug || '--preview', v.files, v.rules, v.files_count, v.bytes,
       v.collections, v.warnings, v.test, v.created_at
     from site_versions as v join sites as s on s.project_id = v.project_id and s.id <> v.site_id`,
  )
  await client.query('analyze')
  await client.end()
  const script = join(folder, 'hosts.lua')
  const domain = crowd.host.split('.').slice(1).join('.')
  writeFileSync(
    script,
    `local at = 0
request = function()
  at = at % ${SITES - 1} + 1
  return wrk.format("GET", "/", { Host = "site-" .. at .. ".${domain}" })
end\n`,
  )
  const rates: Record<string, number[]> = { one_site: [], among_10000: [], all_of_10000: [] }
  for (let round = -1; round < ROUNDS; round++) {
    const measured = {
      one_site: load(placeOf(alone), '/', ['-H', `Host: ${alone.host}`]),
      among_10000: load(placeOf(crowd), '/', ['-H', `Host: ${crowd.host}`]),
      all_of_10000: load(placeOf(crowd), '/', ['-s', script]),
    }
    if (round >= 0)
      for (const [name, rate] of Object.entries(measured)) rates[name]!.push(rate.per_second)
  }
  const memory_mb = residentMegabytes(crowd.server.child.pid)
  await crowd.server.stop()
  const { one_site = [], among_10000 = [] } = rates
  return {
    per_second: Object.fromEntries(
      Object.entries(rates).map(([name, list]) => [name, spread(list)]),
    ),
    ratio_among_10000_to_one: spread(among_10000.map((rate, at) => rate / one_site[at]!)),
    memory_mb_after_all_of_10000: memory_mb,
  }
}

/** Half of the bytes are text, which is compressed at the deploy; half are like pictures. */
function deployFiles(round: number) {
  const bytes = DEPLOY_BYTES / DEPLOY_FILES
  return Array.from({ length: DEPLOY_FILES }, (_, at) => {
    const is_text = at % 2 === 0
    const text = () =>
      `// Round ${round}, file ${at}.\n${randomBytes(bytes).toString('base64')}`.slice(0, bytes)
    const path = at === 0 ? 'index.html' : `assets/file-${at}.${is_text ? 'js' : 'jpg'}`
    return is_text
      ? { path, content: at === 0 ? `<!doctype html><title>${round}</title>` : text() }
      : { path, content: randomBytes(bytes).toString('base64'), encoding: 'base64' }
  })
}

async function deploy({ call }: Homeport) {
  const timed = async (method: 'POST' | 'PUT', path: string, body: unknown) => {
    const begun = performance.now()
    const answer = await call(method, path, body)
    assert(answer.status < 300, JSON.stringify(answer.body))
    return { ms: performance.now() - begun, body: answer.body }
  }
  const changed: number[] = []
  const unchanged: number[] = []
  const { body: site } = await timed('POST', '/sites', { slug: 'deployed', files: deployFiles(-1) })
  for (let round = 0; round < ROUNDS; round++) {
    const body = { files: deployFiles(round) }
    changed.push((await timed('PUT', `/sites/${site.id}`, body)).ms)
    unchanged.push((await timed('PUT', `/sites/${site.id}`, body)).ms)
  }
  return {
    files: DEPLOY_FILES,
    bytes: DEPLOY_BYTES,
    all_changed_ms: spread(changed),
    unchanged_ms: spread(unchanged),
  }
}

const wanted = given.only.split(',')
const before = loadavg()
const ours = await startHomeport()
const results = {
  machine: { cores: cpus().length, model: cpus()[0]?.model, node: process.version },
  load: `wrk, 1 thread, ${CONNECTIONS} connections, ${SECONDS} s a round, ${ROUNDS} rounds in turn`,
  ...(wanted.includes('serve') ? { serve: await serve(ours) } : {}),
  ...(wanted.includes('many') ? { many: await many(ours) } : {}),
  ...(wanted.includes('deploy') ? { deploy: await deploy(ours) } : {}),
  memory_mb: residentMegabytes(ours.server.child.pid),
  load_average: { before, after: loadavg() },
}
await ours.server.stop()
rmSync(folder, { recursive: true, force: true })
console.log(JSON.stringify(results, null, 2))
if (wanted.length === 3) {
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true })
  const file = join(import.meta.dirname, 'results', 'sites.json')
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
}
