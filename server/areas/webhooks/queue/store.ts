/**
 * The SQL of the delivery queue: due deliveries, the choice of the next ones, and leases. It reads
 * across projects, because one queue serves all of them. Every step is bounded and uses a partial
 * index, so a million waiting deliveries cost as much as a hundred.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Subject } from '../../../contract/events.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { SealedSecrets } from '../attempt/secrets.ts'
import type { DeliveryLease, Leased } from '../store.ts'

/** What a claim would find. */
export interface DueWork {
  ready: boolean
  /** Whether a delivery is due or its lease has expired, and it is not marked as ready yet. */
  overdue: boolean
}

/**
 * Checks cheaply whether a claim would find work. Reads the first row of each index, because for
 * `exists` the planner may scan the table.
 */
export async function lookForDue(db: Reader, now: Date): Promise<DueWork> {
  const { rows } = await sql<{ [Name in keyof DueWork]: boolean | null }>`
    select
      (select true from webhook_deliveries where stage = 'ready'
        order by project_id, endpoint_id, id limit 1) as ready,
      coalesce(
        (select next_attempt_at <= ${now} or null from webhook_deliveries where stage = 'waiting'
          order by next_attempt_at limit 1),
        (select true from webhook_deliveries where stage = 'leased' and lease_until <= ${now}
          order by project_id, endpoint_id, lease_until limit 1)
      ) as overdue`.execute(db)
  return { ready: rows[0]?.ready ?? false, overdue: rows[0]?.overdue ?? false }
}

/** The approximate size of the queue; query plans are cached per magnitude. */
export interface Magnitude {
  rows: number
  pending: number
}

/**
 * Serializes claims, because concurrent claims could exceed the cap of an endpoint. The settings
 * force index scans, because the planner overestimates the rows of each step. Planning takes longer
 * than claiming, so plans are cached; but a plan made for a small queue would scan a large one, so
 * each magnitude has its own plans. The commit is asynchronous: a lease lost in a crash is claimed
 * again, and results are recorded by their own commits.
 */
export async function openClaim(tx: Transaction): Promise<Magnitude> {
  const { rows } = await sql<Magnitude>`
    select pg_advisory_xact_lock(hashtextextended('webhook delivery claims', 0)),
      set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true),
      set_config('plan_cache_mode', 'force_generic_plan', true),
      set_config('synchronous_commit', 'off', true),
      log(4, 1 + pg_relation_size('webhook_deliveries'))::int as rows,
      log(4, 1 + pg_relation_size('webhook_deliveries_ready')
        + pg_relation_size('webhook_deliveries_waiting')
        + pg_relation_size('webhook_deliveries_leased'))::int as pending`.execute(tx)
  const [magnitude] = rows
  assert(magnitude)
  return magnitude
}

/**
 * Makes the statement text unique per magnitude by a comment, so that PostgreSQL plans it anew for
 * each magnitude.
 */
function plannedFor({ rows, pending }: Magnitude) {
  assert(Number.isInteger(rows) && Number.isInteger(pending))
  return sql.raw(`/* magnitude ${rows}, ${pending} */`)
}

interface OverdueRules {
  now: Date
  in_progress: readonly string[]
  /**
   * Attempts of this process that ended but could not be recorded; they do not count as crashes.
   */
  unrecorded?: readonly string[]
  limit: number
  magnitude: Magnitude
}

/**
 * Marks due deliveries as ready, and those whose lease expired because their process died. Returns
 * their number. `in_progress` are attempts of this process, which continue even if the clock is moved
 * past their leases.
 */
export async function makeReady(
  tx: Transaction,
  { now, in_progress, unrecorded = [], limit, magnitude }: OverdueRules,
): Promise<number> {
  const result = await sql`
    ${plannedFor(magnitude)} with waited as (
      select project_id, id from webhook_deliveries
      where stage = 'waiting' and next_attempt_at <= ${now}
      order by next_attempt_at limit ${sql.lit(limit)} for no key update skip locked
    ), lost as (
      select project_id, id from webhook_deliveries
      where stage = 'leased' and lease_until <= ${now} and id <> all (${in_progress}::uuid[])
      order by project_id, endpoint_id, lease_until limit ${sql.lit(limit)}
      for no key update skip locked
    )
    update webhook_deliveries as d set stage = 'ready', lease_token = null, lease_until = null,
      crashes = d.crashes + (d.stage = 'leased' and d.begun and d.id <> all (${unrecorded}::uuid[]))::int
    from (select * from waited union all select * from lost) as due
    where d.project_id = due.project_id and d.id = due.id
  `.execute(tx)
  return Number(result.numAffectedRows ?? 0n)
}

