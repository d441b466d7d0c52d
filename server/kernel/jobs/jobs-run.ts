/**
 * One run of one job: its input, its end, and retries after a failure. Every change of the queue
 * requires the token of the lease, so a run without a valid lease changes nothing.
 */
import { isDatabaseUnavailable, type Transaction } from '../database/database.ts'
import type { Runtime } from '../runtime.ts'
import { LeaseLost, type JobLease } from './jobs-leases.ts'
import { beginJob, markJobDead, retryJob, type JobRow } from './jobs-store.ts'
import { runAsTask } from '../process/unexpected-errors.ts'

const INTERRUPTED_RETRY_S = 5
/** A job that was running in this many processes that crashed is quarantined. */
export const CRASHES_MAX = 2
const ERROR_CHARACTERS_MAX = 2000

export interface JobRun<P> {
  runtime: Runtime
  payload: P
  project_id: string | null
  /** Number of this attempt, starting at 1. */
  attempt: number
  /** Aborts when the lease is lost. Later effects of the run are discarded. */
  signal: AbortSignal
  /**
   * Writes the effects in PostgreSQL and the end of the job in one transaction. Must be the last
   * step of a run. Throws, writing nothing, if the lease was lost.
   */
  finish(write?: (tx: Transaction) => Promise<void>): Promise<void>
}

/** A type of work: a job or a reconciler. */
export interface WorkKind {
  name: string
  /** Maximum number of consecutive runs that were interrupted or lost their lease. */
  losses_max: number
  describeFaults(payload: unknown): string | null
  run(work: JobRun<unknown>): Promise<void>
  /** Seconds until the next attempt; null if this was the last. */
  retryAfterSeconds(attempt: number): number | null
  /** Ends a finished job. Returns false if the lease was lost. */
  end(tx: Transaction, row: JobRow, times: { begun_ms: number; now: Date }): Promise<boolean>
  /** The row of a reconciler that starts at `now` for the first time; null for a job. */
  firstRun(now: Date): { id: string; run_at: Date } | null
}

export type JobOutcome = 'done' | 'retry' | 'dead' | 'fenced' | 'set_aside' | 'abandoned'

interface Run {
  runtime: Runtime
  kind: WorkKind
  lease: JobLease
}

/** Runs a claimed job and returns its outcome. */
export async function runJob(run: Run): Promise<JobOutcome> {
  try {
    if (run.lease.row.crashes >= CRASHES_MAX) return await setAside(run)
    const refusal = refusalOf(run)
    if (refusal !== null) return await bury(run, refusal)
    if (run.lease.row.crashes > 0 && !(await begin(run))) return fenced(run)
    return await attempt(run)
  } catch (error) {
    // The end could not be recorded, so the job runs again after its lease expires.
    run.runtime.log.warn(
      { ...nameOf(run), err: error },
      'the result of a job could not be recorded',
    )
    return 'abandoned'
  }
}

function refusalOf({ kind, lease: { row } }: Run): string | null {
  if (row.losses >= kind.losses_max) {
    return `It was interrupted or lost its lease in ${row.losses} runs one after another.`
  }
  return kind.describeFaults(row.payload)
}

async function attempt(run: Run): Promise<JobOutcome> {
  const { runtime, kind, lease } = run
  const { row, signal } = lease
  const begun_ms = runtime.clock.now_ms()
  let finished = false
  const work: JobRun<unknown> = {
    runtime,
    payload: row.payload,
    project_id: row.project_id,
    attempt: row.attempt,
    signal,
    async finish(write) {
      await runtime.db.transact(async (tx) => {
        await write?.(tx)
        const ended = await kind.end(tx, row, { begun_ms, now: runtime.clock.now() })
        if (!ended) throw new LeaseLost('Another run holds the lease of the job, or it is done.')
      })
      finished = true
    },
  }
  try {
    await runAsTask(nameOf(run), () => kind.run(work))
    if (!finished) await work.finish()
    return 'done'
  } catch (error) {
    if (!finished) return await afterFailure(run, error)
    runtime.log.error({ ...nameOf(run), err: error }, 'a job failed after it was done')
    return 'done'
  }
}

async function afterFailure(run: Run, error: unknown): Promise<JobOutcome> {
  const { runtime, kind, lease } = run
  if (lease.released) return 'fenced'
  if (error instanceof LeaseLost) return fenced(run)
  // A database outage does not count as a failed attempt.
  const interrupted = isDatabaseUnavailable(error)
  const retry_s = interrupted ? INTERRUPTED_RETRY_S : kind.retryAfterSeconds(lease.row.attempt)
  const last_error = describe(error)
  if (retry_s === null) return bury(run, last_error)
  const run_at = new Date(runtime.clock.now_ms() + retry_s * 1000)
  const kept = await runtime.db.transact((tx) =>
    retryJob(tx, lease.row, { run_at, last_error, interrupted }),
  )
  if (!kept) return fenced(run)
  runtime.log.warn({ ...nameOf(run), retry_s, err: error }, 'a job failed and will be retried')
  return 'retry'
}

/** Records the start of a run that may crash the process. Returns false if the lease was lost. */
function begin({ runtime, lease }: Run): Promise<boolean> {
  return runtime.db.transact((tx) => beginJob(tx, lease.row))
}

/** Quarantines a job that ran when processes crashed, until the operator retries it. */
async function setAside(run: Run): Promise<JobOutcome> {
  const { crashes } = run.lease.row
  const last_error =
    `Set aside: ${crashes} processes ended while they ran this job. ` +
    'Read their last log lines for the cause, then run "homeport jobs retry".'
  return (await bury(run, last_error)) === 'dead' ? 'set_aside' : 'fenced'
}

async function bury(run: Run, last_error: string): Promise<JobOutcome> {
  const { runtime, lease } = run
  const now = runtime.clock.now()
  const kept = await runtime.db.transact((tx) => markJobDead(tx, lease.row, { now, last_error }))
  if (!kept) return fenced(run)
  runtime.log.error({ ...nameOf(run), last_error }, 'a job is dead')
  return 'dead'
}

function fenced(run: Run): JobOutcome {
  run.runtime.log.warn(nameOf(run), 'a job lost its lease while it ran')
  return 'fenced'
}

function nameOf({ kind, lease: { row } }: Run): Record<string, unknown> {
  return { job: kind.name, job_id: row.id, project_id: row.project_id, attempt: row.attempt }
}

/** A text for operators. PostgreSQL text cannot contain NUL. */
function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.replaceAll('\0', '').slice(0, ERROR_CHARACTERS_MAX)
}
