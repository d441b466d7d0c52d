/**
 * The SQL of endpoints and events; claiming deliveries is in queue/, recording attempts in
 * record-store.ts. States are literals, not parameters, because only then can the planner use the
 * partial indexes of pending, ready and leased deliveries.
 */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { EventType } from '../../contract/event-types.ts'
import type { Subject } from '../../contract/events.ts'
import { limits } from '../../contract/limits.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { WebhookEndpointsTable } from '../../kernel/database/tables.ts'

export type EndpointRow = Selectable<WebhookEndpointsTable>

const isPending = sql<boolean>`state = 'pending'`

/** Serializes the creation of endpoints of a project until the transaction ends. */
export async function lockEndpoints(tx: Transaction, project_id: string): Promise<void> {
  const key = `webhook endpoints of ${project_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

export async function countEndpoints(tx: Transaction, project_id: string): Promise<number> {
  const { count } = await tx
    .selectFrom('webhook_endpoints')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function insertEndpoint(
  tx: Transaction,
  row: Insertable<WebhookEndpointsTable>,
): Promise<EndpointRow> {
  return tx.insertInto('webhook_endpoints').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Newest first. */
export function listEndpoints(
  db: Reader,
  { project_id, count, after }: { project_id: string; count: number; after: string | null },
): Promise<EndpointRow[]> {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

export function findEndpoint(
  db: Reader,
  project_id: string,
  id: string,
): Promise<EndpointRow | undefined> {
  return endpointQuery(db, project_id, id).executeTakeFirst()
}

/** Locks an endpoint; no result of an attempt can be recorded until the transaction ends. */
export function lockEndpoint(
  tx: Transaction,
  project_id: string,
  id: string,
): Promise<EndpointRow | undefined> {
  return endpointQuery(tx, project_id, id).forNoKeyUpdate().executeTakeFirst()
}

function endpointQuery(db: Reader, project_id: string, id: string) {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
}

/** Deletes an endpoint with its deliveries. A running attempt can then record nothing. */
export async function removeEndpoint(
  tx: Transaction,
  project_id: string,
  id: string,
): Promise<boolean> {
  await allowTime(tx)
  const { numDeletedRows } = await tx
    .deleteFrom('webhook_endpoints')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deactivates the active endpoints of a project and drops their pending deliveries. */
export async function suspendEndpoints(
  tx: Transaction,
  { project_id, now }: { project_id: string; now: Date },
): Promise<void> {
  await allowTime(tx)
  await tx
    .updateTable('webhook_endpoints')
    .set({ active: false, suspended: true })
    .where('project_id', '=', project_id)
    .where('active', 'is', true)
    .execute()
  await dropped(tx, { project_id, now }).execute()
}

/** Activates the endpoints that `suspendEndpoints` deactivated. */
export async function resumeEndpoints(tx: Transaction, project_id: string): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ active: true, suspended: false })
    .where('project_id', '=', project_id)
    .where('suspended', 'is', true)
    .execute()
}

export function switchOn(tx: Transaction, project_id: string, id: string): Promise<EndpointRow> {
  return tx
    .updateTable('webhook_endpoints')
    .set({ active: true, disabled_at: null, disabled_reason: null })
    .set({ consecutive_failures: 0, warned_failures: 0 })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function changeEndpoint(
  tx: Transaction,
  {
    project_id,
    id,
    ...change
  }: { project_id: string; id: string; url?: string; events?: string[] },
): Promise<EndpointRow | undefined> {
  return tx
    .updateTable('webhook_endpoints')
    .set(change)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export interface NewSecret {
  project_id: string
  id: string
  sealed_secret: Buffer
  secret_prefix: string
  previous_secret_until: Date
}

/** The current secret becomes the previous one and replaces any older one. */
export function replaceSecret(
  tx: Transaction,
  { project_id, id, ...secret }: NewSecret,
): Promise<EndpointRow | undefined> {
  return tx
    .updateTable('webhook_endpoints')
    .set(({ ref }) => ({ ...secret, previous_sealed_secret: ref('sealed_secret') }))
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes the expired previous secrets of all projects. */
export async function forgetSecrets(tx: Transaction, now: Date): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ previous_sealed_secret: null, previous_secret_until: null })
    .where('previous_secret_until', '<=', now)
    .execute()
}

/**
 * The owner's address and the state of an endpoint; undefined if the endpoint or project is gone.
 */
export function findAddressee(db: Reader, project_id: string, id: string) {
  return db
    .selectFrom('webhook_endpoints as e')
    .innerJoin('projects as p', 'p.id', 'e.project_id')
    .leftJoin('people as o', (join) =>
      join.on('o.realm', '=', 'portal').onRef('o.email', '=', sql<string>`lower(p.owner_email)`),
    )
    .select(['e.active', 'e.consecutive_failures', 'p.owner_email', 'p.name as project_name'])
    .select('o.language')
    .where('e.project_id', '=', project_id)
    .where('e.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Drops the pending deliveries of an endpoint. Lease tokens stay, so that running attempts can
 * still be recorded.
 */
export async function dropPending(
  tx: Transaction,
  { project_id, endpoint_id, now }: { project_id: string; endpoint_id: string; now: Date },
): Promise<void> {
  await allowTime(tx)
  await dropped(tx, { project_id, now }).where('endpoint_id', '=', endpoint_id).execute()
}

function dropped(tx: Transaction, { project_id, now }: { project_id: string; now: Date }) {
  return tx
    .updateTable('webhook_deliveries')
    .set({ state: 'dropped', stage: null, next_attempt_at: null, finished_at: now })
    .set({ error: 'endpoint_disabled' })
    .where('project_id', '=', project_id)
    .where(isPending)
}

/**
 * An endpoint may have a million deliveries, which takes longer than the usual statement timeout.
 */
async function allowTime(tx: Transaction): Promise<void> {
  await sql`select set_config('statement_timeout', '10min', true)`.execute(tx)
}

export interface NewEvent {
  project_id: string
  id: string
  type: EventType
  subject: Subject
  /** The same for all events about one subject. */
  subject_key: string
  call_id: string | null
  app_id: string | null
  created_at: Date
  /** Ids of the agents whose actions caused it. */
  cause: readonly string[]
}

/** The numbers of deliveries and of queued runs of agents. */
export interface Written {
  deliveries: number
  runs: number
}

/** Pending deliveries of a project, counted up to one above the maximum. */
export async function countPending(db: Reader, project_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from webhook_deliveries where state = 'pending' and project_id = ${project_id}
      limit ${sql.lit(limits.webhook_pending_max + 1)}
    ) as pending`.execute(db)
  return rows[0]?.count ?? 0
}

