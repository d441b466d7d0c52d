/**
 * `npm run bench -- sites`: the cost of serving a site, alternating with nginx and Caddy, which
 * serve the same files with the same headers; the cost among ten thousand sites; and the duration
 * of a deploy. Needs `wrk`, `nginx` and `caddy` (Debian packages of these names); wrk generates the
 * load.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { embeddedConnection } from '../../server/kernel/database/embedded-postgres.ts'
import { startServer, type ServerProcess } from '../../test/fixtures/server-process.ts'
import { readOptions } from '../support/options.ts'
import { endedChildrenMs, processorMs, residentMb } from '../support/processor.ts'
import { begin, type ResultTable } from '../support/result.ts'
import { ratios, spread } from '../support/spread.ts'

const options = readOptions()
const finish = begin('sites', options)
const ROUNDS = options.rounds
const SECONDS = options.seconds
const CONNECTIONS = 64
const SITES = 10_000
const DEPLOY_FILES = 50
const DEPLOY_BYTES = 5_000_000

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
chmodSync(folder, 0o755)

/** A page of typical size, and a script of 100 kB. */
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

/** The headers of our reply, which the other servers must send too. */
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

interface Rate {
  per_second: number
  /**
   * Processor time of the server alone; more meaningful than the rate if the machine has other
   * work.
   */
  processor_us: number
  /** Share of one core that wrk used. */
  generator_share: number
}

/** Requests per second by wrk; every reply must be 2xx. */
function load({ port, pid }: Place, path: string, more: readonly string[] = []): Rate {
  const args = [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${SECONDS}s`,
    ...more,
    `http://127.0.0.1:${port}${path}`,
  ]
  const [before_ms = 0] = processorMs([pid])
  const ended_ms = endedChildrenMs()
  const said = execFileSync('wrk', args, { encoding: 'utf8' })
  const [after_ms = 0] = processorMs([pid])
  const used_ms = after_ms - before_ms
  const generator_share = (endedChildrenMs() - ended_ms) / (SECONDS * 1000)
  assert.doesNotMatch(said, /Non-2xx|Socket errors/, said)
  const [, requests] = /(\d+) requests in/.exec(said) ?? []
  const [, per_second] = /Requests\/sec:\s+([\d.]+)/.exec(said) ?? []
  return {
    per_second: Number(per_second),
    processor_us: (used_ms * 1000) / Number(requests),
    generator_share,
  }
}

interface Place {
  port: number
  pid: number
}

function placeOf({ port, server }: Homeport): Place {
  return { port, pid: server.child.pid ?? 0 }
}

/** Measures the servers in turn, in another order each round; the first round is the warm-up. */
async function serve(ours: Homeport): Promise<ResultTable[]> {
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
  const sent = headers.map(([name]) => name).join(', ')
  return Object.entries(found).map(([what, by_name]) => servingTable(what, by_name, sent))
}

function servingTable(what: string, by_name: Record<string, Rate[]>, sent: string): ResultTable {
  const of = (name: string, figure: keyof Rate) => by_name[name]?.map((rate) => rate[figure]) ?? []
  return {
    title: what === 'small_html' ? 'A page of 1.5 kB' : 'A script of 100 kB',
    about: `The same files with the same headers (${sent}), no access log. Ours is one process.`,
    columns: ['server', 'requests/s', 'homeport ×', 'processor µs', 'generator'],
    rows: ['homeport', 'nginx_1', 'nginx_auto', 'caddy'].map((name) => [
      name,
      spread(of(name, 'per_second')),
      name === 'homeport' ? null : ratios(of('homeport', 'per_second'), of(name, 'per_second')),
      spread(of(name, 'processor_us')),
      spread(of(name, 'generator_share')),
    ]),
  }
}

/** Measures one site alone and among ten thousand, and all ten thousand in turn. */
async function many(alone: Homeport): Promise<ResultTable[]> {
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
  const memory_mb = residentMb(crowd.server.child.pid ?? 0)
  await crowd.server.stop()
  const { one_site = [], among_10000 = [], all_of_10000 = [] } = rates
  return [
    {
      title: 'One site among ten thousand',
      about: `After all of them were asked for, service and PostgreSQL held ${Math.round(memory_mb)} MB.`,
      columns: ['asked', 'requests/s', 'to one alone'],
      rows: [
        ['one site, alone on its server', spread(one_site), null],
        ['the same site among 10,000', spread(among_10000), ratios(among_10000, one_site)],
        ['all of the 10,000 in turn', spread(all_of_10000), ratios(all_of_10000, one_site)],
      ],
    },
  ]
}

/** Half of the bytes are text, which is compressed at deploy; half are random, like pictures. */
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

async function deploy({ call }: Homeport): Promise<ResultTable[]> {
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
  return [
    {
      title: `A deploy of ${DEPLOY_FILES} files, ${DEPLOY_BYTES / 1e6} MB together, through the API`,
      columns: ['deploy', 'ms'],
      rows: [
        ['all of them new', spread(changed)],
        ['the same once more', spread(unchanged)],
      ],
    },
  ]
}

const ours = await startHomeport()
finish({
  generator: `wrk, one thread, ${CONNECTIONS} connections`,
  versions: { nginx: versionOf('nginx', '-v'), caddy: versionOf('caddy', 'version') },
  tables: [
    ...(options.wants('serve') ? await serve(ours) : []),
    ...(options.wants('many') ? await many(ours) : []),
    ...(options.wants('deploy') ? await deploy(ours) : []),
  ],
})
await ours.server.stop()
rmSync(folder, { recursive: true, force: true })

function versionOf(command: string, how: string): string {
  const { stdout, stderr } = spawnSync(command, [how], { encoding: 'utf8' })
  return /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? 'unknown'
}