export interface ChoiceRules {
  /** The round of projects starts after this project. */
  after_project: string
  slots: number
  projects_max: number
  project_cap: number
  endpoint_cap: number
  /** An endpoint with this number of failures in a row gets one attempt at a time. */
  doubtful_failures: number
  /** Pauses after the last failure, for 1, 2, 3 … failures in a row. */
  pauses_s: readonly number[]
  /** Hosts that get nothing in this claim. */
  busy_hosts: readonly string[]
  now: Date
  magnitude: Magnitude
}

/** Maximum number of projects visited, including those whose endpoints are all paused. */
const STEPS_MAX = 1000

/** Maximum number of ready deliveries of one endpoint that are checked. */
const WINDOW = 100

export interface DeliveryChoice {
  project_id: string
  id: string
  /** The position of the project in this round. */
  project_order: number
}

export interface DeliveryChoices {
  choices: DeliveryChoice[]
  last_seen: string | null
  /**
   * Maximum number of deliveries per endpoint in this claim, because the projects share the slots.
   */
  share: number
}

/**
 * Chooses up to `slots` ready deliveries: one of every project before a second of any, and within a
 * project one of every endpoint before a second of any, within the caps. A first attempt waits
 * while an earlier delivery about the same subject has had no attempt. The scans step from project
 * to project by index, so a million rows of one project cost as much as one row. Projects that got
 * no slot come first in the next claim.
 */
export async function chooseDeliveries(
  tx: Transaction,
  rules: ChoiceRules,
): Promise<DeliveryChoices> {
  const { after_project, slots, projects_max } = rules
  const { rows } = await sql<{
    choices: DeliveryChoice[] | null
    last_seen: string | null
    share: number
  }>`
    ${plannedFor(rules.magnitude)} with recursive
    onward (project_id, n, opened, open) as (
      ${readyProjects('onward', rules, sql`> ${after_project}`)}
    ),
    around (project_id, n, opened, open) as (
      ${readyProjects('around', rules, sql`<= ${after_project}`)}
    ),
    steps as (
      select project_id, open, row_number() over laps as step, sum(open::int) over laps as opened
      from (select 1 as lap, * from onward union all select 2, * from around) as lap
      window laps as (order by lap, n)
    ),
    seen as (
      select project_id, step as project_order from steps where open and opened <= ${projects_max}
    ),
    room as (${roomOfEndpoints(rules)}),
    candidate as (
      select room.project_id, room.project_order, room.project_room, head.id,
        row_number() over (partition by room.project_id order by head.n, head.id) as turn
      from room cross join lateral (${headsOfEndpoint()}) as head
    ),
    chosen as (
      select project_id, id, project_order, turn from candidate where turn <= project_room
      order by turn, project_order limit ${slots}
    )
    select
      (select jsonb_agg(to_jsonb(chosen) order by turn, project_order) from chosen) as choices,
      (select project_id from steps where opened <= ${projects_max}
        order by step desc limit 1) as last_seen,
      (select min(share)::int from room) as share
  `.execute(tx)
  const { choices, last_seen = null, share } = rows[0] ?? {}
  return { choices: choices ?? [], last_seen, share: share ?? 0 }
}

/**
 * Steps through the projects with ready deliveries. Projects whose endpoints are all paused do not
 * count against projects_max; otherwise a few hundred dead receivers would hide all other projects.
 */
function readyProjects(name: string, rules: ChoiceRules, within: ReturnType<typeof sql>) {
  // Not `exists`, because the planner would materialize all endpoints for it.
  const open = sql`coalesce((
    select true from webhook_endpoints as own
    where own.project_id = d.project_id and not ${pauses(rules)} limit 1
  ), false)`
  return sql`
    select project_id, 1, open::int, open from (
      select d.project_id, ${open} as open from webhook_deliveries as d
      where d.stage = 'ready' and d.project_id ${within} order by d.project_id limit 1
    ) as first
    union all
    select next.project_id, step.n + 1, step.opened + next.open::int, next.open
    from ${sql.ref(name)} as step cross join lateral (
      select d.project_id, ${open} as open from webhook_deliveries as d
      where d.stage = 'ready' and d.project_id > step.project_id and d.project_id ${within}
      order by d.project_id limit 1
    ) as next
    where step.opened < ${rules.projects_max} and step.n < ${sql.lit(STEPS_MAX)}`
}

/** Condition: an endpoint is paused after its last failure. */
function pauses({ pauses_s, now }: ChoiceRules) {
  const table_s = sql.lit(`{${pauses_s.join()}}`)
  return sql`(coalesce(own.last_failure_at + interval '1 second'
    * (${table_s}::int[])[own.consecutive_failures] > ${now}, false))`
}

