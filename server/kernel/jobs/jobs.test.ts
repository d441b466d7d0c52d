/**
 * Tests of the job queue on a real PostgreSQL. Two runtimes on one database represent two
 * processes; where a process must die, a child process is killed.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { beforeEach, suite, test, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { depth } from '../../../test/fixtures/depth.ts'
import {
  openBareFixture,
  openBareRuntime,
  standingClock,
  type BareRuntime,
} from '../../../test/fixtures/bare-runtime.ts'
import { shipOrder } from '../../../test/fixtures/processes/crash-worker.ts'
import type { Transaction } from '../database/database.ts'
import { newId } from '../values/ids.ts'
import { LeaseLost } from './jobs-leases.ts'
import {
  claimJobs,
  claimQuery,
  TENANT_BEFORE_FIRST,
  planByIndex,
  type Claim,
} from './jobs-store.ts'
import {
  countJobs,
  deadJobs,
  enqueue,
  job,
  reconciler,
  retryDeadJobs,
  startJobs,
  type Job,
  type JobsOptions,
  type NewWork,
  type JobRun,
} from './jobs.ts'

const fixture = await openBareFixture()
const keeper = fixture.openRuntime()
const projectA = '00000000-0000-7000-8000-00000000000a'
const projectB = '00000000-0000-7000-8000-00000000000b'
const projectC = '00000000-0000-7000-8000-00000000000c'

await keeper.db.transact(async (tx) => {
  await sql`create table effects (what text not null)`.execute(tx)
  await sql`create table parcels (id uuid not null)`.execute(tx)
  await sql`create table shipped (order_id uuid not null)`.execute(tx)
})

beforeEach(async () => {
  await keeper.db.transact((tx) => sql`truncate jobs, effects, parcels, shipped`.execute(tx))
})

interface Process {
  runtime: BareRuntime
  work(options: Partial<JobsOptions>): { stop(): Promise<void> }
  /** Advances the clock of this process and wakes its job workers. */
  passes(seconds: number): void
}

function startProcess(t: TestContext, offset_s = 0): Process {
  const runtime = fixture.openRuntime(standingClock(offset_s))
  const stops: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const stop of stops) await stop()
    await runtime.close()
  })
  return {
    runtime,
    work(options) {
      const working = startJobs(runtime, { jobs: [], reconcilers: [], stop_ms: 0, ...options })
      stops.push(() => working.stop())
      return working
    },
    passes(seconds) {
      runtime.clock.advance(seconds)
      runtime.wakeups.announce('jobs')
    },
  }
}

interface Note {
  n: number
}

const Note = Type.Object({ n: Type.Integer() }, { additionalProperties: false })

interface NoteOptions {
  name?: string
  retry_after_s?: number[]
  run?: (work: JobRun<Note>) => Promise<void>
}

function noteJob({ name = 'note', retry_after_s = [], run = async () => {} }: NoteOptions = {}) {
  return job({ name, payload: Note, retry_after_s, run })
}

function add(
  runtime: BareRuntime,
  job: Job<Note>,
  work: Partial<NewWork<Note>> = {},
): Promise<void> {
  return runtime.db.transact((tx) =>
    enqueue(tx, runtime, job, { payload: { n: 1 }, project_id: null, ...work }),
  )
}

/** Many due jobs at once. */
function addMany(count: number, project_id: string | null, kind = 'note'): Promise<void> {
  return keeper.db.transact((tx) => insertMany(tx, count, { project_id, kind }))
}

async function insertMany(
  tx: Transaction,
  count: number,
  { project_id, kind }: { project_id: string | null; kind: string },
): Promise<void> {
  const now = keeper.clock.now()
  await sql`
    insert into jobs (id, kind, project_id, payload, run_at, state, created_at)
    select gen_random_uuid(), ${kind}, ${project_id}::uuid, '{"n": 1}',
      ${now}::timestamptz - make_interval(secs => ${count}::int - n), 'due', ${now}
    from generate_series(1, ${count}::int) as n
  `.execute(tx)
}

function rowsOfQueue() {
  return keeper.db.selectFrom('jobs').selectAll().orderBy('id').execute()
}

async function onlyRow() {
  const rows = await rowsOfQueue()
  assert.equal(rows.length, 1)
  return rows[0]!
}

async function effects(): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`select what from effects order by what`.execute(
    keeper.db,
  )
  return rows.map(({ what }) => what)
}

const leaveEffect = (what: string) => async (tx: Transaction) => {
  await sql`insert into effects (what) values (${what})`.execute(tx)
}

/** Polls a condition, each time after a query or a turn of the event loop. */
async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline_ms = performance.now() + 20_000
  while (!(await condition())) {
    assert(performance.now() < deadline_ms, `it never came true: ${condition}`)
    await new Promise(setImmediate)
  }
}

const queueIsEmpty = async () => (await rowsOfQueue()).length === 0
const stateIs = (state: string) => async () => (await rowsOfQueue())[0]?.state === state

function claim(slots: number, rest: Partial<Claim> = {}) {
  const now = keeper.clock.now()
  const lease_until = new Date(now.getTime() + 60_000)
  const claim = {
    now,
    lease_until,
    kinds: ['note'],
    slots,
    tenant_workers: 8,
    after: TENANT_BEFORE_FIRST,
  }
  return keeper.db.transact((tx) => claimJobs(tx, { ...claim, ...rest }))
}

