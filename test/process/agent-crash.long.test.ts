/**
 * Tests that a run of an agent does each step once if its process is killed with SIGKILL. Database
 * locks stop a real server at a known point; the test kills it there and starts another one.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { longTest } from '../fixtures/depth.ts'
import { databaseUrl } from '../fixtures/command-line.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import { startServer, type ServerProcess } from '../fixtures/server-process.ts'

/** Number of polls between two moves of the clock, in which due work can run. */
const POLLS = 60
const secret = 'a master key for tests that is long enough'
const fixture = await openTestRuntime({
  clock: movableClock(),
  work: false,
  settings: { HOMEPORT_SECRET: secret },
})
const { key, runtime } = fixture
const folder = mkdtempSync(join(tmpdir(), 'homeport-agents-'))
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

/** Runs a statement in an open transaction, which keeps its locks until it is released. */
async function hold(statement: string) {
  const client = new pg.Client(fixture.connection)
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return {
    async isBlocking(): Promise<boolean> {
      await client.query('select pg_stat_clear_snapshot()')
      const { rows } = await client.query(
        'select 1 from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))',
      )
      return rows.length > 0
    },
    async release(): Promise<void> {
      await client.query('rollback')
      await client.end()
    },
  }
}

/** Makes the transaction of the second step wait for advisory lock 78 before it stores its result. */
async function holdSecondSteps(): Promise<void> {
  const client = new pg.Client(fixture.connection)
  await client.connect()
  await client.query(`
    create function wait_for_step() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(78); return new; end $$;
    create trigger held_steps before insert on agent_steps for each row
      when (new.seq = 2) execute function wait_for_step();
  `)
  await client.end()
}
await holdSecondSteps()

async function newCollection(): Promise<string> {
  const name = `c-${crypto.randomUUID().slice(0, 12)}`
  const made = await fixture.call('POST /collections', { key, body: { name } })
  assert.equal(made.status, 201, made.text)
  return name
}

async function newRun(steps: object[]): Promise<{ id: string; run_id: string }> {
  const body = { name: 'Helper', trigger: { type: 'manual' }, steps }
  const agent = await fixture.call('POST /agents', { key, body })
  assert.equal(agent.status, 201, agent.text)
  const run = await fixture.call(`POST /agents/${agent.body.id}/run`, { key, body: {} })
  assert.equal(run.status, 201, run.text)
  return { id: agent.body.id, run_id: run.body.id }
}

async function readRun({ id, run_id }: { id: string; run_id: string }) {
  return (await fixture.look(`GET /agents/${id}/runs/${run_id}`)).body
}

/**
 * Moves the clock until leases have expired and the run has reached the status. Between two moves the
 * clock stands still, because a run that works for minutes times out.
 */
async function reaches(
  status: string,
  run: { id: string; run_id: string },
  server: { url: string },
) {
  await eventually(async () => {
    await passes(server, 30)
    for (let poll = 0; poll < POLLS; poll += 1) {
      const reached = (await readRun(run)).status
      if (reached === status) return true
      assert.ok(['queued', 'running'].includes(reached), reached)
    }
    return false
  })
}

describe('a killed process', () => {
  for (const [when, lock] of [
    ['before the result of a step commits', 'select pg_advisory_xact_lock(78)'],
    ['in the middle of the operation of a step', 'lock table documents in share mode'],
  ] as const) {
    test(`${when} leaves the run to the next process, which does every step once`, async () => {
      const name = await newCollection()
      const steps = [1, 2, 3].map((n) => ({
        action: 'documents.create',
        input: { name, body: { n } },
      }))
      const blocker = await hold(lock)
      const run = await newRun(steps)
      const server = await newServer()
      await eventually(() => blocker.isBlocking())
      await server.stop('SIGKILL')
      await blocker.release()
      const next = await newServer()
      await reaches('completed', run, next)
      await next.stop('SIGKILL')
      const { body } = await fixture.look(`GET /collections/${name}/documents`)
      const written = body.data.map(({ data }: { data: { n: number } }) => data.n)
      assert.deepEqual(written.toSorted(), [1, 2, 3])
    })
  }

  longTest(
    'before the approval of a step is stored leaves one approval, which the next process creates',
    async () => {
      const name = await newCollection()
      const blocker = await hold('lock table approvals in share mode')
      const run = await newRun([{ action: 'collections.delete', input: { name } }])
      const server = await newServer()
      await eventually(async () => (await readRun(run)).status === 'waiting_approval')
      await server.stop('SIGKILL')
      await blocker.release()
      const { steps } = await readRun(run)
      const next = await newServer()
      const asked = () =>
        runtime.db.selectFrom('approvals').select('id').where('asked_by', '=', run.run_id).execute()
      await eventually(async () => {
        await passes(next, 30)
        return (await asked()).length > 0
      })
      await next.stop('SIGKILL')
      assert.deepEqual(await asked(), [{ id: steps[0].approval_id }])
    },
  )
})
