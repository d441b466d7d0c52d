/**
 * The durable job queue. A job is inserted in the transaction that requires it, and a process runs
 * it soon after, with retries, until it is done or dead. Its effects in the database and its end
 * share a transaction, so they happen exactly once; external effects may be repeated and carry an
 * id by which the receiver can deduplicate. A reconciler is work that repeats at an interval.
 */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Static, TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { schemaCompiler } from '../values/typebox.ts'
import { sha256 } from '../secrets/crypto.ts'
import {
  afterCommit,
  isDatabaseUnavailable,
  type Reader,
  type Transaction,
} from '../database/database.ts'
import type { Runtime } from '../runtime.ts'
import { newId } from '../values/ids.ts'
import { Leases, type JobLease } from './jobs-leases.ts'
import { CRASHES_MAX, runJob, type WorkKind, type JobRun } from './jobs-run.ts'
import {
  claimJobs,
  deleteJob,
  TENANT_BEFORE_FIRST,
  insertJob,
  insertReconcilers,
  rescheduleJob,
  reviveJobs,
} from './jobs-store.ts'
import { createKeyedQueue } from '../limits/keyed-queue.ts'
import { startWorkPool } from './work-pool.ts'

export { CRASHES_MAX, type JobRun }

/** Topic of wake-ups for jobs that may be due. Moving the clock wakes it too. */
const TOPIC = 'jobs'
const WORKERS = 12
const TENANT_WORKERS = 8
const STOP_MS = 10_000
const MEASURE_MS = 15_000
const LOSSES_MAX = 10
const RECONCILER_RETRY_S = 60

const namePattern = /^[a-z][a-z0-9_.]*$/

export interface Job<P = unknown> {
  name: string
  payload: TSchema
  /** Pauses after failed attempts; the job is dead after one more attempt than pauses. */
  retry_after_s: readonly number[]
  run(work: JobRun<P>): Promise<void>
}

export interface Reconciler {
  name: string
  every_s: number
  run(runtime: Runtime): Promise<void>
}

export function job<S extends TSchema>(declaration: {
  name: string
  payload: S
  retry_after_s: readonly number[]
  run(work: JobRun<Static<S>>): Promise<void>
}): Job<Static<S>> {
  assert.match(declaration.name, namePattern)
  assert(declaration.retry_after_s.every((seconds) => seconds >= 0))
  return declaration
}

/**
 * Declares work that runs at every multiple of `every_s` from its first start: once across all
 * processes, and once for all runs that were missed. It finds its own tasks and must be idempotent.
 */
export function reconciler(declaration: Reconciler): Reconciler {
  assert.match(declaration.name, namePattern)
  assert(declaration.every_s >= 1)
  return declaration
}

export interface NewWork<P> {
  payload: P
  /** The tenant in the round-robin order of claims. */
  project_id: string | null
  run_at?: Date | undefined
  /**
   * At most one job per project, kind and key waits, and at most one runs. A new job merges into
   * the waiting one, or runs after the running one.
   */
  dedupe_key?: string | undefined
}

/** Inserts a job in the transaction that requires it. Workers are woken after the commit. */
// oxlint-disable-next-line max-params -- what it is part of, where, what, and its details
export async function enqueue<P>(
  tx: Transaction,
  runtime: Runtime,
  job: Job<P>,
  work: NewWork<NoInfer<P>>,
): Promise<void> {
  const { payload, project_id, dedupe_key = null } = work
  assert.equal(describeFaults(job, payload), null, `for ${job.name}`)
  const now = runtime.clock.now()
  const { run_at = now } = work
  const id = newId(runtime.clock)
  await insertJob(tx, { id, kind: job.name, project_id, dedupe_key, payload, run_at, now })
  afterCommit(tx, () => runtime.wakeups.announce(TOPIC))
}

export interface JobsOptions {
  jobs: readonly Job[]
  reconcilers: readonly Reconciler[]
  /** Number of concurrent jobs in this process. */
  workers?: number
  /** Number of concurrent jobs of one project, across all processes. */
  tenant_workers?: number
  /** How long `stop` waits for running jobs. */
  stop_ms?: number
}

/** Runs due jobs until `stop`. Leaves kinds that are not listed to other processes. */
export function startJobs(runtime: Runtime, options: JobsOptions): { stop(): Promise<void> } {
  const { workers = WORKERS, tenant_workers = TENANT_WORKERS, stop_ms = STOP_MS } = options
  const kinds = kindsOf(options)
  const leases = new Leases(runtime, TOPIC)
  // Jobs that ran during a crash run one at a time, so that the next crash identifies the cause.
  const suspects = createKeyedQueue()
  let measured = measure(runtime)
  const measuring = setInterval(() => void (measured = measure(runtime)), MEASURE_MS)
  const pool = startWorkPool<JobLease>({
    runtime,
    name: 'jobs',
    topic: TOPIC,
    concurrency: workers,
    claim: claimer({ runtime, kinds, leases, tenant_workers }),
    async run(lease) {
      const kind = kinds.get(lease.row.kind)
      assert(kind)
      const run = () => runJob({ runtime, kind, lease })
      const ran = lease.row.crashes > 0 ? suspects.run('all', run) : run()
      const outcome = await ran.finally(() => leases.drop(lease))
      if (outcome === 'abandoned') leases.abandon(lease)
      runtime.metrics.jobs.inc({ job: kind.name, outcome })
    },
  })
  return {
    async stop() {
      clearInterval(measuring)
      const patience = new AbortController()
      const late = delay(stop_ms, undefined, { signal: patience.signal }).catch(() => {})
      await Promise.race([pool.stop(), late])
      patience.abort()
      await measured
      await leases.stop()
    },
  }
}