async function outcomes(runtime: BareRuntime): Promise<Record<string, number>> {
  const { values } = await runtime.metrics.jobs.get()
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))
}

/**
 * Asserts the counted outcomes. Waits for them, because metrics are updated after an end is
 * recorded.
 */
async function outcomesAre(runtime: BareRuntime, expected: Record<string, number>): Promise<void> {
  await until(async () => isDeepStrictEqual(await outcomes(runtime), expected))
}

suite('a job', () => {
  test('runs after its transaction commits', async (t) => {
    const { runtime, work } = startProcess(t)
    const ran: JobRun<Note>[] = []
    const note = noteJob({ run: async (work) => void ran.push(work) })
    work({ jobs: [note] })
    await add(runtime, note, { payload: { n: 7 }, project_id: projectA })
    await until(queueIsEmpty)
    assert.equal(ran.length, 1)
    assert.deepEqual(ran[0]?.payload, { n: 7 })
    assert.equal(ran[0]?.project_id, projectA)
    assert.equal(ran[0]?.attempt, 1)
    await outcomesAre(runtime, { done: 1 })
  })

  test('does not exist when the transaction is rolled back', async (t) => {
    const { runtime } = startProcess(t)
    const failing = runtime.db.transact(async (tx) => {
      await enqueue(tx, runtime, noteJob(), { payload: { n: 1 }, project_id: null })
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.equal((await rowsOfQueue()).length, 0)
  })

  test('is refused at once if its payload is invalid', async (t) => {
    const { runtime } = startProcess(t)
    await assert.rejects(add(runtime, noteJob(), { payload: { n: 1.5 } }), /for note/)
  })

  test("waits until its time by the server's clock", async (t) => {
    const { runtime, work, passes } = startProcess(t)
    let ran = 0
    const note = noteJob({ run: async () => void ran++ })
    work({ jobs: [note] })
    const run_at = new Date(runtime.clock.now_ms() + 3_600_000)
    await add(runtime, note, { run_at })
    await add(runtime, note)
    passes(3599)
    await add(runtime, note)
    await until(async () => (await rowsOfQueue()).length === 1)
    assert.equal(ran, 2)
    assert.deepEqual((await onlyRow()).run_at, run_at)
    passes(1)
    await until(queueIsEmpty)
    assert.equal(ran, 3)
  })

  test('commits its effects and its end in one transaction', async (t) => {
    const { runtime, work } = startProcess(t)
    const note = noteJob({
      run: ({ finish }) =>
        finish(async (tx) => {
          await leaveEffect('shipped')(tx)
          const rows = await tx.selectFrom('jobs').select('id').execute()
          assert.equal(rows.length, 1)
        }),
    })
    work({ jobs: [note] })
    await add(runtime, note)
    await until(queueIsEmpty)
    assert.deepEqual(await effects(), ['shipped'])
  })

  test('leaves no effect of an attempt that fails during its transaction', async (t) => {
    const { runtime, work, passes } = startProcess(t)
    const note = noteJob({
      retry_after_s: [5],
      run: ({ attempt, finish }) =>
        finish(async (tx) => {
          await leaveEffect(`attempt ${attempt}`)(tx)
          if (attempt === 1) throw new Error('half way')
        }),
    })
    work({ jobs: [note] })
    await add(runtime, note)
    await until(stateIs('waiting'))
    assert.deepEqual(await effects(), [])
    passes(5)
    await until(queueIsEmpty)
    assert.deepEqual(await effects(), ['attempt 2'])
  })

  test('stays done if it fails after finish()', async (t) => {
    const { runtime, work } = startProcess(t)
    const note = noteJob({
      run: async ({ finish }) => {
        await finish(leaveEffect('once'))
        throw new Error('too late')
      },
    })
    work({ jobs: [note] })
    await add(runtime, note)
    await until(() => runtime.logged.some(({ msg }) => msg === 'a job failed after it was done'))
    assert.equal((await rowsOfQueue()).length, 0)
    assert.deepEqual(await effects(), ['once'])
  })

  test('is not claimed if its kind is unknown', async (t) => {
    const { runtime, work } = startProcess(t)
    const [known, unknown] = [noteJob(), noteJob({ name: 'of_other_code' })]
    work({ jobs: [known], workers: 1 })
    await add(runtime, unknown)
    for (let n = 0; n < 5; n++) await add(runtime, known)
    await until(async () => (await rowsOfQueue()).length === 1)
    const row = await onlyRow()
    assert.equal(row.kind, 'of_other_code')
    assert.equal(row.state, 'due')
    assert.equal(row.attempt, 0)
  })
})

suite('a failed attempt', () => {
  test('is retried after the next pause of the schedule, or is dead after the last', async (t) => {
    const { runtime, work, passes } = startProcess(t)
    const attempts: number[] = []
    const note = noteJob({
      retry_after_s: [60, 300, 7200],
      run: async ({ attempt }) => {
        attempts.push(attempt)
        throw new Error(`attempt ${attempt}\0 failed`)
      },
    })
    work({ jobs: [note] })
    await add(runtime, note, { project_id: projectA })
    for (const [index, pause_s] of [60, 300, 7200].entries()) {
      await until(async () => attempts.length === index + 1 && (await stateIs('waiting')()))
      const row = await onlyRow()
      assert.equal(row.run_at.getTime(), runtime.clock.now_ms() + pause_s * 1000)
      assert.equal(row.last_error, `Error: attempt ${index + 1} failed`)
      passes(pause_s - 1)
      await until(async () => (await claim(1)).rows.length === 0)
      passes(1)
    }
    await until(stateIs('dead'))
    assert.deepEqual(attempts, [1, 2, 3, 4])
    const row = await onlyRow()
    assert.equal(row.last_error, 'Error: attempt 4 failed')
    assert.deepEqual(row.dead_at, runtime.clock.now())
    await outcomesAre(runtime, { retry: 3, dead: 1 })
    const lines = runtime.logged.filter(({ level }) => level === 'error')
    assert.deepEqual(
      lines.map(({ msg, job }) => [msg, job]),
      [['a job is dead', 'note']],
    )
  })

  test('is not counted if the database was unavailable', async (t) => {
    const { runtime, work, passes } = startProcess(t)
    let ran = 0
    const note = noteJob({
      run: async () => {
        if (ran++ === 0) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
      },
    })
    work({ jobs: [note] })
    await add(runtime, note)
    await until(stateIs('waiting'))
    assert.equal((await onlyRow()).attempt, 0)
    passes(5)
    await until(queueIsEmpty)
    assert.equal(ran, 2)
  })

  test('may throw any value', async (t) => {
    const { runtime, work } = startProcess(t)
    const note = noteJob({ run: () => Promise.reject('a mere text') })
    work({ jobs: [note] })
    await add(runtime, note)
    await until(stateIs('dead'))
    assert.equal((await onlyRow()).last_error, 'a mere text')
  })
})

suite('a dead job', () => {
  test('results from a payload of older code, without a run', async (t) => {
    const { runtime, work } = startProcess(t)
    let ran = 0
    const old = job({
      name: 'note',
      payload: Type.Object({ text: Type.String() }),
      retry_after_s: [9],
      run: async () => {},
    })
    await runtime.db.transact((tx) =>
      enqueue(tx, runtime, old, { payload: { text: 'x' }, project_id: null }),
    )
    work({ jobs: [noteJob({ retry_after_s: [9], run: async () => void ran++ })] })
    await until(stateIs('dead'))
    assert.match((await onlyRow()).last_error ?? '', /^The payload does not fit .*required.*\.$/)
    assert.equal(ran, 0)
  })

  test('results from ten consecutive interruptions', async (t) => {
    const { runtime, work } = startProcess(t)
    let ran = 0
    const note = noteJob({ run: async () => void ran++ })
    await add(runtime, note)
    await keeper.db.transact((tx) => sql`update jobs set losses = 10`.execute(tx))
    work({ jobs: [note] })
    await until(stateIs('dead'))
    assert.match((await onlyRow()).last_error ?? '', /in 10 runs one after another/)
    assert.equal(ran, 0)
  })

  test('is listed, newest first, and counted', async (t) => {
    const { runtime, work } = startProcess(t)
    const note = noteJob({ run: ({ payload }) => Promise.reject(new Error(`note ${payload.n}`)) })
    work({ jobs: [note] })
    for (const n of [1, 2, 3]) await add(runtime, note, { payload: { n }, project_id: projectA })
    await until(async () => (await deadJobs(runtime.db)).count === 3)
    const { jobs } = await deadJobs(runtime.db)
    assert.deepEqual(
      jobs.map(({ last_error }) => last_error),
      [3, 2, 1].map((n) => `Error: note ${n}`),
    )
    assert.equal(jobs[0]?.job, 'note')
    assert.equal(jobs[0]?.project_id, projectA)
    assert.deepEqual(await countJobs(runtime.db), { waiting: 0, due: 0, leased: 0, dead: 3 })
  })

  test('can be retried with all attempts', async (t) => {
    const { runtime, work } = startProcess(t)
    let repaired = false
    const note = noteJob({
      run: async ({ attempt, payload, finish }) => {
        if (!repaired) throw new Error('not yet')
        await finish(leaveEffect(`note ${payload.n} attempt ${attempt}`))
      },
    })
    work({ jobs: [note] })
    for (const n of [1, 2, 3]) await add(runtime, note, { payload: { n } })
    await until(async () => (await countJobs(runtime.db)).dead === 3)
    repaired = true
    const [first] = await rowsOfQueue()
    const one = await runtime.db.transact((tx) => retryDeadJobs(tx, runtime, [first!.id]))
    await until(async () => (await rowsOfQueue()).length === 2)
    assert.equal(one, 1)
    assert.deepEqual(await effects(), ['note 1 attempt 1'])
    assert.equal(await runtime.db.transact((tx) => retryDeadJobs(tx, runtime)), 2)
    await until(queueIsEmpty)
    assert.equal((await effects()).length, 3)
  })

  test('is counted in the metrics', async (t) => {
    await addMany(2, projectA, 'of_other_code')
    await keeper.db.transact((tx) =>
      sql`update jobs set state = 'dead', dead_at = run_at`.execute(tx),
    )
    const { runtime, work } = startProcess(t)
    work({})
    const dead = async () => {
      const { values } = await runtime.metrics.jobs_waiting.get()
      return values.find(({ labels }) => labels.state === 'dead')?.value
    }
    await until(async () => (await dead()) === 2)
  })
})

suite('a lease', () => {
  /** A run in another process that lasts until it is released. */
  function stuckRun(t: TestContext, offset_s = 0) {
    const process = startProcess(t, offset_s)
    const begun = Promise.withResolvers<JobRun<Note>>()
    const letGo = Promise.withResolvers<void>()
    const note = noteJob({
      retry_after_s: [60],
      run: async (work) => {
        begun.resolve(work)
        await letGo.promise
        await work.finish(leaveEffect('of the stuck run'))
      },
    })
    const working = process.work({ jobs: [note] })
    return { ...process, begun: begun.promise, letGo: letGo.resolve, note, working }
  }

  const quickJob = () => noteJob({ run: ({ finish }) => finish(leaveEffect('of the quick run')) })

  test('lets another process run the job after its expiry, and fences the first run', async (t) => {
    const stuck = stuckRun(t)
    await add(stuck.runtime, stuck.note)
    const { finish } = await stuck.begun
    const other = startProcess(t, 60)
    other.work({ jobs: [quickJob()] })
    await until(queueIsEmpty)
    await assert.rejects(finish(leaveEffect('of the stuck run')), LeaseLost)
    stuck.letGo()
    await outcomesAre(stuck.runtime, { fenced: 1 })
    assert.deepEqual(await effects(), ['of the quick run'])
  })

  test('fences the first run even while the second one is still running', async (t) => {
    const stuck = stuckRun(t)
    await add(stuck.runtime, stuck.note)
    await stuck.begun
    const other = stuckRun(t, 60)
    await other.begun
    stuck.letGo()
    await outcomesAre(stuck.runtime, { fenced: 1 })
    assert.deepEqual(await effects(), [])
    other.letGo()
    await until(queueIsEmpty)
    assert.deepEqual(await effects(), ['of the stuck run'])
  })

  test('prevents other runs until it expires', async (t) => {
    const stuck = stuckRun(t)
    await add(stuck.runtime, stuck.note)
    await stuck.begun
    const other = startProcess(t, 59)
    const marker = noteJob({ name: 'marker' })
    other.work({ jobs: [quickJob(), marker] })
    await add(other.runtime, marker)
    await until(async () => (await rowsOfQueue()).length === 1)
    stuck.letGo()
    await until(queueIsEmpty)
    assert.deepEqual(await effects(), ['of the stuck run'])
  })

  test('is renewed before expiry is checked: moving the clock by an hour repeats nothing', async (t) => {
    const stuck = stuckRun(t)
    await add(stuck.runtime, stuck.note)
    const { signal } = await stuck.begun
    stuck.passes(3600)
    const renewed_ms = stuck.runtime.clock.now_ms() + 60_000
    await until(async () => (await onlyRow()).lease_until?.getTime() === renewed_ms)
    assert.equal(signal.aborted, false)
    stuck.letGo()
    await until(queueIsEmpty)
    await outcomesAre(stuck.runtime, { done: 1 })
  })

  test('survives a clock that is moved during the claim', async (t) => {
    const { runtime, work, passes } = startProcess(t)
    let ran = 0
    const note = noteJob({ run: async () => void ran++ })
    work({ jobs: [note], workers: 3 })
    for (let n = 0; n < 40; n++) {
      await add(runtime, note)
      passes(3600)
    }
    await until(queueIsEmpty)
    assert.equal(ran, 40)
    await outcomesAre(runtime, { done: 40 })
  })

  test('aborts the signal of the run when it is lost', async (t) => {
    const stuck = stuckRun(t)
    await add(stuck.runtime, stuck.note)
    const { signal } = await stuck.begun
    const other = startProcess(t, 60)
    other.work({ jobs: [quickJob()] })
    await until(queueIsEmpty)
    assert.equal(signal.aborted, false)
    stuck.passes(10)
    await until(() => signal.aborted)
    assert(signal.reason instanceof LeaseLost)
    stuck.letGo()
  })

  test('expires if its process died and the clock reaches its end', async (t) => {
    const { runtime, work, passes } = startProcess(t)
    const note = quickJob()
    await add(runtime, note)
    assert.equal((await claim(1)).rows.length, 1)
    work({ jobs: [note] })
    passes(59)
    assert.equal((await onlyRow()).state, 'leased')
    passes(1)
    await until(queueIsEmpty)
    assert.deepEqual(await effects(), ['of the quick run'])
  })

  test('counts as a loss, not as an attempt, if it is lost', async (t) => {
    const { runtime, work, passes } = startProcess(t)
    await add(runtime, noteJob())
    await claim(1)
    work({})
    passes(60)
    await until(stateIs('due'))
    const { attempt, losses, last_error } = await onlyRow()
    assert.deepEqual({ attempt, losses }, { attempt: 0, losses: 1 })
    assert.match(last_error ?? '', /process that ran it ended/)
  })
})

suite('a stop', () => {
  test('waits for running jobs', async (t) => {
    const { runtime, work } = startProcess(t)
    const begun = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const note = noteJob({
      run: async ({ finish }) => {
        begun.resolve()
        await letGo.promise
        await finish(leaveEffect('finished'))
      },
    })
    const working = work({ jobs: [note], stop_ms: 60_000 })
    await add(runtime, note)
    await begun.promise
    const stopped = working.stop()
    letGo.resolve()
    await stopped
    assert.deepEqual(await effects(), ['finished'])
    assert.equal(await queueIsEmpty(), true)
  })

  test('releases jobs that do not end in time, without counting an attempt', async (t) => {
    const { runtime, work } = startProcess(t)
    const begun = Promise.withResolvers<JobRun<Note>>()
    const note = noteJob({
      run: async (work) => {
        begun.resolve(work)
        await new Promise<void>((_done, fail) =>
          work.signal.addEventListener('abort', () => fail(work.signal.reason)),
        )
      },
    })
    const working = work({ jobs: [note], stop_ms: 0 })
    await add(runtime, note)
    const { signal, finish } = await begun.promise
    await working.stop()
    assert.equal(signal.aborted, true)
    const { state, attempt, losses } = await onlyRow()
    assert.deepEqual({ state, attempt, losses }, { state: 'due', attempt: 0, losses: 0 })
    await assert.rejects(finish(leaveEffect('too late')), LeaseLost)
    assert.deepEqual(await effects(), [])
  })

  test('ends claiming', async (t) => {
    const { runtime, work } = startProcess(t)
    const note = noteJob()
    await work({ jobs: [note] }).stop()
    await add(runtime, note)
    assert.equal((await onlyRow()).state, 'due')
  })
})

suite('a dedupe key', () => {
  test('keeps one job waiting, at the earliest requested time', async (t) => {
    const { runtime } = startProcess(t)
    const note = noteJob()
    const at = (seconds: number) => new Date(runtime.clock.now_ms() + seconds * 1000)
    for (const seconds of [50, 20, 80]) {
      await add(runtime, note, { dedupe_key: 'k', run_at: at(seconds) })
    }
    assert.deepEqual((await onlyRow()).run_at, at(20))
    await add(runtime, note, { dedupe_key: 'k' })
    const { state, run_at } = await onlyRow()
    assert.deepEqual({ state, run_at }, { state: 'due', run_at: at(0) })
  })

  test('is scoped to project and kind', async (t) => {
    const { runtime } = startProcess(t)
    const [note, other] = [noteJob(), noteJob({ name: 'other' })]
    await add(runtime, note, { dedupe_key: 'k', project_id: projectA })
    await add(runtime, note, { dedupe_key: 'k', project_id: projectB })
    await add(runtime, note, { dedupe_key: 'k', project_id: null })
    await add(runtime, other, { dedupe_key: 'k', project_id: projectA })
    await add(runtime, note, { dedupe_key: 'l', project_id: projectA })
    await add(runtime, note, { project_id: projectA })
    assert.equal((await rowsOfQueue()).length, 6)
  })

  test('if requested again during a run, causes one more run after it', async (t) => {
    const { runtime, work } = startProcess(t)
    const letGo = Promise.withResolvers<void>()
    const ran: number[] = []
    let running = 0
    const note = noteJob({
      run: async ({ payload }) => {
        ran.push(payload.n)
        if (payload.n === 4) return
        assert.equal(++running, 1)
        if (payload.n === 1) await letGo.promise
        running--
      },
    })
    work({ jobs: [note] })
    await add(runtime, note, { dedupe_key: 'k', payload: { n: 1 } })
    await until(() => ran.length === 1)
    await add(runtime, note, { dedupe_key: 'k', payload: { n: 2 } })
    await add(runtime, note, { dedupe_key: 'k', payload: { n: 3 } })
    await add(runtime, note, { dedupe_key: 'other', payload: { n: 4 } })
    await until(() => ran.length === 2)
    assert.deepEqual(ran, [1, 4])
    letGo.resolve()
    await until(queueIsEmpty)
    assert.deepEqual(ran, [1, 4, 2])
  })

  test('merged in a transaction blocks the start of the job until the commit', async (t) => {
    const { runtime } = startProcess(t)
    const note = noteJob()
    await add(runtime, note, { dedupe_key: 'k' })
    await runtime.db.transact(async (tx) => {
      await enqueue(tx, runtime, note, { payload: { n: 2 }, project_id: null, dedupe_key: 'k' })
      assert.equal((await claim(5)).rows.length, 0)
    })
    assert.equal((await claim(5)).rows.length, 1)
  })

  test('does not shorten the pause before a retry', async (t) => {
    const { runtime, work } = startProcess(t)
    const note = noteJob({ retry_after_s: [60], run: () => Promise.reject(new Error('no')) })
    work({ jobs: [note] })
    await add(runtime, note, { dedupe_key: 'k' })
    await until(stateIs('waiting'))
    await add(runtime, note, { dedupe_key: 'k' })
    const { state, run_at } = await onlyRow()
    assert.equal(state, 'waiting')
    assert.equal(run_at.getTime(), runtime.clock.now_ms() + 60_000)
  })

  test('is free for a job added during a run, and then the failed run is not retried', async (t) => {
    const { runtime, work } = startProcess(t)
    const letGo = Promise.withResolvers<void>()
    const ran: string[] = []
    const note = noteJob({
      retry_after_s: [60],
      run: async ({ payload, attempt }) => {
        ran.push(`${payload.n}.${attempt}`)
        if (payload.n > 1) return
        await letGo.promise
        throw new Error('no')
      },
    })
    work({ jobs: [note] })
    await add(runtime, note, { dedupe_key: 'k', payload: { n: 1 } })
    await until(() => ran.length === 1)
    await add(runtime, note, { dedupe_key: 'k', payload: { n: 2 } })
    letGo.resolve()
    await until(queueIsEmpty)
    assert.deepEqual(ran, ['1.1', '2.1'])
  })
})

suite('fairness', () => {
  test('gives a project with one job its turn in the first claim, beside 20,000 jobs of another', async () => {
    await addMany(20_000, projectA)
    await addMany(1, projectB)
    const { rows } = await claim(2)
    assert.deepEqual(new Set(rows.map((row) => row.project_id)), new Set([projectA, projectB]))
  })

  test('gives projects turns, counting jobs without a project as one more', async () => {
    for (const project_id of [projectA, projectB, null]) await addMany(3, project_id)
    const turns: (string | null | undefined)[] = []
    for (let after = TENANT_BEFORE_FIRST; turns.length < 9;) {
      const { rows, last_tenant } = await claim(1, { after })
      after = last_tenant
      turns.push(rows[0]?.project_id)
    }
    assert.deepEqual(
      turns,
      [...Array(3)].flatMap(() => [projectA, projectB, null]),
    )
  })

  test('limits the concurrent jobs of one project to its share', async () => {
    await addMany(30, projectA)
    await addMany(2, projectB)
    const { rows } = await claim(12, { tenant_workers: 8 })
    assert.equal(rows.filter((row) => row.project_id === projectA).length, 8)
    assert.equal(rows.length, 10)
    assert.equal((await claim(12, { tenant_workers: 8 })).rows.length, 0)
    assert.equal((await claim(12, { tenant_workers: 9 })).rows.length, 1)
  })

  test('skips a project that uses its share', async () => {
    await addMany(3, projectA)
    await addMany(1, projectB)
    assert.equal((await claim(1, { tenant_workers: 1 })).rows[0]?.project_id, projectA)
    assert.equal((await claim(1, { tenant_workers: 1 })).rows[0]?.project_id, projectB)
  })

  test('takes the oldest job of a project first, of any kind', async () => {
    await addMany(3, projectA, 'note')
    await addMany(4, projectA, 'a_kind')
    const kinds = ['note', 'a_kind']
    const taken: string[] = []
    for (let n = 0; n < 7; n++) taken.push((await claim(1, { kinds })).rows[0]!.kind)
    assert.equal(taken[0], 'a_kind')
    assert.deepEqual(taken.slice(1, 3).toSorted(), ['a_kind', 'note'])
  })

  test('serves the project with the fewest running jobs first, in every queue', async () => {
    const projects = [null, projectA, projectB, projectC]
    const backlog = fc.tuple(...projects.map(() => fc.nat({ max: 9 })))
    const steps = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 })
    const law = fc.asyncProperty(backlog, steps, async (counts, claims) => {
      await keeper.db.transact((tx) => sql`truncate jobs`.execute(tx))
      for (const [index, count] of counts.entries()) await addMany(count, projects[index]!)
      const active = projects.map(() => 0)
      const due = [...counts]
      let after = TENANT_BEFORE_FIRST
      for (const slots of claims) {
        const room = due.reduce((sum, count, i) => sum + Math.min(count, 5 - active[i]!), 0)
        const { rows, last_tenant } = await claim(slots, { after, tenant_workers: 5 })
        after = last_tenant
        assert.equal(rows.length, Math.min(slots, room))
        const served = rows.map((row) => projects.indexOf(row.project_id))
        for (const index of served) {
          active[index]!++
          due[index]!--
        }
        if (slots < projects.length) continue
        const open = projects.flatMap((_, i) => (due[i]! > 0 && active[i]! < 5 ? [active[i]!] : []))
        for (const index of served) assert(open.every((count) => active[index]! <= count + 1))
      }
    })
    await fc.assert(law, { numRuns: depth(15, 60) })
  })

  test('costs the same for any length of the queue, also with an old query plan', async () => {
    await blocksOfClaim()
    await keeper.db.transact(fill)
    assert((await blocksOfClaim()) < 2000)
    await sql`analyze jobs`.execute(keeper.db)
    assert((await blocksOfClaim()) < 2000)
  })

  test('costs the same if statistics were gathered while the queue seemed empty', async () => {
    const other = fixture.openRuntime()
    await other.db.transact(async (tx) => {
      await fill(tx)
      // In another transaction, which sees the pages of the table but not the uncommitted rows.
      await sql`analyze jobs`.execute(keeper.db)
    })
    await other.close()
    assert((await blocksOfClaim()) < 2000)
  })
})

