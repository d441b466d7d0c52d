/**
 * All SQL of the job queue. The states of a job are waiting, due, leased and dead; a finished job
 * is deleted. Every change of a leased job requires the token of its lease, so a process whose
 * lease expired changes nothing.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Transaction } from '../database/database.ts'

/** The tenant of jobs without a project; sorts before every project id. */
const TENANT_FIRST = '00000000-0000-0000-0000-000000000000'
const TENANT_LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const KIND_LAST = '~'
const BATCH = 1000

export interface LeaseKey {
  id: string
  lease_token: string
}

export interface JobRow extends LeaseKey {
  kind: string
  project_id: string | null
  payload: unknown
  attempt: number
  losses: number
  /** Number of processes that ended while they ran the job. */
  crashes: number
}

export interface NewJob {
  id: string
  kind: string
  project_id: string | null
  dedupe_key: string | null
  payload: unknown
  run_at: Date
  now: Date
}

const waitsUnderKey = sql`
  (tenant, kind, dedupe_key) where dedupe_key is not null and state in ('waiting', 'due')`

/**
 * Inserts a job, or merges it into the waiting job with the same key. Merging locks that job until
 * the transaction ends, because a run that starts earlier would not see the data of this
 * transaction. A job that waits for a retry keeps its time, so that merging does not skip the
 * backoff.
 */
export async function insertJob(tx: Transaction, job: NewJob): Promise<void> {
  await sql`
    insert into jobs (id, kind, project_id, dedupe_key, payload, run_at, state, created_at)
    values (${job.id}, ${job.kind}, ${job.project_id}, ${job.dedupe_key},
      ${JSON.stringify(job.payload)}, ${job.run_at}, ${stateAt(job.run_at, job.now)}, ${job.now})
    on conflict ${waitsUnderKey} do update set
      run_at = case when jobs.attempt = 0 then least(jobs.run_at, excluded.run_at)
        else jobs.run_at end,
      state = case when jobs.attempt = 0 and excluded.state = 'due' then 'due' else jobs.state end
  `.execute(tx)
}

/**
 * Inserts the only row of each reconciler at the first start; the state of a new database needs no
 * run. A later start with a shorter interval moves it earlier.
 */
export async function insertReconcilers(
  tx: Transaction,
  rows: readonly { id: string; kind: string; run_at: Date }[],
  now: Date,
): Promise<void> {
  const [ids, kinds, times] = [
    rows.map(({ id }) => id),
    rows.map(({ kind }) => kind),
    rows.map(({ run_at }) => run_at),
  ]
  await sql`
    insert into jobs (id, kind, payload, run_at, state, created_at)
    select id, kind, '{}', run_at, 'waiting', ${now}
    from unnest(${ids}::uuid[], ${kinds}::text[], ${times}::timestamptz[]) as added (id, kind, run_at)
    on conflict (id) do update set run_at = excluded.run_at
      where jobs.state = 'waiting' and jobs.attempt = 0 and jobs.run_at > excluded.run_at
  `.execute(tx)
}

export interface Claim {
  now: Date
  lease_until: Date
  kinds: readonly string[]
  slots: number
  /** Maximum number of running jobs of one tenant, which leaves slots for others. */
  tenant_workers: number
  /** The last tenant of the previous claim. */
  after: string
}

export const TENANT_BEFORE_FIRST = TENANT_FIRST

/**
 * Forces index scans and generic plans. A plan made for a nearly empty queue would scan the whole
 * queue once it is full, and connections keep their plans; the statements here are efficient only
 * with their indexes. For the same reason updates select rows by `id = any(array(…))`: with
 * outdated statistics, a join could start with the whole queue.
 */
export async function planByIndex(tx: Transaction): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('plan_cache_mode', 'force_generic_plan', true)
  `.execute(tx)
}

/**
 * Leases up to `slots` due jobs, round robin by tenant, and returns the last tenant. With `more`,
 * further jobs are ready to become due, so claim again soon.
 */
export async function claimJobs(
  tx: Transaction,
  claim: Claim,
): Promise<{ rows: JobRow[]; last_tenant: string; more: boolean }> {
  await planByIndex(tx)
  const woken = await wakeJobs(tx, claim.now)
  const { rows } = await claimQuery(claim).execute(tx)
  return {
    rows: rows.flatMap((row) => (row.id === null ? [] : [row])),
    last_tenant: rows[0]?.last_tenant ?? TENANT_FIRST,
    more: woken === BATCH,
  }
}

/** Makes waiting jobs due. Due jobs have their own state, so that a claim reads no waiting job. */
async function wakeJobs(tx: Transaction, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update jobs set state = 'due' where id = any(array(
      select id from jobs where state = 'waiting' and run_at <= ${now}
      order by run_at, id limit ${BATCH} for update skip locked
    ))
  `.execute(tx)
  return Number(numAffectedRows)
}

