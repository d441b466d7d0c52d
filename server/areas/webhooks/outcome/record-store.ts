/**
 * The SQL of recording: locks a delivery and its endpoint, and writes their changes together with
 * the log of attempts.
 */
import { sql, type Selectable } from 'kysely'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { WebhookAttemptsTable } from '../../../kernel/database/tables.ts'
import type { DeliveryState, EndpointState, DeliveryAndEndpoint } from './outcome.ts'
import type { Leased } from '../store.ts'

/** Locks a delivery and its endpoint; undefined if the lease was lost or the endpoint deleted. */
export async function lockLeased(
  tx: Transaction,
  { project_id, id, lease_token }: Leased,
): Promise<DeliveryAndEndpoint | null> {
  const row = await tx
    .selectFrom('webhook_endpoints as e')
    .innerJoin('webhook_deliveries as d', (join) =>
      join.onRef('d.project_id', '=', 'e.project_id').onRef('d.endpoint_id', '=', 'e.id'),
    )
    .select(['e.active', 'e.consecutive_failures', 'e.last_success_at', 'e.last_failure_at'])
    .select(['e.disabled_at', 'e.disabled_reason', 'e.warned_failures'])
    .select(['d.state', 'd.attempt', 'd.next_attempt_at', 'd.response_status', 'd.error'])
    .where('d.project_id', '=', project_id)
    .where('d.id', '=', id)
    .where('d.lease_token', '=', lease_token)
    .forNoKeyUpdate(['e', 'd'])
    .executeTakeFirst()
  if (!row) return null
  return pairOf(row)
}

function pairOf(row: DeliveryState & EndpointState): DeliveryAndEndpoint {
  const { state, attempt, next_attempt_at, response_status, error, ...endpoint } = row
  return { delivery: { state, attempt, next_attempt_at, response_status, error }, endpoint }
}

/**
 * Locks several leased deliveries with their endpoints, in order, and skips locked rows. An entry
 * is null if its lease was lost or its row is locked by another transaction.
 */
export async function lockUnlocked(
  tx: Transaction,
  leases: readonly Leased[],
): Promise<(DeliveryAndEndpoint | null)[]> {
  const { rows } = await sql<{ n: number } & DeliveryState & EndpointState>`
    select asked.n::int, e.active, e.consecutive_failures, e.last_success_at, e.last_failure_at,
      e.disabled_at, e.disabled_reason, e.warned_failures,
      d.state, d.attempt, d.next_attempt_at, d.response_status, d.error
    from unnest(${leases.map(({ project_id }) => project_id)}::uuid[],
      ${leases.map(({ id }) => id)}::uuid[],
      ${leases.map(({ lease_token }) => lease_token)}::uuid[])
      with ordinality as asked (project_id, id, lease_token, n)
    join webhook_deliveries as d
      on d.project_id = asked.project_id and d.id = asked.id and d.lease_token = asked.lease_token
    join webhook_endpoints as e on e.project_id = d.project_id and e.id = d.endpoint_id
    for no key update of e, d skip locked`.execute(tx)
  const pairs: (DeliveryAndEndpoint | null)[] = leases.map(() => null)
  for (const { n, ...row } of rows) pairs[n - 1] = pairOf(row)
  return pairs
}

/** A row of the attempt log; the delivery determines its number. */
export type NewAttempt = Omit<
  Selectable<WebhookAttemptsTable>,
  'project_id' | 'delivery_id' | 'number'
>

/** The changes that one attempt causes. */
export interface RecordedOutcome {
  leased: Leased
  pair: DeliveryAndEndpoint
  now: Date
  /** The row for the log; null if no request was attempted. */
  attempt: NewAttempt | null
}

/**
 * Writes the changes of attempts, releases their leases and adds the attempts to the log, in one
 * round trip. If several attempts belong to one endpoint, the last determines its state. A manual
 * attempt may change nothing; then its delivery keeps its end time.
 */
export async function writeOutcomes(
  tx: Transaction,
  records: readonly RecordedOutcome[],
): Promise<void> {
  const endpoints = records.map(({ leased, pair }) => ({
    project_id: leased.project_id,
    id: leased.endpoint_id,
    ...pair.endpoint,
  }))
  const lastOfEach = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  await sql`
    with delivery as (
      update webhook_deliveries as d
      set state = new.state, stage = case when new.state = 'pending' then 'waiting' end,
        attempt = new.attempt, next_attempt_at = new.next_attempt_at, error = new.error,
        response_status = new.response_status, lease_token = null, lease_until = null,
        finished_at = case when new.state = 'pending' then null
          when new.state = d.state then d.finished_at else new.ended_at end,
        attempts_made = d.attempts_made + case when new.made then 1 else 0 end
      from json_to_recordset(${JSON.stringify(records.map(deliveryOf))}::json) as new
        (project_id uuid, id uuid, state text, attempt integer, next_attempt_at timestamptz,
        response_status integer, error text, ended_at timestamptz, made boolean)
      where d.project_id = new.project_id and d.id = new.id
      returning d.project_id, d.id, d.attempts_made
    ), attempt as (
      insert into webhook_attempts (project_id, delivery_id, number, manual, started_at,
        duration_ms, response_status, error, response_text, body_sha256)
      select delivery.project_id, delivery.id, delivery.attempts_made, made.manual,
        made.started_at, made.duration_ms, made.response_status, made.error, made.response_text,
        decode(made.body_sha256, 'hex')
      from json_to_recordset(${JSON.stringify(records.flatMap(attemptOf))}::json) as made
        (delivery_id uuid, manual boolean, started_at timestamptz, duration_ms integer,
        response_status integer, error text, response_text text, body_sha256 text)
      join delivery on delivery.id = made.delivery_id
    )
    update webhook_endpoints as e
    set active = new.active, consecutive_failures = new.consecutive_failures,
      last_success_at = new.last_success_at, last_failure_at = new.last_failure_at,
      disabled_at = new.disabled_at, disabled_reason = new.disabled_reason,
      warned_failures = new.warned_failures
    from json_to_recordset(${JSON.stringify([...lastOfEach.values()])}::json) as new
      (project_id uuid, id uuid, active boolean, consecutive_failures integer,
      last_success_at timestamptz, last_failure_at timestamptz, disabled_at timestamptz,
      disabled_reason text, warned_failures integer)
    where e.project_id = new.project_id and e.id = new.id
  `.execute(tx)
}

function deliveryOf({ leased: { project_id, id }, pair, now, attempt }: RecordedOutcome) {
  return { project_id, id, ...pair.delivery, ended_at: now, made: attempt !== null }
}

function attemptOf({ leased, attempt }: RecordedOutcome) {
  if (attempt === null) return []
  const body_sha256 = attempt.body_sha256?.toString('hex') ?? null
  return [{ delivery_id: leased.id, ...attempt, body_sha256 }]
}
