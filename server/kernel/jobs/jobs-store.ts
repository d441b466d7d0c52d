/**
 * All SQL of the queue. A job waits for its time, is due, is leased to a process, and is deleted
 * when it is done; or it dies. Whoever runs a job holds the token of its lease, and every change
 * names that token, so that a process that was away for too long changes nothing any more.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Transaction } from '../database/database.ts'

/** The turn of jobs without a project: before every project id there can be. */
const TENANT_FIRST = '00000000-0000-0000-0000-000000000000'
const TENANT_LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const KIND_LAST = '~'
const BATCH = 1000

export interface Held {
  id: string
  lease_token: string
}

export interface JobRow extends Held {
  kind: string
  project_id: string | null
  payload: unknown
  attempt: number
  losses: number
  /** How many processes ended while they ran it. */
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
 * Adds a job, or joins the one that waits under the same key. Joining locks that one until the
 * transaction ends: begun earlier, it would not see what the transaction is about to make true.
 * A job that waits for a retry keeps its time, so that news do not undo the pause.
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

/** The one row of a reconciler: there from the first start on; a later start may hurry it. */
export async function insertReconciler(
  tx: Transaction,
  { id, kind, now, run_at }: { id: string; kind: string; now: Date; run_at: Date },
): Promise<void> {
  await sql`
    insert into jobs (id, kind, payload, run_at, state, created_at)
    values (${id}, ${kind}, '{}', ${now}, 'due', ${now})
    on conflict (id) do update set run_at = ${run_at}
      where jobs.state = 'waiting' and jobs.attempt = 0 and jobs.run_at > ${run_at}
  `.execute(tx)
}

export interface Claim {
  now: Date
  lease_until: Date
  kinds: readonly string[]
  slots: number
  /** How many jobs of one tenant may run at once, so that some slots stay free for the others. */
  tenant_workers: number
  /** The tenant that had the last turn. */
  after: string
}

export const firstTurn = TENANT_FIRST

/**
 * A plan made while the queue was nearly empty would read all of it once it has filled up, and a
 * connection keeps its plans. The statements here are right with their indexes only; so they are
 * told to use these, and may keep one plan for ever. For the same reason they name the jobs they
 * change as `id = any(array(…))`: a join could begin with the whole queue, when the statistics
 * were taken while it was empty.
 */
export async function planByIndex(tx: Transaction): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('plan_cache_mode', 'force_generic_plan', true)
  `.execute(tx)
}

/**
 * Leases up to `slots` due jobs, the tenants taking turns, and says whose turn was the last.
 * `more`: the time of more jobs has come than were woken at once, so claim again soon.
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

/** Jobs whose time has come. Kept apart from those that wait, so that a claim never meets these. */
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
 * The claim. It walks by index from tenant to tenant and from kind to kind of each, beginning
 * after the tenant that had the last turn and going round once, until it has met as many tenants
 * with something to do as there are slots: its cost depends on neither the number of jobs nor of
 * tenants. Each gives its oldest jobs, and who has the fewest at work is served first.
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
 * The due jobs of a tenant and kind, without those whose key has a run under way. Scalar
 * subqueries, because `exists` may be planned as a hash over the whole queue.
 */
function mayRun(of: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    job.state = 'due' and job.tenant = ${of}.tenant and job.kind = ${of}.kind
    and (job.dedupe_key is null or (
      select true from jobs as twin where twin.state = 'leased' and twin.tenant = job.tenant
        and twin.kind = job.kind and twin.dedupe_key = job.dedupe_key limit 1) is null)`
}

/** Holds leases for longer. Returns the tokens of those that are still held. */
export async function renewLeases(
  tx: Transaction,
  held: readonly Held[],
  lease_until: Date,
): Promise<Set<string>> {
  await planByIndex(tx)
  const { rows } = await sql<{ lease_token: string }>`
    update jobs set lease_until = ${lease_until} where ${areHeld(held)}
    returning jobs.lease_token
  `.execute(tx)
  return new Set(rows.map(({ lease_token }) => lease_token))
}

/** Gives jobs back as if they had not been begun. */
export async function releaseJobs(tx: Transaction, held: readonly Held[]): Promise<void> {
  await putBack(tx, {
    taken: sql`delete from jobs where ${areHeld(held)} returning jobs.*`,
    values: sql`
      taken.run_at, 'due', taken.attempt - 1, taken.losses, taken.last_error, taken.crashes`,
  })
}

/** Marks a previously crashed job as begun. Returns false if its lease was lost. */
export function beginJob(tx: Transaction, held: Held): Promise<boolean> {
  return endLease(tx, sql`update jobs set begun = true where ${areHeld([held])} returning true`)
}

/**
 * Makes jobs due again whose lease ran out, and returns them: their process is gone, or stuck. It
 * counts as a crash if the run had begun, except for `survived`: runs of this process that could
 * not record their end.
 */
export async function returnLostJobs(
  tx: Transaction,
  now: Date,
  survived: readonly string[],
): Promise<{ kind: string }[]> {
  const message = 'The process that ran it ended or lost its lease.'
  return putBack(tx, {
    taken: sql`
      delete from jobs where id = any(array(
        select id from jobs where state = 'leased' and lease_until <= ${now}
        order by lease_until limit ${BATCH} for update skip locked
      )) returning jobs.*`,
    values: sql`taken.run_at, 'due', taken.attempt - 1, taken.losses + 1, ${message},
      taken.crashes + (taken.begun and taken.id <> all (${survived}::uuid[]))::int`,
  })
}

/**
 * Lets a job wait for its next attempt. A run that was interrupted is none that failed: it counts
 * as lost. False: the lease was lost.
 */
export async function retryJob(
  tx: Transaction,
  held: Held,
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

/** Makes dead jobs due again with all their attempts. Returns how many there were. */
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
 * Puts jobs back among those that wait. Written as a removal and a new row, because meanwhile
 * another may have come to wait under the same key: that one will do the work of both.
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

/** Removes a job that is done. False: the lease was lost. */
export function deleteJob(tx: Transaction, held: Held): Promise<boolean> {
  return endLease(tx, sql`delete from jobs where ${areHeld([held])} returning true`)
}

/** Sets the next time of a reconciler that ran. False: the lease was lost. */
export function rescheduleJob(
  tx: Transaction,
  held: Held,
  { run_at, now }: { run_at: Date; now: Date },
): Promise<boolean> {
  return endLease(
    tx,
    sql`update jobs set state = ${stateAt(run_at, now)}, run_at = ${run_at}, attempt = 0,
        losses = 0, crashes = 0, last_error = null, lease_until = null, lease_token = null
      where ${areHeld([held])} returning true`,
  )
}

/** Keeps a job for a person to look at. False: the lease was lost. */
export function buryJob(
  tx: Transaction,
  held: Held,
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

/** The fence: an id alone is not enough, the token of the present lease has to be known. */
function areHeld(held: readonly Held[]): RawBuilder<unknown> {
  const ids = held.map(({ id }) => id)
  const tokens = held.map(({ lease_token }) => lease_token)
  return sql`
    jobs.id = any(${ids}::uuid[]) and jobs.state = 'leased'
    and jobs.lease_token = any(${tokens}::uuid[])`
}

function stateAt(run_at: Date, now: Date): 'waiting' | 'due' {
  return run_at <= now ? 'due' : 'waiting'
}
