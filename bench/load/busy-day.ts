/**
 * `npm run bench -- busy-day`: the requests of 2,000 projects at constant rates, with forms, pages
 * of sites and webhooks beside them: how long each kind takes at the highest rate at which 99 % of
 * all requests take at most 50 ms, and what becomes slow first beyond it.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { startServer } from '../../test/fixtures/server-process.ts'
import { mixOf } from '../support/mix.ts'
import type { OpenLoad, OpenPass, OpenRequest } from '../support/open-load.ts'
import { readOptions } from '../support/options.ts'
import { processorMs } from '../support/processor.ts'
import { begin, type Cell, type Plot, type ResultTable } from '../support/result.ts'
import { percentile, rounded } from '../support/spread.ts'
import { openStage } from '../support/stage.ts'
import { addTenants, type Tenant } from '../support/tenants.ts'
import { sample } from '../targets/target.ts'

const PROJECTS = 2_000
const SHOPS = 50
const RATES = [250, 500, 1000, 1500, 2000, 2500, 3000]
const P99_MS_MAX = 50
/** Beside a hundred requests of the mix. */
const BESIDE = { form: 2, page: 8 } as const
const ORIGIN = 'https://bakery.example'

const options = readOptions()
const SECONDS = Math.max(options.seconds, 10)
const finish = begin('busy-day', options)
const stage = await openStage()
const generator = fork(join(import.meta.dirname, '..', 'support', 'open-load.ts'))
const [{ port: receiver_port }] = (await once(generator, 'message')) as [{ port: number }]

const { connection, url } = await stage.newDatabase('busy_day')
const server = await startServer(stage.folder, { DATABASE_URL: url, HOMEPORT_LOG_LEVEL: 'error' })
const { base_url = '', project_id: demo_id = '' } = server.banner
const { origin } = new URL(base_url)
const client = new pg.Client(connection)
await client.connect()
const tenants = await addTenants({ client, base_url, demo_id, projects: PROJECTS })
await client.query('update projects set phone_verified = true')
await client.end()

interface Shop {
  token: string
  host: string
}

/** A project with a public form, whose documents are sent to a webhook, and a site. */
async function openShop({ headers }: Tenant, at: number): Promise<Shop> {
  async function post(path: string, body: unknown): Promise<any> {
    const sent = { ...headers[0], 'content-type': 'application/json' }
    const reply = await fetch(base_url + path, {
      method: 'POST',
      headers: sent,
      body: JSON.stringify(body),
    })
    const made = await reply.json()
    assert(reply.ok, JSON.stringify(made))
    return made
  }
  await post('/collections', { name: 'orders', public_write: true, webhook_on_insert: true })
  await post('/webhooks', {
    url: `http://127.0.0.1:${receiver_port}/hooks`,
    events: ['document.created'],
  })
  const { token } = await post('/chat-tokens', { name: 'Site', allowed_origins: [ORIGIN] })
  const page = `<!doctype html>\n<title>Bakery</title>\n${'<p>Bread.</p>\n'.repeat(110)}`
  const files = [{ path: 'index.html', content: page }]
  const site = await post('/sites', { slug: `bakery-${at}`, files })
  return { token, host: new URL(site.url).host }
}

const shops: Shop[] = []
for (const [at, tenant] of tenants.slice(0, SHOPS).entries()) shops.push(await openShop(tenant, at))

/** Sent from many addresses, because forms are limited for each. */
function formOf(n: number): OpenRequest {
  const headers = {
    authorization: `Bearer ${shops[n % SHOPS]!.token}`,
    origin: ORIGIN,
    'content-type': 'application/json',
  }
  const path = '/api/v1/public/collections/orders/documents'
  const from = `127.9.${(n >> 7) % 200}.${1 + (n % 128)}`
  return { kind: 'form', method: 'POST', path, headers, body: JSON.stringify(sample(n)), from }
}

function pageOf(n: number): OpenRequest {
  const headers = { host: shops[n % SHOPS]!.host }
  const from = `127.8.0.${1 + (n % 100)}`
  return { kind: 'page of a site', method: 'GET', path: '/', headers, body: null, from }
}

const names: Record<string, string> = {
  get: 'read',
  project: 'read',
  list: 'list',
  newest: 'list',
  create: 'write',
  patch: 'write',
  batch: 'batch',
}
const MIX_COUNT = 60_000
const BESIDE_EACH = 100
let forms = 0
let pages = 0
const requests: OpenRequest[] = mixOf(tenants, MIX_COUNT).flatMap((one, at) => {
  const body = one.body ? JSON.stringify(one.body) : null
  const json = body === null ? {} : { 'content-type': 'application/json' }
  const sent: OpenRequest = {
    kind: names[one.kind] ?? one.kind,
    method: one.method,
    path: one.path,
    headers: { ...one.header, ...json },
    body,
    from: '127.0.0.1',
  }
  const slot = at % BESIDE_EACH
  if (slot % (BESIDE_EACH / BESIDE.form) === 7) return [sent, formOf((forms += 1))]
  if (slot % Math.floor(BESIDE_EACH / BESIDE.page) === 3 && slot < 96)
    return [sent, pageOf((pages += 1))]
  return [sent]
})

