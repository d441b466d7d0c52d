/**
 * Kills the server in the middle of a deploy, a migration and a schedule of an app: nothing is half done,
 * and the next server goes on.
 */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { findBackendsOf } from '../fixtures/apps/app-database.ts'
import { newApp } from '../fixtures/apps/new-app.ts'
import { databaseUrl } from '../fixtures/command-line.ts'
import { eventually } from '../fixtures/eventually.ts'
import { listen } from '../fixtures/loopback.ts'
import { openTestRuntime, type Answer } from '../fixtures/runtime.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import { startServer, type ServerProcess } from '../fixtures/server-process.ts'
import { hostOf, visit } from '../fixtures/sites/site-visitor.ts'

const secret = 'a master key for tests that is long enough'
const fixture = await openTestRuntime({
  clock: movableClock(),
  work: false,
  settings: { HOMEPORT_SECRET: secret },
})
const folder = mkdtempSync(join(tmpdir(), 'homeport-apps-'))
/** For the folders of processes of apps, which have users of their own. */
const temporary = mkdtempSync(join(tmpdir(), 'homeport-apps-'))
chmodSync(temporary, 0o711)
const servers = new Set<ServerProcess>()
after(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  for (const one of [folder, temporary]) rmSync(one, { recursive: true, force: true })
})

type Server = ServerProcess & { url: string }

async function newServer(): Promise<Server> {
  const server = await startServer(folder, {
    DATABASE_URL: databaseUrl(fixture.connection),
    HOMEPORT_SECRET: secret,
    HOMEPORT_TEST_CLOCK: '1',
    HOMEPORT_LOG_LEVEL: 'error',
    TMPDIR: temporary,
  })
  servers.add(server)
  return { ...server, url: new URL(server.banner['base_url']!).origin }
}

/** Calls the API of a server. */
function callerAt({ url }: Server, key: string) {
  return async (route: string, body?: object): Promise<Pick<Answer, 'status' | 'body'>> => {
    const [method = 'GET', path = '/'] = route.split(' ')
    const reply = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: JSON.parse((await reply.text()) || 'null') }
  }
}

async function newScene(main: string, settings = {}) {
  const { owner, app } = await newApp(fixture, main, settings)
  const key = await fixture.newKey({ project_id: owner.project_id })
  return { app, on: (server: Server) => callerAt(server, key) }
}

/** What the app answers to visitors. */
async function shown(server: Server, url: string): Promise<string> {
  return (await visit({ url: server.url }, { host: hostOf(url), route: 'GET /api/' })).text
}

const answering = (text: string) => [
  { path: 'main.ts', text: `export default { fetch: () => new Response('${text}') }` },
]

test('a deploy that was killed leaves the version before, and the next deploy works', async () => {
  const { app, on } = await newScene(answering('one')[0]!.text)
  const server = await newServer()
  const blocker = new pg.Client(fixture.connection)
  await blocker.connect()
  await blocker.query('begin; lock table app_versions in share mode')
  const lost = on(server)(`PUT /apps/${app.id}`, { modules: answering('two') }).catch(() => null)
  await eventually(async () => {
    await blocker.query('select pg_stat_clear_snapshot()')
    const { rowCount } = await blocker.query(
      'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))',
    )
    return rowCount === 1
  })
  await server.stop('SIGKILL')
  assert.equal(await lost, null)
  await blocker.query('rollback')
  await blocker.end()

  const next = await newServer()
  const call = on(next)
  const { body } = await call(`GET /apps/${app.id}`)
  assert.equal(body.version, 1)
  assert.equal((await call(`GET /apps/${app.id}/versions`)).body.data.length, 1)
  assert.equal(await shown(next, body.url), 'one')
  const again = await call(`PUT /apps/${app.id}`, { modules: answering('two') })
  assert.deepEqual([again.status, again.body.version], [200, 2])
  assert.equal(await shown(next, body.url), 'two')
  await next.stop('SIGKILL')
})

test('a migration that was killed left nothing, and runs again', async () => {
  const { app, on } = await newScene(answering('one')[0]!.text)
  const server = await newServer()
  const migrate = (at: Server, sql: string) =>
    on(at)(`POST /apps/${app.id}/migrations`, { migrations: [{ name: '1', sql }] })
  const lost = migrate(server, 'create table t (a int); select pg_sleep(3)').catch(() => null)
  await eventually(async () => (await findBackendsOf(fixture, app.id)) === 1)
  await server.stop('SIGKILL')
  assert.equal(await lost, null)
  const next = await newServer()
  const done = await migrate(next, 'create table t (a int)')
  assert.deepEqual(done.body.applied, ['1'], JSON.stringify(done.body))
  await next.stop('SIGKILL')
})

test('a schedule that was killed is recorded as failed, and not repeated', async (t) => {
  let runs = 0
  const port = await listen(
    t,
    createServer(() => {
      runs += 1
    }),
  )
  const main = `export default {
    fetch: () => new Response('one'),
    scheduled: () => fetch('http://localhost:${port}/'),
  }`
  const schedules = [{ cron: '0 8 * * *' }]
  const { app, on } = await newScene(main, { schedules, allowed_hosts: [`localhost:${port}`] })
  const server = await newServer()
  await passes(server, 86_400)
  await eventually(() => runs === 1)
  await server.stop('SIGKILL')
  const remains = () => readdirSync(temporary).filter((name) => name.startsWith('homeport-app-'))
  const left = remains()
  assert.ok(left.length > 0)

  const next = await newServer()
  const read = async () => (await on(next)(`GET /apps/${app.id}/schedules`)).body.data[0]
  await eventually(async () => {
    await passes(next, 30)
    return (await read()).last_status !== 'running'
  })
  const { last_status, last_error } = await read()
  assert.deepEqual([last_status, last_error], ['failed', 'The server stopped while it worked.'])
  assert.equal(runs, 1)
  const { url } = (await on(next)(`GET /apps/${app.id}`)).body
  assert.equal(await shown(next, url), 'one')
  assert.deepEqual(
    remains().filter((name) => left.includes(name)),
    [],
  )
  await next.stop('SIGKILL')
})

async function passes({ url }: Server, advance_seconds: number): Promise<void> {
  const response = await fetch(`${url}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance_seconds }),
  })
  assert.equal(response.status, 200)
}