type ClaimedRow = (JobRow | { id: null }) & { last_tenant: string }

/**
 * The claim query. A recursive index walk over (tenant, kind) starts after the last tenant of the
 * previous claim and goes around once, until it has found as many tenants with runnable jobs as
 * there are slots. Its cost depends on neither the number of jobs nor of tenants. Each tenant
 * offers its oldest jobs, and tenants with the fewest running jobs come first.
 */
export function claimQuery(claim: Claim): RawBuilder<ClaimedRow> {
  const { lease_until, kinds, slots, tenant_workers } = claim
  const after = sql`${claim.after}::uuid`
  return sql<ClaimedRow>`
    with recursive walk (tenant, kind, until, step, active, open, met, met_last) as (
      select ${after}, ${KIND_LAST}::text collate "C", ${TENANT_LAST}::uuid,
        0, 0, false, 0, null::uuid
      union all
      select next.tenant, next.kind, next.until, walk.step + 1, load.active, load.open,
        walk.met + (load.open and next.tenant is distinct from walk.met_last)::int,
        case when load.open then next.tenant else walk.met_last end
      from walk
      cross join lateral (
        (select job.tenant, job.kind, walk.until from jobs as job
          where job.state = 'due' and (job.tenant, job.kind) > (walk.tenant, walk.kind)
            and job.tenant <= walk.until
          order by job.tenant, job.kind limit 1)
        union all
        (select job.tenant, job.kind, ${after} from jobs as job
          where walk.until > ${after} and job.state = 'due' and job.tenant <= ${after}
          order by job.tenant, job.kind limit 1)
        order by until desc limit 1
      ) as next
      cross join lateral (
        select held.active, next.kind = any(${kinds}::text[])
          and held.active < ${tenant_workers}::int
          and (select true from jobs as job where ${mayRun(sql`next`)} limit 1) is not null as open
        from (select count(*)::int as active from (
          select from jobs where state = 'leased' and tenant = next.tenant limit ${tenant_workers}
        ) as one) as held
        offset 0
      ) as load
      where walk.met < ${slots} or next.tenant = walk.tenant
    ), heads as (
      select head.id, walk.step, walk.active
        + row_number() over (partition by walk.tenant order by head.run_at, head.id) as place
      from walk cross join lateral (
        select job.id, job.run_at from jobs as job where ${mayRun(sql`walk`)}
        order by job.run_at, job.id limit least(${slots}, ${tenant_workers}::int - walk.active)
        for update of job skip locked
      ) as head
      where walk.open
    ), chosen as (
      select id from heads where place <= ${tenant_workers}::int order by place, step limit ${slots}
    ), claimed as (
      update jobs set state = 'leased', attempt = attempt + 1, lease_token = gen_random_uuid(),
        lease_until = ${lease_until}, begun = crashes = 0
      where jobs.id = any(array(select id from chosen))
      returning jobs.id, jobs.kind, jobs.project_id, jobs.payload, jobs.attempt, jobs.losses,
        jobs.crashes, jobs.lease_token, jobs.run_at
    )
    select last.tenant as last_tenant, claimed.*
    from (select tenant from walk order by step desc limit 1) as last
    left join claimed on true
    order by claimed.run_at, claimed.id`
}

/**
 * Condition for the due jobs of a tenant and kind without a running job of the same key. Scalar
 * subqueries, because PostgreSQL may plan `exists` as a hash over the whole queue.
 */
