/**
 * The SQL of the delivery log: reading it, leasing a delivery for a requested attempt, replaying
 * events, and deleting old rows. States are literals, not parameters, because only then can the
 * planner use the partial indexes.
 */
import { sql, type Selectable } from 'kysely'
import type { EventType } from '../../../contract/event-types.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type {
  WebhookAttemptsTable,
  WebhookDeliveriesTable,
} from '../../../kernel/database/tables.ts'
import type { DeliveryState } from '../outcome/outcome.ts'
import type { ClaimedDelivery } from '../queue/store.ts'
import type { DeliveryLease } from '../store.ts'

export type DeliveryRow = Pick<
  Selectable<WebhookDeliveriesTable>,
  (typeof shown)[number] | 'attempts_made'
>
export type AttemptRow = Selectable<WebhookAttemptsTable>

const shown = [
  'id',
  'endpoint_id',
  'event_id',
  'type',
  'state',
  'attempts_made',
  'next_attempt_at',
  'response_status',
  'error',
  'created_at',
  'finished_at',
] as const

const isState = {
  pending: sql<boolean>`state = 'pending'`,
  delivered: sql<boolean>`state = 'delivered'`,
  failed: sql<boolean>`state = 'failed'`,
  dropped: sql<boolean>`state = 'dropped'`,
} as const satisfies Record<DeliveryState['state'], unknown>

export interface DeliveriesWanted {
  project_id: string
  endpoint_id: string
  state: DeliveryState['state'] | undefined
  type: EventType | undefined
  count: number
  /** The event id of the last delivery on the previous page. */
  after: string | null
}

/** Lists newest event first, by event id, which grows with time and is indexed. */
export function listDeliveries(db: Reader, wanted: DeliveriesWanted): Promise<DeliveryRow[]> {
  const { state, type, after } = wanted
  return db
    .selectFrom('webhook_deliveries')
    .select(shown)
    .where('project_id', '=', wanted.project_id)
    .where('endpoint_id', '=', wanted.endpoint_id)
    .$if(state !== undefined, (query) => query.where(isState[state ?? 'pending']))
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? ''))
    .$if(after !== null, (query) => query.where('event_id', '<', after))
    .orderBy('event_id', 'desc')
    .limit(wanted.count)
    .execute()
}

export function findDelivery(
  db: Reader,
  project_id: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('webhook_deliveries')
    .select(shown)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Newest first. The number of attempts per delivery is limited. */
export function listAttempts(db: Reader, project_id: string, id: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('delivery_id', '=', id)
    .orderBy('number', 'desc')
    .execute()
}

/**
 * Leases a finished delivery for a requested attempt. Returns undefined if it is not finished, an
 * attempt is in flight, or the maximum number of attempts is reached.
 */
export async function leaseForRequest(
  tx: Transaction,
  wanted: { project_id: string; id: string; lease: DeliveryLease; now: Date; attempts_max: number },
): Promise<ClaimedDelivery | undefined> {
  const { project_id, id, lease, now, attempts_max } = wanted
  const { rows } = await sql<ClaimedDelivery>`
    with leased as (
      update webhook_deliveries
      set lease_token = ${lease.lease_token}, lease_until = ${lease.lease_until}
      where project_id = ${project_id} and id = ${id} and state <> 'pending'
        and (lease_token is null or lease_until <= ${now}) and attempts_made < ${attempts_max}
      returning project_id, id, endpoint_id, event_id, lease_token
    )
    select leased.*, v.type, v.subject, v.created_at, e.url, e.active, e.sealed_secret,
      e.previous_sealed_secret, e.previous_secret_until, true as manual
    from leased
    join events as v on v.project_id = leased.project_id and v.id = leased.event_id
    join webhook_endpoints as e on e.project_id = leased.project_id and e.id = leased.endpoint_id
  `.execute(tx)
  return rows[0]
}

/** The events to replay to an endpoint. */
export interface EventSpan {
  project_id: string
  app_id: string | null
  types: readonly EventType[]
  from: Date
  to: Date
}

/**
 * Makes the planner read events in id order: it overestimates the share of events and deliveries
 * that a replay touches, and would scan those of other projects too.
 */
export async function prepareReplay(tx: Transaction): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true),
    set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)
  `.execute(tx)
}

/** Counts the events of a span, up to `most`. */
export async function countEvents(db: Reader, span: EventSpan, most: number): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found from (${eventsOf(span, most)}) as wanted`.execute(db)
  return rows[0]?.found ?? 0
}

export interface Replay {
  span: EventSpan
  endpoint_id: string
  include_delivered: boolean
  now: Date
  attempts_max: number
  /** Ids of the deliveries to create, one for each event. */
  delivery_ids: readonly string[]
}

/**
 * Reopens the deliveries of a span of events, and creates missing ones. Deliveries that are in
 * flight stay unchanged. Returns the number of reopened and created deliveries.
 */
export async function replayEvents(tx: Transaction, wanted: Replay): Promise<number> {
  const { span, endpoint_id, include_delivered, now, attempts_max, delivery_ids } = wanted
  const { project_id } = span
  const { rows } = await sql<{ opened: number }>`
    with wanted as materialized (${eventsOf(span, delivery_ids.length)}),
    opened_again as (
      update webhook_deliveries as d
      set state = 'pending', stage = 'ready', attempt = 0, next_attempt_at = ${now},
        finished_at = null, response_status = null, error = null, lease_token = null,
        lease_until = null
      from wanted
      where d.project_id = ${project_id} and d.endpoint_id = ${endpoint_id}
        and d.event_id = wanted.id and d.state <> 'pending'
        and (d.state <> 'delivered' or ${include_delivered}::boolean)
        and (d.lease_token is null or d.lease_until <= ${now})
        and d.attempts_made < ${attempts_max}
      returning d.id
    ),
    made as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type, subject_key,
        call_id, next_attempt_at, created_at)
      select ${project_id}::uuid, (${delivery_ids}::uuid[])[row_number() over (order by id)],
        ${endpoint_id}::uuid, id, type, subject_key, call_id, ${now}::timestamptz, created_at
      from wanted
      on conflict do nothing
      returning id
    )
    select (select count(*)::int from opened_again) + (select count(*)::int from made) as opened
  `.execute(tx)
  return rows[0]?.opened ?? 0
}

