/**
 * Tests that an approved operation is executed exactly once, at whatever moment its process is
 * killed with SIGKILL and however many processes share the database. Database locks stop real
 * servers at a known point; the test kills them there and starts another one.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { longTest } from '../fixtures/depth.ts'
import { databaseUrl } from '../fixtures/command-line.ts'
import { openReceiver } from '../fixtures/webhooks/webhook-receiver.ts'
import {
  propose,
  callPortalApi,
  decide,
  addTeamMember as joinTeam,
  readApproval,
} from '../fixtures/mcp/approvals.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import { liveFixture } from '../fixtures/live-projects.ts'
import { createOwnedProject, signIn } from '../fixtures/portal/portal.ts'
import { startServer, type ServerProcess } from '../fixtures/server-process.ts'

/** Number of polls between two moves of the clock, to let due work run. */
const LOOKS = 100
const secret = 'a master key for tests that is long enough'
const fixture = await openTestRuntime({
  clock: movableClock(),
  work: false,
  settings: { HOMEPORT_SECRET: secret },
})
const email = 'owner@bakery.example'
const project_id = await createOwnedProject(fixture, email)
const owner = await signIn(fixture, email)
const admin = await joinTeam(fixture, project_id, { email: 'admin@bakery.example', role: 'admin' })
const key = await fixture.newKey({ project_id })
const live_key = await fixture.newKey({ project_id, mode: 'live' })
const receiver = await openReceiver()
const folder = mkdtempSync(join(tmpdir(), 'homeport-approvals-'))
const servers = new Set<ServerProcess>()
after(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function newServer(): Promise<ServerProcess & { url: string }> {
  const server = await startServer(folder, {
    DATABASE_URL: databaseUrl(fixture.connection),
    HOMEPORT_SECRET: secret,
    HOMEPORT_TEST_CLOCK: '1',
    HOMEPORT_LOG_LEVEL: 'error',
  })
  servers.add(server)
  return { ...server, url: new URL(server.banner['base_url']!).origin }
}

async function passes({ url }: { url: string }, advance_seconds: number): Promise<void> {
  const response = await fetch(`${url}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance_seconds }),
  })
  assert.equal(response.status, 200)
}

interface HeldLock {
  /** The number of statements that wait for this lock. Others may wait for other locks. */
  countBlocked(): Promise<number>
  release(): Promise<void>
}

/** Runs a statement in an open transaction, which keeps its locks until it is released. */
async function hold(statement: string, values: unknown[] = []): Promise<HeldLock> {
  const client = new pg.Client(fixture.connection)
  await client.connect()
  await client.query('begin')
  await client.query(statement, values)
  return {
    async countBlocked() {
      // The snapshot of pg_stat_activity is otherwise kept until the transaction ends.
      await client.query('select pg_stat_clear_snapshot()')
      const { rows } = await client.query(
        `select count(*)::int as count from pg_stat_activity
         where pg_backend_pid() = any(pg_blocking_pids(pid))`,
      )
      return rows[0].count
    },
    async release() {
      await client.query('rollback')
      await client.end()
    },
  }
}

async function statusOf(id: string): Promise<string> {
  const query = fixture.runtime.db.selectFrom('approvals').select('status').where('id', '=', id)
  return (await query.executeTakeFirstOrThrow()).status
}

/** Whether a job that executes this approval waits for its time. */
async function isScheduled(id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from jobs where state = 'waiting' and payload ->> 'id' = ${id}
  `.execute(fixture.runtime.db)
  return rows.length > 0
}

/**
 * Moves the clock until the job of the approval has executed it. The clock stands still while the
 * job runs: to the other jobs, an order that takes minutes would look abandoned.
 */
async function endsAs(status: string, id: string, server: { url: string }): Promise<void> {
  await eventually(async () => {
    if (await isScheduled(id)) await passes(server, 30)
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const reached = await statusOf(id)
      if (reached !== 'approved') assert.equal(reached, status)
      if (reached === status) return true
    }
    return false
  })
}

/** Signs in anew, because a moved clock ages every earlier sign-in. */
async function signedInJustNow(): Promise<void> {
  const fresh_at = new Date(fixture.clock.now_ms() + 24 * 3_600_000)
  await fixture.runtime.db.transact((tx) => tx.updateTable('sessions').set({ fresh_at }).execute())
}

async function newCollection(): Promise<string> {
  const name = `c-${crypto.randomUUID().slice(0, 12)}`
  await fixture.call('POST /collections', { key, body: { name } })
  return name
}

interface KillPoint {
  /** The statement whose lock blocks the server. */
  lock: string
  values?: unknown[]
  /** Status of the approval when the server is killed. */
  status: 'pending' | 'approved'
}

/** Approves at a server that the lock blocks, kills the server there and releases the lock. */
async function killedWhile(
  id: string,
  { lock, values, status }: KillPoint,
  project = { project_id, by: owner },
): Promise<void> {
  const server = await newServer()
  await signedInJustNow()
  const blocker = await hold(lock, values)
  const said = { project_id: project.project_id, id, verb: 'approve' as const }
  const answer = decide({ ...fixture, url: server.url }, project.by, said).catch(() => null)
  await eventually(
    async () => (await statusOf(id)) === status && (await blocker.countBlocked()) > 0,
  )
  await server.stop('SIGKILL')
  assert.equal(await answer, null, 'It was answered before it was killed.')
  await blocker.release()
}

const heldEnding = `select pg_advisory_xact_lock(77)`

/** Makes every approval that ends wait for advisory lock 77 right before its result is written. */
async function holdEndings(): Promise<void> {
  const client = new pg.Client(fixture.connection)
  await client.connect()
  await client.query(`
    create function wait_for_lock() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(77); return new; end $$;
    create trigger held_endings before update on approvals for each row
      when (new.status = 'executed' and old.status = 'approved') execute function wait_for_lock();
  `)
  await client.end()
}
await holdEndings()

describe('a killed process', () => {
  longTest(
    'leaves the approval pending if it is killed before the approval is stored, so it can be repeated',
    async () => {
      const name = await newCollection()
      const id = await propose(fixture, 'collections.delete', { name }, key)
      await killedWhile(id, {
        lock: 'select 1 from approvals where id = $1 for update',
        values: [id],
        status: 'pending',
      })
      assert.equal(await statusOf(id), 'pending')
      assert.equal((await fixture.call(`GET /collections/${name}`, { key })).status, 200)
      await signedInJustNow()
      const again = await decide(fixture, owner, { project_id, id, verb: 'approve' })
      assert.equal(again.body.status, 'executed')
    },
  )

  for (const [when, lock] of [
    [
      'after the decision and before the operation starts',
      'lock table api_keys in access exclusive mode',
    ],
    ['in the middle of the operation', 'lock table collections in share mode'],
    ['before the transaction of the operation commits', heldEnding],
  ] as const) {
    longTest(
      `${when} leaves the approval to the next process, which executes it once`,
      async () => {
        const name = await newCollection()
        const id = await propose(fixture, 'collections.delete', { name }, key)
        await killedWhile(id, { lock, status: 'approved' })
        assert.equal(await statusOf(id), 'approved')
        assert.equal((await fixture.call(`GET /collections/${name}`, { key })).status, 200)
        const next = await newServer()
        await endsAs('executed', id, next)
        assert.equal((await fixture.call(`GET /collections/${name}`, { key })).status, 404)
        await next.stop('SIGKILL')
      },
    )
  }
})

describe('an operation that costs money', () => {
  test('is ordered and charged once by the killed process and the next one together', async () => {
    const live = liveFixture(fixture)
    const project = await live.readyProject()
    const person = { email: 'payer@bakery.example', role: 'owner' as const }
    const payer = await joinTeam(fixture, project.project_id, person)
    const given = { idempotency_key: 'the-only-one' }
    const id = await propose(fixture, 'numbers.order', given, project.key)
    const by = { project_id: project.project_id, by: payer }
    await killedWhile(id, { lock: heldEnding, status: 'approved' }, by)
    assert.deepEqual(await live.listed(project.key), [])
    const next = await newServer()
    await endsAs('executed', id, next)
    await next.stop('SIGKILL')
    const { reply } = await readApproval(fixture, id, project.key)
    const numbers = await live.listed(project.key)
    assert.deepEqual(
      numbers.map((number: { id: string }) => number.id),
      [reply.id],
    )
    assert.deepEqual((await live.books(project.key)).amounts, [100, -5])
    const again = await live.order(project.key, {}, 'the-only-one')
    assert.equal(again.body.id, reply.id)
  })
})

describe('an operation that contacts an outside person', () => {
  const events = ['call.completed']
  const eventIds = (path: string) =>
    new Set(receiver.requests.filter((one) => one.path === path).map(({ event }) => event.id))

  async function newEndpoint(): Promise<{ id: string; path: string }> {
    const path = `/hooks/${crypto.randomUUID()}`
    const body = { url: new URL(path, receiver.url).href, events }
    const made = await fixture.call('POST /webhooks', { key, body })
    assert.equal(made.status, 201, made.text)
    return { id: made.body.id, path }
  }

  longTest(
    'is neither repeated nor reported as done if the process was killed after starting it',
    async () => {
      const { id: endpoint_id, path } = await newEndpoint()
      const id = await propose(fixture, 'webhooks.test', { id: endpoint_id }, live_key)
      const server = await newServer()
      await signedInJustNow()
      receiver.answers(() => {})
      const said = { project_id, id, verb: 'approve' as const }
      const answer = decide({ ...fixture, url: server.url }, owner, said).catch(() => null)
      await eventually(() => eventIds(path).size > 0)
      await server.stop('SIGKILL')
      assert.equal(await answer, null)
      assert.equal(await statusOf(id), 'approved')
      receiver.answers(204)
      const next = await newServer()
      await endsAs('failed', id, next)
      await next.stop('SIGKILL')
      const { problem } = await readApproval(fixture, id, key)
      assert.match(problem.user_message, /cannot tell whether this was done/)
      assert.equal(eventIds(path).size, 1)
    },
  )

  longTest('runs once when two people approve on two servers at the same moment', async () => {
    await signedInJustNow()
    const [one, other] = await Promise.all([newServer(), newServer()])
    const endpoints = await Promise.all(Array.from({ length: 5 }, newEndpoint))
    for (const { id: endpoint_id, path } of endpoints) {
      const id = await propose(fixture, 'webhooks.test', { id: endpoint_id }, live_key)
      const said = { project_id, id, verb: 'approve' as const }
      const { body } = await callPortalApi(
        fixture,
        owner,
        `GET /projects/${project_id}/approvals/${id}`,
      )
      const { input_hash } = body
      const answers = await Promise.all(
        [one, other, one, other].map(({ url }, index) =>
          decide({ ...fixture, url }, index % 2 === 0 ? owner : admin, { ...said, input_hash }),
        ),
      )
      const statuses = answers.map(({ status }) => status).toSorted()
      assert.deepEqual(statuses, [200, 409, 409, 409], JSON.stringify(answers[0]))
      assert.equal(await statusOf(id), 'executed')
      assert.equal(eventIds(path).size, 1)
    }
  })
})
