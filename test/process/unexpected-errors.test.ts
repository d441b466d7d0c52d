/**
 * Tests of unhandled errors and of jobs that exit the process: their effect on requests and on
 * other jobs.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { longTest } from '../fixtures/depth.ts'
import { deadJobs, enqueue, retryDeadJobs, type Job } from '../../server/kernel/jobs/jobs.ts'
import { openBareFixture } from '../fixtures/bare-runtime.ts'
import { eventually } from '../fixtures/eventually.ts'
import { bystanderJob, endingJob, throwingJob } from '../fixtures/processes/failing-worker.ts'

const LEASE_S = 60
const fixture = await openBareFixture()
const runtime = fixture.openRuntime()
const file = new URL('../fixtures/processes/failing-worker.ts', import.meta.url).pathname

beforeEach(() => runtime.db.transact((tx) => sql`truncate jobs`.execute(tx)))

/** Starts the worker with a clock past the leases of earlier workers. */
async function startWorker(t: TestContext, offset_s = 0) {
  const task = JSON.stringify({ connection: fixture.connection, offset_s })
  const child = spawn(process.execPath, [file, task], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [first] = await once(lines, 'line')
  const { port } = JSON.parse(String(first))
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  return { exited, get, kill: () => child.kill('SIGKILL') }
}

function add(job: Job<object>): Promise<void> {
  return runtime.db.transact((tx) => enqueue(tx, runtime, job, { payload: {}, project_id: null }))
}

function rowsOf({ name }: Job<object>) {
  return runtime.db.selectFrom('jobs').selectAll().where('kind', '=', name).execute()
}

describe('an unhandled error', { timeout: 60_000 }, () => {
  for (const [path, message] of [
    ['/throws', 'uncaughtException'],
    ['/rejects', 'unhandledRejection'],
  ] as const) {
    const here = path === '/rejects' ? it : longTest
    here(`answers 500 for its own request and no other (${path})`, async (t) => {
      const { get } = await startWorker(t)
      const failed = await get(path)
      assert.equal(failed.status, 500)
      assert.match(await failed.text(), /internal_error/)
      assert.equal((await get('/ok')).status, 200)
      const metrics = await (await get('/metrics')).text()
      assert.match(metrics, new RegExp(`homeport_unexpected_errors_total{origin="${message}"} 1`))
    })
  }

  it('fails the job whose callback threw it, and the job ends as a dead letter', async (t) => {
    await add(throwingJob)
    const { get } = await startWorker(t)
    const { last_error } = await eventually(async () => (await deadJobs(runtime.db)).jobs[0])
    assert.equal(last_error, 'Error: thrown in a timer of a job')
    assert.equal((await get('/ok')).status, 200)
  })
})

describe('a job that exits its process', { timeout: 60_000 }, () => {
  longTest('is quarantined after two processes, until the operator retries it', async (t) => {
    await add(endingJob)
    for (const round of [0, 1]) {
      const { exited } = await startWorker(t, round * LEASE_S)
      const [, signal] = await exited
      assert.equal(signal, 'SIGKILL')
    }
    const third = await startWorker(t, 2 * LEASE_S)
    const [dead] = await eventually(async () => {
      const { jobs } = await deadJobs(runtime.db)
      return jobs.length > 0 && jobs
    })
    assert.match(dead?.last_error ?? '', /^Set aside: 2 processes ended while they ran this job/)
    const metrics = await eventually(async () => {
      const text = await (await third.get('/metrics')).text()
      return /outcome="set_aside"/.test(text) && text
    })
    assert.match(metrics, /homeport_jobs_total{job="failing.ends_process",outcome="set_aside"} 1/)
    third.kill()
    await third.exited
    await runtime.db.transact((tx) => retryDeadJobs(tx, runtime))
    const [, signal] = await (await startWorker(t, 3 * LEASE_S)).exited
    assert.equal(signal, 'SIGKILL')
  })

  longTest('does not quarantine jobs that ran at the same time', async (t) => {
    for (let count = 0; count < 5; count += 1) await add(bystanderJob)
    await add(endingJob)
    for (const round of [0, 1]) await (await startWorker(t, round * LEASE_S)).exited
    await startWorker(t, 2 * LEASE_S)
    await eventually(async () => (await rowsOf(bystanderJob)).length === 0)
    const { jobs } = await eventually(async () => {
      const dead = await deadJobs(runtime.db)
      return dead.count > 0 && dead
    })
    assert.deepEqual(
      jobs.map(({ job }) => job),
      [endingJob.name],
    )
  })
})