/** Inserts 60,000 due and waiting jobs of many projects. */
async function fill(tx: Transaction): Promise<void> {
  await insertMany(tx, 20_000, { project_id: projectA, kind: 'note' })
  await insertMany(tx, 20_000, { project_id: projectB, kind: 'of_other_code' })
  await sql`
    insert into jobs (id, kind, project_id, payload, run_at, state, created_at)
    select gen_random_uuid(), 'note', gen_random_uuid(), '{}', now(), s.state, now()
    from generate_series(1, 10000), (values ('due'), ('waiting')) as s (state)
  `.execute(tx)
}

/**
 * Number of blocks that PostgreSQL reads for a claim of twelve; the plan must not contain a full
 * scan.
 */
async function blocksOfClaim(): Promise<number> {
  return keeper.db.transact(async (tx) => {
    await planByIndex(tx)
    const now = keeper.clock.now()
    const claim = { now, lease_until: now, kinds: ['note'], slots: 12, tenant_workers: 8 }
    const query = claimQuery({ ...claim, after: TENANT_BEFORE_FIRST })
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, buffers, format json) ${query}`.execute(tx)
    const plan: PlanNode = JSON.parse(rows[0]!['QUERY PLAN'])[0].Plan
    assert.deepEqual(nodesOf(plan).filter(isFullScan), [])
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  })
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function isFullScan(node: PlanNode): boolean {
  const reads = node['Node Type'].includes('Scan') && node['Relation Name'] === 'jobs'
  return reads && !(node['Node Type'].startsWith('Index') && node['Index Cond'] !== undefined)
}

suite('several processes', () => {
  test('never run one job concurrently or twice', async (t) => {
    const processes = [startProcess(t), startProcess(t)]
    const [running, ran] = [new Set<number>(), new Map<number, number>()]
    let most = 0
    const note = noteJob({
      run: async ({ payload: { n }, finish }) => {
        assert(!running.has(n), `${n} runs twice at once`)
        running.add(n)
        most = Math.max(most, running.size)
        ran.set(n, (ran.get(n) ?? 0) + 1)
        await finish(leaveEffect(String(n)))
        running.delete(n)
      },
    })
    for (const { work } of processes) work({ jobs: [note], tenant_workers: 24 })
    for (let n = 0; n < 200; n++) {
      const { runtime } = processes[n % 2]!
      await add(runtime, note, { payload: { n }, project_id: n % 3 ? projectA : projectB })
    }
    await until(queueIsEmpty)
    assert.equal(ran.size, 200)
    assert.deepEqual(new Set(ran.values()), new Set([1]))
    assert.equal((await effects()).length, 200)
    assert(most > 1)
  })

  test('continue after their connections were cut, and repeat nothing', async (t) => {
    const connection = { ...fixture.connection, application_name: 'to be cut' }
    const runtime = openBareRuntime(connection, standingClock())
    let ran = 0
    const note = noteJob({
      run: async ({ payload: { n }, finish }) => {
        ran++
        await finish(leaveEffect(String(n)))
      },
    })
    const working = startJobs(runtime, { jobs: [note], reconcilers: [], tenant_workers: 12 })
    t.after(async () => {
      await working.stop()
      await runtime.close()
    })
    const cutAll = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'to be cut' and datname = current_database()`.execute(keeper.db)
    for (let n = 0; n < 100; n++) await add(keeper, note, { payload: { n } })
    for (let cut = 1; cut <= 5; cut++) {
      runtime.wakeups.announce('jobs')
      await until(() => ran >= cut * 8)
      await cutAll()
    }
    await until(async () => {
      runtime.clock.advance(30)
      runtime.wakeups.announce('jobs')
      return queueIsEmpty()
    })
    const all = Array.from({ length: 100 }, (_, n) => String(n))
    assert.deepEqual(await effects(), all.toSorted())
  })

  test('may be killed at any moment: nothing is lost or done twice', async () => {
    const KILLS = depth(3, 10)
    const clock = standingClock()
    const runtime = fixture.openRuntime(clock)
    const promised: string[] = []
    const progress = { kept: 0, kills: 0 }
    let heard = Promise.withResolvers<void>()
    const wake = () => {
      heard.resolve()
      heard = Promise.withResolvers()
    }

    async function produce(): Promise<void> {
      while (progress.kills < KILLS) {
        // Bounds the backlog. The tolerance covers jobs that a killed process inserted without
        // reporting them.
        if (promised.length >= progress.kept + 40 + 24 * progress.kills) {
          await heard.promise
          continue
        }
        const order_id = newId(clock)
        await runtime.db.transact(async (tx) => {
          await sql`insert into parcels (id) values (${order_id})`.execute(tx)
          await enqueue(tx, runtime, shipOrder, { payload: { order_id }, project_id: projectA })
        })
        promised.push(order_id)
      }
    }

    /** Each worker has a later clock, so that it takes over the leases of the one before. */
    function startWorker(round: number) {
      const settings = JSON.stringify({ connection: fixture.connection, offset_s: round * 61 })
      const file = new URL('../../../test/fixtures/processes/crash-worker.ts', import.meta.url)
        .pathname
      const child = spawn(process.execPath, [file, settings], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = new Promise((done) => child.once('exit', (_code, signal) => done(signal)))
      const said: string[] = []
      createInterface({ input: child.stdout }).on('line', (line) => {
        said.push(line)
        if (line === 'kept') progress.kept++
        wake()
      })
      return async function killAfter(count: number): Promise<void> {
        while (said.length < count) await heard.promise
        child.kill('SIGKILL')
        assert.equal(await ended, 'SIGKILL')
        progress.kills++
        wake()
      }
    }

    const producers = [produce(), produce()]
    let next = startWorker(0)
    for (let round = 0; round < KILLS; round++) {
      const killAfter = next
      if (round + 1 < KILLS) next = startWorker(round + 1)
      // Waits for a different number of lines each time, to kill at every stage of a run.
      await killAfter(15 + round * 4)
    }
    await Promise.all(producers)
    clock.advance(KILLS * 61)
    const working = startJobs(runtime, { jobs: [shipOrder], reconcilers: [] })
    // Jobs that ran during two kills are quarantined until they are retried.
    await until(async () => {
      const { waiting, due, leased } = await countJobs(runtime.db)
      return waiting + due + leased === 0
    })
    await runtime.db.transact((tx) => retryDeadJobs(tx, runtime))
    await until(queueIsEmpty)
    await working.stop()

    const parcels = await sql<{ id: string }>`select id from parcels`.execute(runtime.db)
    const shipped = await sql<{ id: string }>`select order_id as id from shipped`.execute(
      runtime.db,
    )
    const done = shipped.rows.map(({ id }) => id)
    assert(promised.length > KILLS * 10)
    assert.deepEqual(
      promised.filter((id) => !done.includes(id)),
      [],
    )
    assert.equal(new Set(done).size, done.length)
    assert.deepEqual(done.toSorted(), parcels.rows.map(({ id }) => id).toSorted())
  })
})

