/**
 * `npm run bench -- apps`: requests a second through an app against a page of the same site, the first
 * request of an app that does not run, the memory of idle apps, and the wait for an app beside a busy
 * one. Needs `wrk`.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { embeddedConnection } from '../../server/kernel/database/embedded-postgres.ts'
import { startServer } from '../../test/fixtures/server-process.ts'
import { hostOf, visit } from '../../test/fixtures/sites/site-visitor.ts'
import { readOptions } from '../support/options.ts'
import { begin } from '../support/result.ts'
import { percentile, ratios, spread } from '../support/spread.ts'

const options = readOptions()
const finish = begin('apps', options)
/** At most the share of an address. */
const CONNECTIONS = 24
const APPS = 3

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
const server = await startServer(folder, {
  HOMEPORT_LOG_LEVEL: 'error',
  HOMEPORT_TRUSTED_PROXIES: 'loopback',
})
const { base_url = '', test_key = '', project_id } = server.banner
const { origin, host: address } = new URL(base_url)

const client = new pg.Client(embeddedConnection(folder))
await client.connect()
await client.query("update projects set phone_verified = true, plan = 'reachable' where id = $1", [
  project_id,
])
await client.end()

async function call(route: string, body: object): Promise<any> {
  const [method = '', path = ''] = route.split(' ')
  const headers = { authorization: `Bearer ${test_key}`, 'content-type': 'application/json' }
  const response = await fetch(base_url + path, { method, headers, body: JSON.stringify(body) })
  const answer = await response.json()
  assert(response.ok, JSON.stringify(answer))
  return answer
}

const text = `export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url)
    let sum = 0
    if (pathname === '/api/work') for (let n = 0; n < 2_000_000; n += 1) sum += n % 7
    if (pathname === '/api/rows')
      await env.DB.query('select count(*) from generate_series(1, 50000)', [])
    return new Response('hello', { headers: { sum } })
  },
}`
const modules = [{ path: 'main.js', text }]
const made: { id: string; host: string }[] = []
for (let n = 0; n < APPS; n += 1) {
  const files = [{ path: 'index.html', content: '<title>Hello</title>hello' }]
  const site = await call('POST /sites', { slug: `bench-${n}`, files })
  const { id } = await call('POST /apps', { site_id: site.id, name: 'Bench', modules })
  made.push({ id, host: hostOf(site.url) })
}

async function ask(host: string): Promise<number> {
  const begun = performance.now()
  const { status } = await visit({ url: origin }, { host, route: 'GET /api/' })
  assert.equal(status, 200)
  return performance.now() - begun
}

function load(path: string): number {
  const how = ['-t1', `-c${CONNECTIONS}`, `-d${options.seconds}s`]
  const args = [...how, '-H', `Host: ${made[0]!.host}`, `http://${address}${path}`]
  const said = execFileSync('wrk', args).toString()
  assert(!said.includes('Non-2xx'), said)
  return rateOf(said)
}

function rateOf(said: string): number {
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(said)?.[1])
}

