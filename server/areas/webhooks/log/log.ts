/**
 * The delivery log: deliveries to an endpoint and the results of their attempts. It is kept for 30
 * days, for finding a missing event.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { readPage } from '../../../contract/schema/pages.ts'
import type {
  Attempt,
  Delivery,
  DeliveryDetail,
  DeliveryList,
  DeliveryOfWebhook,
  DeliveryQuery,
} from './delivery-schema.ts'
import * as store from './log-store.ts'
import { findEndpoint } from '../store.ts'

/** Deliveries to an endpoint, newest event first. */
export async function listDeliveries(
  caller: Caller,
  id: string,
  query: DeliveryQuery,
): Promise<DeliveryList> {
  const endpoint = await findEndpoint(caller.db, caller.project.id, id)
  if (!endpoint) throw new Problem('not_found', 'There is no webhook endpoint with this id.')
  const { status, type } = query
  const wanted = { project_id: caller.project.id, endpoint_id: endpoint.id, state: status, type }
  const page = await readPage(caller, {
    list: `deliveries of ${endpoint.id}`,
    query,
    async read(count, after) {
      const rows = await store.listDeliveries(caller.db, { ...wanted, count, after })
      return rows.map((row) => ({ id: row.event_id, row }))
    },
  })
  return { data: page.data.map(({ row }) => present(row)), next_cursor: page.next_cursor }
}

export function findDelivery(
  caller: Caller,
  { id, delivery_id }: DeliveryOfWebhook,
): Promise<DeliveryDetail> {
  return showDelivery(caller, delivery_id, id)
}

/** Returns a delivery with its attempts, of a given endpoint or of any. */
export async function showDelivery(
  { db, project }: Caller,
  id: string,
  endpoint_id?: string,
): Promise<DeliveryDetail> {
  const row = await store.findDelivery(db, project.id, id)
  const elsewhere = endpoint_id !== undefined && row?.endpoint_id !== endpoint_id.toLowerCase()
  if (!row || elsewhere) throw createUnknownDeliveryProblem()
  const attempts = await store.listAttempts(db, project.id, row.id)
  return { ...present(row), attempts: attempts.map(presentAttempt) }
}

export function createUnknownDeliveryProblem(): Problem {
  return new Problem(
    'not_found',
    'There is no delivery with this id, or it has been deleted after its retention time.',
  )
}

function present(row: store.DeliveryRow): Delivery {
  return {
    id: row.id,
    endpoint_id: row.endpoint_id,
    event_id: row.event_id,
    type: row.type,
    created_at: row.created_at.toISOString(),
    status: row.state,
    attempt_count: row.attempts_made,
    response_status: row.response_status,
    error: row.error,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

function presentAttempt(row: store.AttemptRow): Attempt {
  return {
    number: row.number,
    manual: row.manual,
    started_at: row.started_at.toISOString(),
    duration_ms: row.duration_ms,
    response_status: row.response_status,
    error: row.error,
    response_text: row.response_text,
    body_sha256: row.body_sha256?.toString('hex') ?? null,
  }
}