/** Serializes the projects' counts of pending deliveries until the transaction ends. */
export async function lockPending(tx: Transaction, project_id: string): Promise<void> {
  const key = `pending deliveries of ${project_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

/** Active endpoints of a project that get an event of no app. */
export async function countListening(
  db: Reader,
  { project_id, type }: { project_id: string; type: EventType },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_endpoints
    where project_id = ${project_id} and active and ${type} = any(events) and app_id is null
  `.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Writes an event, its delivery to every subscribed endpoint and a queued run of every agent that it
 * starts, in one statement. `delivery_ids` has one id for each endpoint that a project may have.
 */
export async function insertEvent(
  tx: Transaction,
  event: NewEvent,
  delivery_ids: readonly string[],
): Promise<Written> {
  const { project_id, type, created_at } = event
  const { rows } = await sql<Written>`
    with event as (${insertingEvent(event)}),
    given as (select ${event.id}::text as id, ${type}::text as type, ${created_at}::timestamptz as created_at),
    runs as (${queueingRuns(event)}),
    deliveries as (insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type, subject_key,
      call_id, next_attempt_at, created_at)
    select e.project_id, (${delivery_ids}::uuid[])[row_number() over (order by e.id)], e.id,
      ${event.id}, ${type}, ${event.subject_key}, ${event.call_id}::uuid,
      ${created_at}::timestamptz, ${created_at}::timestamptz
    from webhook_endpoints as e
    where e.project_id = ${project_id} and e.active and ${type} = any(e.events)
      and (e.app_id is null or e.app_id = ${event.app_id}::uuid)
    on conflict (project_id, endpoint_id, type, call_id) where call_id is not null do nothing
    returning 1)
    ${countingWritten}
  `.execute(tx)
  return rows[0]!
}

const countingWritten = sql`select (select count(*)::int from deliveries) as deliveries,
  (select count(*)::int from runs) as runs`

/**
 * Inserts no run of an agent that caused the event, none beyond the maximum chain of agents, and none
 * of an agent whose queue is full. The id of a run starts with the time part of its event's id, so that
 * ids are in the order of time.
 */
function queueingRuns({ project_id, cause }: Pick<NewEvent, 'project_id' | 'cause'>) {
  return sql`insert into agent_runs (project_id, id, agent_id, status, trigger_type, event_id,
      origins, created_at)
    with listening as materialized (
      select a.project_id, a.id, a.event_type from agents as a
      where a.project_id = ${project_id} and a.status = 'active'
        and a.event_type in (select type from given)
        and a.id <> all(${[...cause]}::uuid[])
        and ${cause.length < limits.agent_depth_max}
        and (select count(*) from agent_runs as q where q.project_id = a.project_id
          and q.agent_id = a.id and q.status = 'queued') < ${limits.agent_queued_runs_max}
    )
    select a.project_id,
      (substr(g.id, 5, 16) || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid,
      a.id, 'queued', 'event', g.id, ${[...cause]}::uuid[], g.created_at
    from given as g join listening as a on a.event_type = g.type
    returning 1`
}

/**
 * Writes many events of one project. The id of a delivery starts with the time part of its event's
 * id and continues randomly.
 */
export async function insertEvents(tx: Transaction, events: readonly NewEvent[]): Promise<Written> {
  const [first] = events
  if (!first) return { deliveries: 0, runs: 0 }
  const of = <Value>(value: (event: NewEvent) => Value) => events.map(value)
  const { rows } = await sql<Written>`
    with given as (
      select * from unnest(${of(({ id }) => id)}::text[], ${of(({ type }) => type)}::text[],
        ${of(({ subject }) => subject)}::jsonb[], ${of((event) => event.subject_key)}::text[],
        ${of(({ call_id }) => call_id)}::uuid[], ${of(({ app_id }) => app_id)}::uuid[],
        ${of(({ created_at }) => created_at)}::timestamptz[])
        as g (id, type, subject, subject_key, call_id, app_id, created_at)
    ), event as (
      insert into events (project_id, id, type, subject, app_id, created_at)
      select ${first.project_id}::uuid, id, type, subject, app_id, created_at from given
    ), runs as (${queueingRuns(first)}),
    deliveries as (insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type, subject_key,
      call_id, next_attempt_at, created_at)
    select e.project_id,
      (substr(g.id, 5, 16) || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid,
      e.id, g.id, g.type, g.subject_key, g.call_id, g.created_at, g.created_at
    from given as g join webhook_endpoints as e
      on g.type = any(e.events) and (e.app_id is null or e.app_id = g.app_id)
    where e.project_id = ${first.project_id} and e.active
    on conflict (project_id, endpoint_id, type, call_id) where call_id is not null do nothing
    returning 1)
    ${countingWritten}
  `.execute(tx)
  return rows[0]!
}

export interface DeliveryLease {
  lease_token: string
  lease_until: Date
}

/** Writes an event for one endpoint, and its delivery leased to the caller. */
export async function insertLeased(
  tx: Transaction,
  {
    event,
    delivery,
    lease,
  }: {
    event: NewEvent
    delivery: { id: string; endpoint_id: string }
    lease: DeliveryLease
  },
): Promise<void> {
  await sql`
    with event as (${insertingEvent(event)})
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type, subject_key,
      stage, lease_token, lease_until, next_attempt_at, created_at)
    values (${event.project_id}, ${delivery.id}, ${delivery.endpoint_id}, ${event.id},
      ${event.type}, ${event.subject_key}, 'leased', ${lease.lease_token}, ${lease.lease_until},
      ${event.created_at}, ${event.created_at})
  `.execute(tx)
}

function insertingEvent({ project_id, id, type, subject, app_id, created_at }: NewEvent) {
  return sql`insert into events (project_id, id, type, subject, app_id, created_at)
    values (${project_id}, ${id}, ${type}, ${JSON.stringify(subject)}, ${app_id}, ${created_at})`
}

/** The identity of a leased delivery. */
export interface Leased {
  project_id: string
  id: string
  endpoint_id: string
  lease_token: string
  /** Type of the event. */
  type: string
  /** A manual attempt, outside the schedule and the streak. */
  manual?: true
}