/** PSS in MB of each process of an app. */
function memoryOfApps(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/cmdline`).includes('config.capnp'))
    .map((pid) => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1]) / 1024)
}

/** Empty if the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const first: number[] = []
const warm: number[] = []
for (let round = 0; round < options.rounds; round += 1)
  for (const { id, host } of made) {
    await call(`PUT /apps/${id}/secrets`, { secrets: { ROUND: String(round) } })
    first.push(await ask(host))
    warm.push(await ask(host))
  }
const idle = memoryOfApps()
const rates: { app: number[]; page: number[] } = { app: [], page: [] }
for (let round = -1; round < options.rounds; round += 1) {
  const [app, page] = [load('/api/'), load('/')]
  if (round < 0) continue
  rates.app.push(app)
  rates.page.push(page)
}

const agent = new Agent({ keepAlive: true })
const NEIGHBOUR_PER_SECOND = 200
/** So that a p99 is of over a thousand requests. */
const NEIGHBOUR_S = Math.max(options.seconds, 6)

/** Milliseconds of each request to the second app, from the time at which it is due. */
async function measureNeighbour(): Promise<number[]> {
  const begun = performance.now()
  const running: Promise<number>[] = []
  for (let n = 0; n < NEIGHBOUR_PER_SECOND * NEIGHBOUR_S; n += 1) {
    const due = begun + (n * 1000) / NEIGHBOUR_PER_SECOND
    await delay(Math.max(0, due - performance.now()))
    running.push(visitNeighbour().then(() => performance.now() - due))
  }
  return Promise.all(running)
}

function visitNeighbour(): Promise<void> {
  const { hostname, port } = new URL(origin)
  const headers = { Host: made[1]!.host }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const sent = request({ agent, hostname, port, path: '/api/', headers }, (reply) => {
    assert.equal(reply.statusCode, 200)
    reply.resume().once('end', resolve).once('error', reject)
  })
  sent.once('error', reject).end()
  return promise
}

const busy = promisify(execFile)

/**
 * Two addresses keep the first app at its limit of requests at the same time. The generator gives way, as if
 * it were on another machine.
 */
function keepBusy(path: string): Promise<string[]> {
  const floods = [1, 2].map(async (n) => {
    const how = ['-t1', `-c${CONNECTIONS}`, `-d${NEIGHBOUR_S + 1}s`]
    const names = ['-H', `Host: ${made[0]!.host}`, '-H', `X-Forwarded-For: 192.0.2.${n}`]
    const { stdout } = await busy('nice', ['wrk', ...how, ...names, `http://${address}${path}`])
    return stdout
  })
  return Promise.all(floods)
}

const floods = [
  { name: 'answers at once', path: '/api/' },
  { name: 'works for milliseconds', path: '/api/work' },
  { name: 'asks its database', path: '/api/rows' },
]
await measureNeighbour()
const beside = floods.map(() => ({
  alone: [] as number[][],
  busy: [] as number[][],
  rate: [] as number[],
}))
for (let round = 0; round < options.rounds; round += 1)
  for (const [index, { path }] of floods.entries()) {
    const { alone, busy, rate } = beside[index]!
    alone.push(await measureNeighbour())
    const flood = keepBusy(path)
    await delay(500)
    busy.push(await measureNeighbour())
    const said = await flood
    assert(
      said.every((one) => !one.includes('Non-2xx')),
      said.join(''),
    )
    rate.push(said.map(rateOf).reduce((sum, one) => sum + one))
  }

finish({
  generator: `wrk, one thread, ${CONNECTIONS} connections`,
  tables: [
    {
      title: 'A request to an app',
      columns: ['request', 'ms'],
      rows: [
        ['the first one, which starts the process', spread(first)],
        ['the next one', spread(warm)],
      ],
    },
    {
      title: 'Requests a second through an app',
      columns: ['asked', 'requests/s', 'to the page'],
      rows: [
        ['the app', spread(rates.app), ratios(rates.app, rates.page)],
        ['a page of the same site', spread(rates.page), null],
      ],
    },
    {
      title: 'An app beside one that 48 requests keep busy',
      about: `${NEIGHBOUR_PER_SECOND} requests a second for ${NEIGHBOUR_S} s, in turn alone and beside.`,
      columns: [
        'the busy one',
        'its requests/s',
        'p50 ms alone',
        'p50 ms beside',
        'p99 ms alone',
        'p99 ms beside',
        'p99: beside to alone',
      ],
      rows: floods.map(({ name }, index) => {
        const { alone, busy, rate } = beside[index]!
        const [p50, p99] = [0.5, 0.99].map((share) => ({
          alone: alone.map((one) => percentile(one, share)),
          busy: busy.map((one) => percentile(one, share)),
        }))
        return [
          name,
          spread(rate),
          spread(p50!.alone),
          spread(p50!.busy),
          spread(p99!.alone),
          spread(p99!.busy),
          ratios(p99!.busy, p99!.alone),
        ]
      }),
    },
    {
      title: 'Memory of an idle app',
      columns: ['', 'MB'],
      rows: [['PSS of its process', spread(idle)]],
    },
  ],
})
await server.stop()
rmSync(folder, { recursive: true, force: true })
