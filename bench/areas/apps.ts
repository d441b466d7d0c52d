/**
 * `npm run bench -- apps`: requests a second through an app against a page of the same site, the first
 * request of an app that does not run, and the memory of idle apps. Needs `wrk`.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { embeddedConnection } from '../../server/kernel/database/embedded-postgres.ts'
import { startServer } from '../../test/fixtures/server-process.ts'
import { hostOf, visit } from '../../test/fixtures/sites/site-visitor.ts'
import { readOptions } from '../support/options.ts'
import { begin } from '../support/result.ts'
import { ratios, spread } from '../support/spread.ts'

const options = readOptions()
const finish = begin('apps', options)
const CONNECTIONS = 32
const APPS = 3

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
const server = await startServer(folder, { HOMEPORT_LOG_LEVEL: 'error' })
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

const text = "export default { fetch: () => new Response('hello') }"
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
      title: 'Memory of an idle app',
      columns: ['', 'MB'],
      rows: [['PSS of its process', spread(idle)]],
    },
  ],
})
await server.stop()
rmSync(folder, { recursive: true, force: true })
