/**
 * The rules of webhooks: the endpoints of a project, and `emit`, by which other areas write events.
 * The secret of an endpoint is only in the reply that creates it.
 */
import assert from 'node:assert/strict'
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import {
  isCallEvent,
  isEmailEvent,
  isEventType,
  type EventType,
} from '../../contract/event-types.ts'
import { currentEventCause } from '../../contract/event-cause.ts'
import type { Subject } from '../../contract/events.ts'
import { limits } from '../../contract/limits.ts'
import { readPage, type PageQuery } from '../../contract/schema/pages.ts'
import { afterCommit, type Transaction } from '../../kernel/database/database.ts'
import { announceRecords } from '../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isUuid, newId } from '../../kernel/values/ids.ts'
import { OutboundError } from '../../kernel/outbound/outbound.ts'
import { findSilentSources } from './attempt/sources.ts'
import { attemptAndRecord, type Delivered } from './attempt/deliver.ts'
import { webhookTest } from './events.ts'
import { createLease, DELIVERIES_TOPIC } from './queue/claim.ts'
import type { ClaimedDelivery } from './queue/store.ts'
import type {
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookInput,
  WebhookList,
  WebhookTest,
} from './schema.ts'
import { createWebhookSecret, SECRET_PURPOSE, secretPrefix } from './attempt/sign.ts'
import * as store from './store.ts'

export { findSilentSources, findSource, setEventSources } from './attempt/sources.ts'
export { findDelivery, listDeliveries } from './log/log.ts'
export { startDeliveries } from './queue/runner.ts'
export { redeliver } from './log/redeliver.ts'
export { replay } from './log/replay.ts'
export { requireRoom, requireRoomFor } from './queue/room.ts'
export { createStandardHeaders, verifySignature } from './attempt/sign.ts'
export { listen, listenedTypes, deriveListenerSecret, type SentEvent } from './listener.ts'

export async function list(caller: Caller, query: PageQuery): Promise<WebhookList> {
  const page = await readPage(caller, {
    list: 'webhooks',
    query,
    read: (count, after) =>
      store.listEndpoints(caller.db, { project_id: caller.project.id, count, after }),
  })
  const data = page.data.map((row) => present(row, caller.runtime.clock.now()))
  return { data, next_cursor: page.next_cursor }
}

export async function find(caller: Caller, id: string): Promise<Webhook> {
  const row = await store.findEndpoint(caller.db, caller.project.id, id)
  if (!row) throw unknownEndpoint()
  return presentOne(caller, row)
}

/** An endpoint with what does not send its events. */
async function presentOne(caller: Caller, row: store.EndpointRow): Promise<Webhook> {
  return { ...present(row, caller.runtime.clock.now()), ...(await findSilent(caller, row)) }
}

async function findSilent(
  caller: Caller,
  { events }: Pick<store.EndpointRow, 'events'>,
): Promise<{ warnings?: string[] }> {
  const warnings = await findSilentSources(caller, events)
  return warnings.length > 0 ? { warnings } : {}
}

/**
 * Creates an endpoint: at most ten per project, https to public addresses only. The secret is only
 * in this reply.
 */
export async function create(caller: Caller, input: WebhookInput): Promise<NewWebhook> {
  const { runtime, project } = caller
  const events = readEvents(input.events, input.app_id ?? null)
  await requireUsableUrl(runtime, input.url)
  const secret = createWebhookSecret()
  const row = await caller.db.transact(async (tx) => {
    await store.lockEndpoints(tx, project.id)
    const count = await store.countEndpoints(tx, project.id)
    if (count >= limits.webhook_endpoints_max) {
      throw new Problem('webhook_limit_reached', `This project has ${count} webhook endpoints.`)
    }
    return store.insertEndpoint(tx, {
      project_id: project.id,
      id: newId(runtime.clock),
      url: input.url,
      events,
      app_id: input.app_id ?? null,
      sealed_secret: runtime.seal.seal(secret, SECRET_PURPOSE),
      secret_prefix: secretPrefix(secret),
      created_at: runtime.clock.now(),
    })
  })
  return { ...(await presentOne(caller, row)), secret }
}

/** Changes an endpoint under the rules of its creation. Pending deliveries go to the new URL. */
export async function change(caller: Caller, id: string, input: WebhookChange): Promise<Webhook> {
  const { runtime, db, project } = caller
  const before = await store.findEndpoint(db, project.id, id)
  if (!before) throw unknownEndpoint()
  const { url, events } = input
  const changes = {
    ...(events === undefined ? {} : { events: readEvents(events, before.app_id) }),
    ...(url === undefined ? {} : { url }),
  }
  if (url !== undefined) await requireUsableUrl(runtime, url)
  const row = await db.transact((tx) =>
    store.changeEndpoint(tx, { project_id: project.id, id, ...changes }),
  )
  if (!row) throw unknownEndpoint()
  return presentOne(caller, row)
}

