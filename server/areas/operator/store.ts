/** The SQL of the operator console, which reads across projects. */
import { sql, type Selectable } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { OPERATORS, readCostly } from '../../kernel/database/costly-read.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { QueueSamplesTable } from '../../kernel/database/tables.ts'

/** Requests of a project that are counted. */
const REQUESTS_MAX = 1_000
/** Waiting jobs and deliveries that are counted by age. */
const WAITING_MAX = 10_000

export interface ProjectFacts {
  id: string
  name: string
  owner_email: string | null
  plan: string
  created_at: Date
  enabled: boolean
  phone_verified: boolean
  offline_at: Date | null
  offline_reason: string | null
  numbers_count: number
  balance_micro: bigint
  spent_micro: bigint
  sites: number
  members: number
  requests: number
  refused: number
  errors: number
  disabled_webhooks: number
  failed_jobs: number
}

export interface ProjectsWanted {
  /** Newest first, before this id; null from the start. */
  after: string | null
  count: number
  search: string | null
  only_offline: boolean
  /** One project. */
  id: string | null
  /** First day of the current month. */
  month: string
  /** The smallest id of a request within 24 hours. */
  first: string
}

/**
 * Operators share the connections of one project. Throws `StatementTimeout` after
 * `operator_list_s_max`.
 */
export function listProjects(db: Reader, wanted: ProjectsWanted): Promise<ProjectFacts[]> {
  const { after, count, search, only_offline, id, month, first } = wanted
  const like = search === null ? null : `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const query = sql<ProjectFacts>`
    select p.id, p.name, p.owner_email, p.plan, p.created_at, p.enabled,
      p.phone_verified, p.offline_at,
      p.offline_reason, p.numbers_count,
      coalesce((select balance_micro from ledger_accounts
        where project_id = p.id and kind = 'prepaid'), 0)::bigint as balance_micro,
      coalesce((select month_micro from ledger_accounts
        where project_id = p.id and kind = 'revenue' and month = ${month}::date), 0)::bigint
        as spent_micro,
      (select count(*) from sites where project_id = p.id)::int as sites,
      (select count(*) from members where project_id = p.id)::int as members,
      (select count(*) from webhook_endpoints
        where project_id = p.id and disabled_at is not null)::int as disabled_webhooks,
      (select count(*) from jobs where state = 'dead' and project_id = p.id)::int as failed_jobs,
      r.requests, r.refused, r.errors
    from projects as p cross join lateral (
      select count(*)::int as requests,
        (count(*) filter (where status between 400 and 499))::int as refused,
        (count(*) filter (where status >= 500))::int as errors
      from (select status from request_log where project_id = p.id and id >= ${first}
        order by id desc limit ${REQUESTS_MAX}) as recent
    ) as r
    where p.deleted_at is null
      and (${id}::uuid is null or p.id = ${id})
      and (${after}::uuid is null or p.id < ${after})
      and (not ${only_offline}::boolean or p.offline_at is not null)
      and (${like}::text is null or p.name ilike ${like} or p.owner_email ilike ${like}
        or p.id::text = ${search})
    order by p.id desc limit ${count}`
  const timeout_ms = limits.operator_list_s_max * 1000
  return readCostly(db, { project_id: OPERATORS, query: query.compile(db), timeout_ms })
}

export interface OfflineChange {
  offline_at: Date | null
  offline_reason: string | null
}

/**
 * Takes a project offline or back; returns undefined if it does not exist. A project that was disabled
 * without being offline stays disabled.
 */
export function setOffline(tx: Transaction, id: string, change: OfflineChange) {
  return tx
    .updateTable('projects')
    .set({
      ...change,
      enabled: change.offline_at === null ? sql`enabled or offline_at is not null` : false,
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(['id', 'name'])
    .executeTakeFirst()
}

export interface QueueFacts {
  due: number
  running: number
  scheduled: number
  oldest_s: number | null
  under_10_s: number
  under_1_min: number
  under_10_min: number
  under_1_h: number
  over_1_h: number
}

const byAge = sql`
  (count(*) filter (where late_s < 10))::int as under_10_s,
  (count(*) filter (where late_s >= 10 and late_s < 60))::int as under_1_min,
  (count(*) filter (where late_s >= 60 and late_s < 600))::int as under_10_min,
  (count(*) filter (where late_s >= 600 and late_s < 3600))::int as under_1_h,
  (count(*) filter (where late_s >= 3600))::int as over_1_h,
  count(late_s)::int as due, floor(max(late_s))::int as oldest_s`

/** Jobs by state and age. Reconcilers that wait for their next run count as scheduled. */
export async function readJobs(db: Reader, now: Date): Promise<QueueFacts> {
  const { rows } = await sql<QueueFacts>`
    select ${byAge}, (count(*) filter (where state = 'leased'))::int as running,
      (count(*) filter (where state <> 'leased' and late_s is null))::int as scheduled
    from (select state, case when state <> 'leased' and run_at <= ${now}
        then extract(epoch from ${now}::timestamptz - run_at) end as late_s
      from jobs where state in ('waiting', 'due', 'leased') limit ${WAITING_MAX}) as j`.execute(db)
  return rows[0]!
}

export async function readDeliveries(
  db: Reader,
  { now, since }: { now: Date; since: Date },
): Promise<QueueFacts & { failed_24h: number }> {
  const { rows } = await sql<QueueFacts & { failed_24h: number }>`
    select ${byAge}, (count(*) filter (where stage = 'leased'))::int as running,
      (count(*) filter (where stage <> 'leased' and late_s is null))::int as scheduled,
      (select count(*)::int from (select 1 from webhook_deliveries
        where finished_at >= ${since} and state = 'failed' limit ${WAITING_MAX}) as f)
        as failed_24h
    from (select stage, case when stage <> 'leased' and next_attempt_at <= ${now}
        then extract(epoch from ${now}::timestamptz - next_attempt_at) end as late_s
      from webhook_deliveries where state = 'pending' limit ${WAITING_MAX}) as d`.execute(db)
  return rows[0]!
}

export type Sample = Selectable<QueueSamplesTable>

/** Does nothing if another process wrote the sample. */
export async function insertSample(tx: Transaction, sample: Sample): Promise<void> {
  await tx
    .insertInto('queue_samples')
    .values(sample)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteSamples(tx: Transaction, before: Date): Promise<void> {
  await tx.deleteFrom('queue_samples').where('sampled_at', '<', before).execute()
}

/** The maximum of each number in an interval; for failed deliveries, their sum. */
export interface SampledInterval extends Omit<Sample, 'sampled_at'> {
  /** Start of the interval in seconds since the epoch. */
  at_s: number
  samples: number
}

export async function readSamples(
  db: Reader,
  { since, interval_s }: { since: Date; interval_s: number },
): Promise<SampledInterval[]> {
  const { rows } = await sql<SampledInterval>`
    select (floor(extract(epoch from sampled_at) / ${interval_s}) * ${interval_s})::float8 as at_s,
      count(*)::int as samples, max(jobs_due) as jobs_due, max(jobs_oldest_s) as jobs_oldest_s,
      max(jobs_failed) as jobs_failed, max(deliveries_due) as deliveries_due,
      max(deliveries_oldest_s) as deliveries_oldest_s,
      sum(deliveries_failed)::int as deliveries_failed
    from queue_samples where sampled_at >= ${since} group by 1`.execute(db)
  return rows
}