/**
 * Selects the endpoints of the seen projects, with the number of attempts that the caps still
 * allow.
 */
function roomOfEndpoints(rules: ChoiceRules) {
  const { slots, endpoint_cap, doubtful_failures, project_cap, busy_hosts } = rules
  return sql`
    select seen.project_id, seen.project_order, e.endpoint_id,
      ceil(${slots}::numeric / (select count(*) from seen)) as share,
      e.cap - e.leased as endpoint_room,
      ${sql.lit(project_cap)} - sum(e.leased) over (partition by seen.project_id) as project_room
    from seen cross join lateral (
      select id as endpoint_id, case when ${pauses(rules)} then 0
        when lower(substring(url from '^[^:]+://(?:[^/@?#]*@)?([^/?#]+)')) = any(${busy_hosts}::text[]) then 0
        when own.consecutive_failures >= ${sql.lit(doubtful_failures)} then 1
        else ${sql.lit(endpoint_cap)} end as cap, (
        select count(*) from webhook_deliveries as d
        where d.stage = 'leased' and d.project_id = own.project_id and d.endpoint_id = own.id
      ) as leased
      from webhook_endpoints as own where own.project_id = seen.project_id offset 0
    ) as e`
}

/** Selects the deliveries of one endpoint that can be claimed now, oldest first. */
function headsOfEndpoint() {
  return sql`
    select ready.id, row_number() over (order by ready.id) as n
    from (
      select d.id, d.attempt, d.subject_key from webhook_deliveries as d
      where d.stage = 'ready' and d.project_id = room.project_id
        and d.endpoint_id = room.endpoint_id
      order by d.id limit ${sql.lit(WINDOW)}
    ) as ready
    where ready.attempt > 0 or not exists (
      select from webhook_deliveries as earlier
      where earlier.state = 'pending' and earlier.project_id = room.project_id
        and earlier.endpoint_id = room.endpoint_id and earlier.subject_key = ready.subject_key
        and earlier.id < ready.id and earlier.attempt = 0
    )
    order by ready.id limit greatest(least(room.endpoint_room, room.share), 0)`
}

/** A leased delivery with all data that the attempt needs. */
export interface ClaimedDelivery extends Leased, SealedSecrets {
  event_id: string
  subject: Subject
  /** The time of the event. */
  created_at: Date
  url: string
  active: boolean
  /** Number of processes that died during its attempts; absent for a manual attempt. */
  crashes?: number
}

/** Leases the chosen deliveries; skips rows that another transaction has locked. */
export async function leaseDeliveries(
  tx: Transaction,
  choices: readonly DeliveryChoice[],
  { lease_token, lease_until, magnitude }: DeliveryLease & { magnitude: Magnitude },
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    ${plannedFor(magnitude)} with chosen as (
      select * from unnest(${choices.map(({ project_id }) => project_id)}::uuid[],
        ${choices.map(({ id }) => id)}::uuid[]) with ordinality as c (project_id, id, n)
    ),
    free as (
      select d.project_id, d.id, chosen.n from chosen
      join webhook_deliveries as d on d.project_id = chosen.project_id and d.id = chosen.id
      -- Not the plain comparison: by the index of what is ready all of a project would be read.
      where d.stage || '' = 'ready' for no key update of d skip locked
    ),
    leased as (
      update webhook_deliveries as d
      set stage = 'leased', lease_token = ${lease_token}, lease_until = ${lease_until},
        begun = d.crashes = 0
      from free where d.project_id = free.project_id and d.id = free.id
      returning d.project_id, d.id, d.endpoint_id, d.event_id, d.lease_token, d.crashes, free.n
    )
    select leased.project_id, leased.id, leased.endpoint_id, leased.event_id, leased.lease_token,
      leased.crashes, v.type, v.subject, v.created_at, e.url, e.active, e.sealed_secret,
      e.previous_sealed_secret, e.previous_secret_until
    from leased
    join events as v on v.project_id = leased.project_id and v.id = leased.event_id
    join webhook_endpoints as e on e.project_id = leased.project_id and e.id = leased.endpoint_id
    order by leased.n`.execute(tx)
  return rows
}

/**
 * Records that a delivery with crashes is attempted now, and renews its lease. Returns false if the
 * lease was lost.
 */
export async function beginAttempt(
  tx: Transaction,
  { project_id, id, lease_token }: Leased,
  lease_until: Date,
): Promise<boolean> {
  const result = await sql`
    update webhook_deliveries set begun = true, lease_until = ${lease_until}
    where project_id = ${project_id} and id = ${id} and lease_token = ${lease_token}
      and stage = 'leased'`.execute(tx)
  return result.numAffectedRows === 1n
}