/**
 * Creates a new secret, which is only in this reply. The previous secret also signs for a day; an
 * older one is deleted at once.
 */
export async function rotateSecret(caller: Caller, id: string): Promise<NewWebhook> {
  const { runtime, db, project } = caller
  const secret = createWebhookSecret()
  const now = runtime.clock.now()
  const row = await db.transact((tx) =>
    store.replaceSecret(tx, {
      project_id: project.id,
      id,
      sealed_secret: runtime.seal.seal(secret, SECRET_PURPOSE),
      secret_prefix: secretPrefix(secret),
      previous_secret_until: new Date(now.getTime() + limits.webhook_secret_overlap_s * 1000),
    }),
  )
  if (!row) throw unknownEndpoint()
  return { ...present(row, now), secret }
}

/** The requested event types without duplicates, in their order. */
function readEvents(events: readonly string[], app_id: string | null): EventType[] {
  const known = events.filter(isEventType)
  const unknown = events.find((word) => !isEventType(word))
  if (unknown !== undefined) {
    throw unusable(`${quote(unknown)} in events is not an event type.`)
  }
  if (known.length === 0) throw unusable('events must name at least one event type.')
  const foreign = app_id === null ? undefined : known.find((type) => !isEmailEvent(type))
  if (foreign !== undefined) {
    throw unusable(`An endpoint with app_id takes email events only, and ${foreign} is not one.`)
  }
  return [...new Set(known)]
}

const QUOTED_CHARACTERS_MAX = 60

function quote(word: string): string {
  return JSON.stringify(word.slice(0, QUOTED_CHARACTERS_MAX))
}

async function requireUsableUrl(runtime: Runtime, url: string): Promise<void> {
  try {
    await runtime.webhook_outbound.check(url)
  } catch (error) {
    throw error instanceof OutboundError ? unusable(error.message) : error
  }
}

function unusable(detail: string): Problem {
  return new Problem('invalid_webhook_endpoint', detail)
}

function unknownEndpoint(): Problem {
  return new Problem('not_found', 'There is no webhook endpoint with this id.')
}

export async function remove(caller: Caller, id: string): Promise<void> {
  const removed = await caller.db.transact((tx) => store.removeEndpoint(tx, caller.project.id, id))
  if (!removed) throw unknownEndpoint()
}

/** Deactivates every endpoint of a deleted project and drops the pending deliveries. */
export const suspendAll = store.suspendEndpoints

/** Activates the endpoints of a restored project that were active before. */
export const resumeAll = store.resumeEndpoints

/** Enables an endpoint. Events of the disabled period are not sent. */
export async function enable(caller: Caller, id: string): Promise<Webhook> {
  const project_id = caller.project.id
  const now = caller.runtime.clock.now()
  const row = await caller.db.transact(async (tx) => {
    const endpoint = await store.lockEndpoint(tx, project_id, id)
    if (!endpoint) throw unknownEndpoint()
    // An event written while the endpoint was being disabled may have left a pending delivery.
    if (!endpoint.active) await store.dropPending(tx, { project_id, endpoint_id: id, now })
    return store.switchOn(tx, project_id, id)
  })
  return presentOne(caller, row)
}

/** Sends webhook.test at once; a failed first attempt is retried on schedule. */
export async function test(caller: Caller, id: string): Promise<WebhookTest> {
  const claimed = await openTest(caller, id)
  const shown = presentTest(claimed, await attemptAndRecord(caller.runtime, claimed, webhookTest))
  const row = await store.findEndpoint(caller.db, caller.project.id, id)
  return { ...shown, ...(row && (await findSilent(caller, row))) }
}

/** Writes the event and a delivery that is leased to this request. */
async function openTest({ runtime, db, project }: Caller, id: string): Promise<ClaimedDelivery> {
  const now = runtime.clock.now()
  const lease = createLease(now)
  return db.transact(async (tx) => {
    // Locked, so that it is not deleted before its delivery is inserted.
    const endpoint = await store.lockEndpoint(tx, project.id, id)
    if (!endpoint) throw unknownEndpoint()
    if (!endpoint.active) {
      throw new Problem('webhook_endpoint_disabled', 'This webhook endpoint is switched off.')
    }
    const subject = { endpoint_id: endpoint.id }
    const event = newEvent(runtime, { project_id: project.id, type: 'webhook.test', subject }, now)
    const delivery = { id: newId(runtime.clock), endpoint_id: endpoint.id }
    await store.insertLeased(tx, { event, delivery, lease })
    return {
      ...delivery,
      project_id: project.id,
      event_id: event.id,
      lease_token: lease.lease_token,
      type: event.type,
      subject,
      created_at: now,
      url: endpoint.url,
      active: endpoint.active,
      sealed_secret: endpoint.sealed_secret,
      previous_sealed_secret: endpoint.previous_sealed_secret,
      previous_secret_until: endpoint.previous_secret_until,
    }
  })
}