function mayRun(of: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    job.state = 'due' and job.tenant = ${of}.tenant and job.kind = ${of}.kind
    and (job.dedupe_key is null or (
      select true from jobs as twin where twin.state = 'leased' and twin.tenant = job.tenant
        and twin.kind = job.kind and twin.dedupe_key = job.dedupe_key limit 1) is null)`
}

/** Extends leases. Returns the tokens of those that are still valid. */
export async function renewLeases(
  tx: Transaction,
  held: readonly LeaseKey[],
  lease_until: Date,
): Promise<Set<string>> {
  await planByIndex(tx)
  const { rows } = await sql<{ lease_token: string }>`
    update jobs set lease_until = ${lease_until} where ${areHeld(held)}
    returning jobs.lease_token
  `.execute(tx)
  return new Set(rows.map(({ lease_token }) => lease_token))
}

/** Releases jobs without counting the attempt. */
export async function releaseJobs(tx: Transaction, held: readonly LeaseKey[]): Promise<void> {
  await putBack(tx, {
    taken: sql`delete from jobs where ${areHeld(held)} returning jobs.*`,
    values: sql`
      taken.run_at, 'due', taken.attempt - 1, taken.losses, taken.last_error, taken.crashes`,
  })
}

/** Marks a previously crashed job as begun. Returns false if its lease was lost. */
export function beginJob(tx: Transaction, held: LeaseKey): Promise<boolean> {
  return endLease(tx, sql`update jobs set begun = true where ${areHeld([held])} returning true`)
}

/**
 * Makes jobs with expired leases due again and returns them. It counts as a crash if the run had
 * begun, except for `unrecorded`: runs of this process that could not record their end.
 */
export async function returnLostJobs(
  tx: Transaction,
  now: Date,
  unrecorded: readonly string[],
): Promise<{ kind: string }[]> {
  const message = 'The process that ran it ended or lost its lease.'
  return putBack(tx, {
    taken: sql`
      delete from jobs where id = any(array(
        select id from jobs where state = 'leased' and lease_until <= ${now}
        order by lease_until limit ${BATCH} for update skip locked
      )) returning jobs.*`,
    values: sql`taken.run_at, 'due', taken.attempt - 1, taken.losses + 1, ${message},
      taken.crashes + (taken.begun and taken.id <> all (${unrecorded}::uuid[]))::int`,
  })
}

/**
 * Schedules the next attempt. An interrupted run counts as a loss, not as a failed attempt. Returns
 * false if the lease was lost.
 */
export async function retryJob(
  tx: Transaction,
  held: LeaseKey,
  retry: { run_at: Date; last_error: string; interrupted: boolean },
): Promise<boolean> {
  const counts = retry.interrupted
    ? sql`taken.attempt - 1, taken.losses + 1`
    : sql`taken.attempt, 0`
  const put = await putBack(tx, {
    taken: sql`delete from jobs where ${areHeld([held])} returning jobs.*`,
    values: sql`${retry.run_at}::timestamptz, 'waiting', ${counts}, ${retry.last_error},
      taken.crashes`,
  })
  return put.length > 0
}

/** Makes dead jobs due again with all attempts. Returns their number. */
export async function reviveJobs(
  tx: Transaction,
  { ids, now }: { ids: readonly string[] | null; now: Date },
): Promise<number> {
  const put = await putBack(tx, {
    taken: sql`
      delete from jobs where state = 'dead' and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
      returning jobs.*`,
    values: sql`${now}::timestamptz, 'due', 0, 0, taken.last_error, 0`,
  })
  return put.length
}

/**
 * Returns jobs to the queue by deleting and inserting them: if another job now waits under the same
 * key, that one replaces them.
 */
async function putBack(
  tx: Transaction,
  { taken, values }: { taken: RawBuilder<unknown>; values: RawBuilder<unknown> },
): Promise<{ kind: string }[]> {
  await planByIndex(tx)
  const { rows } = await sql<{ kind: string }>`
    with taken as (${taken}), put as (
      insert into jobs (id, kind, project_id, dedupe_key, payload, created_at,
        run_at, state, attempt, losses, last_error, crashes)
      select taken.id, taken.kind, taken.project_id, taken.dedupe_key, taken.payload,
        taken.created_at, ${values}
      from taken
      on conflict ${waitsUnderKey} do nothing
    )
    select kind from taken
  `.execute(tx)
  return rows
}

/** Deletes a finished job. Returns false if the lease was lost. */
export function deleteJob(tx: Transaction, held: LeaseKey): Promise<boolean> {
  return endLease(tx, sql`delete from jobs where ${areHeld([held])} returning true`)
}

/** Schedules the next run of a reconciler. Returns false if the lease was lost. */
export function rescheduleJob(
  tx: Transaction,
  held: LeaseKey,
  { run_at, now }: { run_at: Date; now: Date },
): Promise<boolean> {
  return endLease(
    tx,
    sql`update jobs set state = ${stateAt(run_at, now)}, run_at = ${run_at}, attempt = 0,
        losses = 0, crashes = 0, last_error = null, lease_until = null, lease_token = null
      where ${areHeld([held])} returning true`,
  )
}

/** Marks a job as dead and keeps it for the operator. Returns false if the lease was lost. */
export function markJobDead(
  tx: Transaction,
  held: LeaseKey,
  { now, last_error }: { now: Date; last_error: string },
): Promise<boolean> {
  return endLease(
    tx,
    sql`update jobs set state = 'dead', dead_at = ${now}, last_error = ${last_error},
        lease_until = null, lease_token = null
      where ${areHeld([held])} returning true`,
  )
}

async function endLease(tx: Transaction, statement: RawBuilder<unknown>): Promise<boolean> {
  await planByIndex(tx)
  const { rows } = await statement.execute(tx)
  return rows.length > 0
}

/** The fencing condition: the id and the token of the current lease must match. */
function areHeld(held: readonly LeaseKey[]): RawBuilder<unknown> {
  const ids = held.map(({ id }) => id)
  const tokens = held.map(({ lease_token }) => lease_token)
  return sql`
    jobs.id = any(${ids}::uuid[]) and jobs.state = 'leased'
    and jobs.lease_token = any(${tokens}::uuid[])`
}

function stateAt(run_at: Date, now: Date): 'waiting' | 'due' {
  return run_at <= now ? 'due' : 'waiting'
}