suite('a reconciler', () => {
  const HOUR_S = 3600

  function counting(name = 'sweep', every_s = HOUR_S) {
    const times: string[] = []
    const run = async (runtime: { clock: BareRuntime['clock'] | { now(): Date } }) =>
      void times.push(runtime.clock.now().toISOString())
    return { times, sweep: reconciler({ name, every_s, run }) }
  }

  const ranAndWaits = (times: unknown[], count: number) =>
    until(async () => times.length === count && (await stateIs('waiting')()))

  test('runs at every multiple of its interval after the first start', async (t) => {
    const { runtime, work, passes } = startProcess(t, 20 * 60)
    const { times, sweep } = counting()
    work({ reconcilers: [sweep] })
    await ranAndWaits(times, 0)
    assert.deepEqual((await onlyRow()).run_at, new Date('2026-03-02T10:00:00Z'))
    passes(40 * 60 - 1)
    await add(runtime, noteJob(), { dedupe_key: 'a sign that time has passed' })
    passes(1)
    await until(async () => times.length === 1)
    passes(HOUR_S)
    await until(async () => times.length === 2)
    assert.deepEqual(times, ['2026-03-02T10:00:00.000Z', '2026-03-02T11:00:00.000Z'])
  })

  test('runs once per interval for any number of processes', async (t) => {
    const processes = [startProcess(t), startProcess(t), startProcess(t)]
    const { times, sweep } = counting()
    for (const { work } of processes) work({ reconcilers: [sweep] })
    await ranAndWaits(times, 0)
    for (let round = 1; round <= 5; round++) {
      for (const { passes } of processes) passes(HOUR_S)
      await ranAndWaits(times, round)
    }
    assert.equal(new Set(times).size, 5)
  })

  test('runs once, at once, after the clock passed several intervals', async (t) => {
    const { work, passes } = startProcess(t)
    const { times, sweep } = counting()
    work({ reconcilers: [sweep] })
    await ranAndWaits(times, 0)
    passes(9.5 * HOUR_S)
    await ranAndWaits(times, 1)
    assert.deepEqual((await onlyRow()).run_at, new Date('2026-03-02T19:00:00Z'))
  })

  test('runs again if an interval passed while it ran', async (t) => {
    const { runtime, work, passes } = startProcess(t)
    const [begun, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let ran = 0
    const run = async () => {
      if (ran++ > 0) return
      begun.resolve()
      await letGo.promise
    }
    work({ reconcilers: [reconciler({ name: 'sweep', every_s: HOUR_S, run })] })
    await until(stateIs('waiting'))
    passes(HOUR_S)
    await begun.promise
    passes(HOUR_S)
    letGo.resolve()
    await until(async () => ran === 2 && (await stateIs('waiting')()))
    await outcomesAre(runtime, { done: 2 })
  })

  test('is retried within a minute after a failure, and never dies', async (t) => {
    const { runtime, work, passes } = startProcess(t)
    let ran = 0
    const run = async () => {
      if (++ran <= 15) throw new Error('not now')
    }
    work({ reconcilers: [reconciler({ name: 'sweep', every_s: HOUR_S, run })] })
    await until(stateIs('waiting'))
    passes(HOUR_S)
    for (let round = 1; round <= 15; round++) {
      await until(async () => ran === round && (await stateIs('waiting')()))
      passes(60)
    }
    await until(async () => ran === 16 && (await stateIs('waiting')()))
    assert.equal((await onlyRow()).run_at.getTime() % (HOUR_S * 1000), 0)
    await outcomesAre(runtime, { retry: 15, done: 1 })
  })

  test('continues after any number of interruptions', async (t) => {
    const { runtime, work, passes } = startProcess(t)
    const { times, sweep } = counting()
    const working = work({ reconcilers: [sweep] })
    await ranAndWaits(times, 0)
    passes(HOUR_S)
    await ranAndWaits(times, 1)
    await working.stop()
    await keeper.db.transact((tx) => sql`update jobs set losses = 99, state = 'due'`.execute(tx))
    const second = startProcess(t, HOUR_S)
    second.work({ reconcilers: [sweep] })
    await ranAndWaits(times, 2)
    assert.equal((await onlyRow()).losses, 0)
    assert.equal((await deadJobs(runtime.db)).count, 0)
  })

  test('runs earlier after a start with a shorter interval', async (t) => {
    const first = startProcess(t)
    const { times, sweep } = counting('sweep', 24 * HOUR_S)
    const working = first.work({ reconcilers: [sweep] })
    await ranAndWaits(times, 0)
    await working.stop()
    const second = startProcess(t, 60)
    second.work({ reconcilers: [{ ...sweep, every_s: HOUR_S }] })
    await until(async () => (await onlyRow()).run_at.toISOString() === '2026-03-02T10:00:00.000Z')
    assert.equal(times.length, 0)
  })

  test('may not have the name of a job', (t) => {
    const { work } = startProcess(t)
    const { sweep } = counting('note')
    assert.throws(() => work({ jobs: [noteJob()], reconcilers: [sweep] }), /one name/)
  })
})