export interface Occurrence {
  project_id: string
  type: Exclude<EventType, 'webhook.test'>
  /** Ids only: the payload is built at delivery. Call events need a call_id. */
  subject: Subject
  /** The app of an email event. */
  app_id?: string | null
}

/** Writes an event in the transaction that causes it. */
export async function emit(
  tx: Transaction,
  runtime: Runtime,
  occurrence: Occurrence,
): Promise<void> {
  const event = newEvent(runtime, occurrence, runtime.clock.now())
  const ids = Array.from({ length: limits.webhook_endpoints_max }, () => newId(runtime.clock))
  await announceEvent(tx, runtime, event, await store.insertEvent(tx, event, ids))
}

/** Writes many events of one type. Returns the number of their deliveries. */
export async function emitAll(
  tx: Transaction,
  runtime: Runtime,
  { subjects, ...occurrence }: Omit<Occurrence, 'subject'> & { subjects: readonly Subject[] },
): Promise<number> {
  if (subjects.length === 0) return 0
  const now = runtime.clock.now()
  const events = subjects.map((subject) => newEvent(runtime, { ...occurrence, subject }, now))
  const written = await store.insertEvents(tx, events)
  if (events[0]) await announceEvent(tx, runtime, events[0], written)
  return written.deliveries
}

/** Enqueues the work that starts queued runs of agents, in the transaction of the event. */
export type RunStarter = (tx: Transaction, runtime: Runtime, project_id: string) => Promise<void>

const runStarters = new WeakMap<Runtime['wakeups'], RunStarter>()

/** Registers the function of the agents area, which webhooks cannot import. */
export function setRunStarter({ wakeups }: Runtime, start: RunStarter): void {
  runStarters.set(wakeups, start)
}

/** Wakes the delivery workers, and readers of the records that the event is about. */
// oxlint-disable-next-line max-params -- in which transaction, where, what, and how much was written
async function announceEvent(
  tx: Transaction,
  runtime: Runtime,
  { project_id, type }: Pick<store.NewEvent, 'project_id' | 'type'>,
  { deliveries, runs }: store.Written,
): Promise<void> {
  if (runs > 0) await runStarters.get(runtime.wakeups)?.(tx, runtime, project_id)
  afterCommit(tx, () => {
    if (isCallEvent(type)) announceRecords(runtime, project_id, 'calls')
    if (deliveries === 0) return
    announceRecords(runtime, project_id, 'deliveries')
    runtime.wakeups.announce(DELIVERIES_TOPIC)
  })
}

function newEvent(
  runtime: Runtime,
  { project_id, type, subject, app_id = null }: Omit<Occurrence, 'type'> & { type: EventType },
  now: Date,
): store.NewEvent {
  const call_id = isCallEvent(type) ? (subject['call_id'] ?? '') : null
  assert(call_id === null || isUuid(call_id), `${type} needs the id of its call.`)
  return {
    project_id,
    // Like every id it grows with time; without hyphens it has the specified 32 characters.
    id: `evt_${newId(runtime.clock).replaceAll('-', '')}`,
    type,
    subject,
    subject_key: JSON.stringify(Object.entries(subject).toSorted()),
    call_id,
    app_id,
    created_at: now,
    cause: currentEventCause(),
  }
}

function present(row: store.EndpointRow, now: Date): Webhook {
  const { active, consecutive_failures: failures, previous_secret_until: until } = row
  const endangered = active && failures >= limits.webhook_warning_failures[0]
  const disabled_at_failures = limits.webhook_failures_in_a_row_max
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    app_id: row.app_id,
    active: row.active,
    secret_prefix: row.secret_prefix,
    created_at: row.created_at.toISOString(),
    last_success_at: row.last_success_at?.toISOString() ?? null,
    last_failure_at: row.last_failure_at?.toISOString() ?? null,
    consecutive_failures: row.consecutive_failures,
    warning: endangered ? { failures, disabled_at_failures } : null,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    disabled_reason: row.disabled_reason,
    previous_secret_until: until !== null && until > now ? until.toISOString() : null,
  }
}

/** A test whose endpoint was disabled meanwhile gets no retry, so its status is failed. */
function presentTest(
  { id, event_id }: ClaimedDelivery,
  { outcome, delivery }: Delivered,
): WebhookTest {
  const delivered = outcome.kind === 'delivered'
  const repeated = delivery?.state === 'pending'
  return {
    delivery_id: id,
    event_id,
    status: delivered ? 'delivered' : repeated ? 'pending' : 'failed',
    response_status: outcome.kind === 'dropped' ? null : outcome.response_status,
    error: delivered ? null : outcome.error,
  }
}