interface Step {
  per_second: number
  pass: OpenPass
  service_cores: number
  postgres_cores: number
  generator_cores: number
}

let used = 0

async function run(per_second: number, seconds: number): Promise<Step> {
  const count = per_second * seconds
  const part = Array.from({ length: count }, (_, n) => requests[(used + n) % requests.length]!)
  used += count
  const pids = [server.child.pid ?? 0, stage.postgres_pid, generator.pid ?? 0]
  const before = processorMs(pids)
  const load: OpenLoad = { origin, per_second, seconds, requests: part, delivered_kind: 'form' }
  generator.send(load)
  const [pass] = (await once(generator, 'message')) as [OpenPass]
  const cores = processorMs(pids).map((ms, at) => rounded((ms - before[at]!) / (seconds * 1000)))
  const [service_cores = 0, postgres_cores = 0, generator_cores = 0] = cores
  console.error(`${per_second}/s: p99 ${rounded(p99Of(pass))} ms ${JSON.stringify(pass.refused)}`)
  return { per_second, pass, service_cores, postgres_cores, generator_cores }
}

/** Of all requests, a refused one counting as endless; deliveries come after the reply. */
function p99Of({ latencies_ms, refused }: OpenPass): number {
  const { webhook: _, ...answered } = latencies_ms
  const refusals = Object.entries(refused).flatMap(([how, count]) =>
    how.startsWith('webhook') ? [] : Array.from({ length: count }, () => Infinity),
  )
  return percentile([...Object.values(answered).flat(), ...refusals], 0.99)
}

const figure = (values: readonly number[] | undefined, share: number): number | null =>
  values ? rounded(percentile(values, share)) : null

await run(RATES[0]!, SECONDS)
const steps: Step[] = []
for (const per_second of RATES) {
  const step = await run(per_second, SECONDS)
  steps.push(step)
  if (p99Of(step.pass) > 4 * P99_MS_MAX) break
}
const kinds = ['read', 'list', 'write', 'batch', 'form', 'page of a site', 'webhook']
const held = steps.findLast(({ pass }) => p99Of(pass) <= P99_MS_MAX)
const beyond = steps.find(({ pass }) => p99Of(pass) > P99_MS_MAX)

function kindTable({ per_second, pass }: Step, title: string): ResultTable {
  return {
    title: `${title}: ${per_second.toLocaleString('en')} requests a second`,
    columns: ['kind', 'requests', 'p50 ms', 'p99 ms', 'slowest ms'],
    rows: kinds.map((kind) => {
      const values = pass.latencies_ms[kind]
      return [
        kind === 'webhook' ? 'webhook, after the reply to its form' : kind,
        values?.length ?? 0,
        figure(values, 0.5),
        figure(values, 0.99),
        figure(values, 1),
      ]
    }),
  }
}

const rateTable: ResultTable = {
  title: 'By rate',
  about:
    `Of 100 requests of 2,000 projects 60 are reads, 25 lists, 10 writes and 5 batches of 10; ` +
    `${BESIDE.form} forms, each with a webhook, and ${BESIDE.page} pages come beside them. ` +
    `A rate lasts ${SECONDS} s. Latencies count from the moment at which a request was due. ` +
    'Service, PostgreSQL and generator share two cores.',
  columns: ['requests/s', 'p50 ms', 'p99 ms', 'refused', 'service', 'PostgreSQL', 'generator'],
  rows: steps.map(({ per_second, pass, ...cores }): Cell[] => {
    const { webhook: _, ...answered } = pass.latencies_ms
    const all = Object.values(answered).flat()
    const refused = Object.values(pass.refused).reduce((sum, one) => sum + one, 0)
    const { service_cores, postgres_cores, generator_cores } = cores
    const shares = [service_cores, postgres_cores, generator_cores]
    return [per_second, figure(all, 0.5), figure(all, 0.99), refused, ...shares]
  }),
}

const plot: Plot = {
  name: 'p99',
  title: '99 % of the requests of each kind take at most, by rate',
  x: { title: 'requests a second', scale: 'linear' },
  y: { title: 'ms', scale: 'log' },
  series: kinds.map((name) => ({
    name,
    points: steps.flatMap(({ per_second, pass }) => {
      const ms = figure(pass.latencies_ms[name], 0.99)
      return ms ? [[per_second, ms] as const] : []
    }),
  })),
}

finish({
  generator: 'undici at a constant rate, on the same two cores',
  versions: { postgres: stage.postgres_version },
  tables: [
    rateTable,
    ...(held ? [kindTable(held, 'The highest rate whose p99 is at most 50 ms')] : []),
    ...(beyond ? [kindTable(beyond, 'The first rate beyond it')] : []),
  ],
  plots: [plot],
})
generator.disconnect()
await server.stop()
await stage.close()