/**
 * Maximum difference between the time of an event and a later time in its id; a clock that was set
 * back causes it.
 */
const ID_LATER_MS = 24 * 3600 * 1000

/** Returns the first events of a span, with the columns that their deliveries need. */
function eventsOf({ project_id, app_id, types, from, to }: EventSpan, most: number) {
  const last = new Date(to.getTime() + ID_LATER_MS)
  return sql`
    select v.id, v.type, v.created_at,
      case when v.type like 'call.%' then (v.subject ->> 'call_id')::uuid end as call_id,
      (select '[' || string_agg('[' || to_json(s.key) || ',' || to_json(s.value) || ']', ','
        order by s.key collate "C") || ']' from jsonb_each_text(v.subject) as s) as subject_key
    from events as v
    where v.project_id = ${project_id} and v.id >= ${firstEventId(from)}
      and v.id < ${firstEventId(last)} and v.created_at >= ${from} and v.created_at < ${to}
      and v.type = any(${types}::text[]) and v.type <> 'webhook.test'
      and (${app_id}::uuid is null or v.app_id = ${app_id}::uuid)
    order by v.id limit ${most}`
}

/** Returns the smallest possible id of an event at this time. */
function firstEventId(time: Date): string {
  return `evt_${time.getTime().toString(16).padStart(12, '0')}${'0'.repeat(20)}`
}

/**
 * Deletes a batch of deliveries that ended before `until`, with their attempts. Returns their
 * number.
 */
export async function deleteDeliveries(
  tx: Transaction,
  { until, limit }: { until: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries as d using (
      select project_id, id from webhook_deliveries where finished_at < ${until}
      order by finished_at limit ${sql.lit(limit)} for update skip locked
    ) as old
    where d.project_id = old.project_id and d.id = old.id`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Projects with endpoints. */
export async function listWithEndpoints(db: Reader): Promise<string[]> {
  const rows = await db.selectFrom('webhook_endpoints').select('project_id').distinct().execute()
  return rows.map(({ project_id }) => project_id)
}

/** Whether a project has more finished deliveries, or more events, than `max`. Counts no further. */
export async function isOverfull(db: Reader, project_id: string, max: number): Promise<boolean> {
  const { rows } = await sql<{ is_overfull: boolean }>`
    select (select count(*) from (select from webhook_deliveries
        where project_id = ${project_id} and finished_at is not null limit ${max + 1}) as d) > ${max}
      or (select count(*) from (select from events
        where project_id = ${project_id} limit ${max + 1}) as e) > ${max} as is_overfull
  `.execute(db)
  return rows[0]?.is_overfull ?? false
}

/**
 * Deletes up to `limit` of the oldest finished deliveries of a project beyond its newest `max`, then
 * as many of its oldest events without a delivery. Returns the number of deleted rows.
 */
export async function deleteOldest(
  tx: Transaction,
  { project_id, max, limit }: { project_id: string; max: number; limit: number },
): Promise<number> {
  const deliveries = await sql`
    delete from webhook_deliveries as d using (
      select project_id, id from webhook_deliveries
      where project_id = ${project_id} and finished_at is not null
      order by id limit least(${sql.lit(limit)}, greatest(0, (
        select count(*) from webhook_deliveries
        where project_id = ${project_id} and finished_at is not null) - ${max}))
      for update skip locked
    ) as old
    where d.project_id = old.project_id and d.id = old.id`.execute(tx)
  const events = await sql`
    delete from events as v using (
      select e.project_id, e.id from events as e
      where e.project_id = ${project_id} and not exists (
        select from webhook_endpoints as p
        join webhook_deliveries as d on d.project_id = p.project_id and d.endpoint_id = p.id
        where p.project_id = e.project_id and d.event_id = e.id offset 0)
      order by e.id limit least(${sql.lit(limit)}, greatest(0, (
        select count(*) from events where project_id = ${project_id}) - ${max}))
      for update skip locked
    ) as old
    where v.project_id = old.project_id and v.id = old.id`.execute(tx)
  return Number((deliveries.numAffectedRows ?? 0n) + (events.numAffectedRows ?? 0n))
}

/**
 * Reads a batch of events after `after` and until `until`, oldest first, and deletes those without
 * a delivery. Returns the time of the last event read; null if there was none. `offset 0` forces an
 * index lookup for each event; otherwise the planner would read all deliveries.
 */
export async function deleteEvents(
  tx: Transaction,
  { after, until, limit }: { after: Date; until: Date; limit: number },
): Promise<Date | null> {
  const { rows } = await sql<{ last: Date | null }>`
    with bite as (
      select max(created_at) as last from (
        select created_at from events where created_at > ${after} and created_at < ${until}
        order by created_at limit ${sql.lit(limit)}
      ) as next
    ), gone as (
      delete from events as v using bite
      where v.created_at > ${after} and v.created_at <= bite.last and not exists (
        select from webhook_endpoints as e
        join webhook_deliveries as d on d.project_id = e.project_id and d.endpoint_id = e.id
        where e.project_id = v.project_id and d.event_id = v.id offset 0
      )
    )
    select last from bite`.execute(tx)
  return rows[0]?.last ?? null
}