function kindsOf({ jobs, reconcilers }: JobsOptions): Map<string, WorkKind> {
  const list = [...jobs.map(kindOfJob), ...reconcilers.map(kindOfReconciler)]
  const kinds = new Map(list.map((kind) => [kind.name, kind]))
  assert.equal(kinds.size, list.length, 'two kinds of work have one name')
  return kinds
}

function kindOfJob(job: Job): WorkKind {
  return {
    name: job.name,
    losses_max: LOSSES_MAX,
    describeFaults: (payload) => describeFaults(job, payload),
    run: (work) => job.run(work),
    retryAfterSeconds: (attempt) => job.retry_after_s[attempt - 1] ?? null,
    end: (tx, row) => deleteJob(tx, row),
    firstRun: () => null,
  }
}

function kindOfReconciler({ name, every_s, run }: Reconciler): WorkKind {
  const every_ms = every_s * 1000
  const nextAfter = (time_ms: number) => (Math.floor(time_ms / every_ms) + 1) * every_ms
  return {
    name,
    losses_max: Infinity,
    describeFaults: () => null,
    run: ({ runtime }) => run(runtime),
    retryAfterSeconds: () => Math.min(every_s, RECONCILER_RETRY_S),
    // Measured from the start of the run, because the run may have missed work that became due
    // during it.
    end: (tx, row, { begun_ms, now }) =>
      rescheduleJob(tx, row, { run_at: new Date(nextAfter(begun_ms)), now }),
    firstRun: (now) => ({ id: idOfName(name), run_at: new Date(nextAfter(now.getTime())) }),
  }
}

/** A deterministic id, so that a reconciler has one row for all processes. */
function idOfName(name: string): string {
  const hash = sha256(`reconciler:${name}`).toString('hex')
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
  ]
  return [...parts, hash.slice(20, 32)].join('-')
}

interface Claimer {
  runtime: Runtime
  kinds: ReadonlyMap<string, WorkKind>
  leases: Leases
  tenant_workers: number
}

function claimer({ runtime, kinds, leases, tenant_workers }: Claimer) {
  const names = [...kinds.keys()]
  let after = TENANT_BEFORE_FIRST
  let announced = false
  return (slots: number): Promise<JobLease[]> =>
    leases.claim(async (now, lease_until) => {
      const claimed = await runtime.db.transact(async (tx) => {
        if (!announced) await insertReconcilers(tx, firstRuns(kinds, now), now)
        return claimJobs(tx, { now, lease_until, kinds: names, slots, tenant_workers, after })
      })
      announced = true
      after = claimed.last_tenant
      if (claimed.more) runtime.wakeups.wake(TOPIC)
      return claimed.rows
    })
}

function firstRuns(kinds: ReadonlyMap<string, WorkKind>, now: Date) {
  return [...kinds.values()].flatMap(({ name, firstRun }) => {
    const first = firstRun(now)
    return first ? [{ ...first, kind: name }] : []
  })
}

const validators = new WeakMap<Job, Validator>()

/** A sentence about the faults of a payload; null if it is valid. */
function describeFaults(job: Job, payload: unknown): string | null {
  let validator = validators.get(job)
  if (!validator) validators.set(job, (validator = schemaCompiler().Compile(job.payload)))
  if (validator.Check(payload)) return null
  const faults = validator.Errors(payload).map((fault) => `${fault.instancePath} ${fault.message}`)
  return `The payload does not fit what the job takes now: ${faults.join('; ').trim()}.`
}

async function measure(runtime: Runtime): Promise<void> {
  try {
    const counts = await countJobs(runtime.db)
    for (const [state, count] of Object.entries(counts)) {
      runtime.metrics.jobs_waiting.set({ state }, count)
    }
  } catch (error) {
    if (!isDatabaseUnavailable(error)) runtime.log.warn({ err: error }, 'jobs could not be counted')
  }
}

export type JobCounts = Record<'waiting' | 'due' | 'leased' | 'dead', number>

export async function countJobs(db: Reader): Promise<JobCounts> {
  const rows = await db
    .selectFrom('jobs')
    .select(['state', (row) => row.fn.countAll<bigint>().as('count')])
    .groupBy('state')
    .execute()
  const counts: JobCounts = { waiting: 0, due: 0, leased: 0, dead: 0 }
  for (const { state, count } of rows) counts[state] = Number(count)
  return counts
}

export interface DeadJob {
  id: string
  job: string
  project_id: string | null
  attempt: number
  last_error: string | null
  created_at: Date
  dead_at: Date | null
}

const DEAD_JOBS_MAX = 100

/** The number of dead jobs and the newest of them, for the operator. */
export async function deadJobs(db: Reader): Promise<{ count: number; jobs: DeadJob[] }> {
  const dead = db.selectFrom('jobs').where('state', '=', 'dead')
  const { count } = await dead
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  const jobs = await dead
    .select(['id', 'kind as job', 'project_id', 'attempt', 'last_error', 'created_at', 'dead_at'])
    .orderBy('id', 'desc')
    .limit(DEAD_JOBS_MAX)
    .execute()
  return { count: Number(count), jobs }
}

/** Makes dead jobs due again with all attempts; all of them without `ids`. Returns their number. */
export async function retryDeadJobs(
  tx: Transaction,
  runtime: Runtime,
  ids: readonly string[] | null = null,
): Promise<number> {
  const count = await reviveJobs(tx, { ids, now: runtime.clock.now() })
  afterCommit(tx, () => runtime.wakeups.announce(TOPIC))
  return count
}
