/**
 * One attempt: the payload is built as things are now, written once, signed with every secret of
 * the endpoint at one time, and sent. What came of it is an Outcome; recording it is record.ts.
 */
import { Dropped, type EventSource } from '../../contract/events.ts'
import { limits } from '../../contract/limits.ts'
import { isDatabaseAway } from '../../kernel/database.ts'
import type { House } from '../../kernel/house.ts'
import { OutboundError } from '../../kernel/outbound.ts'
import type { DeliveryState, Ended, Outcome } from './outcome.ts'
import type { Claimed } from './queue/store.ts'
import { record } from './record.ts'
import { openSecrets } from './secrets.ts'
import { signature, standardHeaders } from './sign.ts'

const idsUnderWay = new Set<string>()

/**
 * The deliveries this process is attempting. Only to spare receivers a request when the clock is
 * moved past the end of a lease; what holds across processes is the lease.
 */
export const underWay: ReadonlySet<string> = idsUnderWay

export interface Delivered {
  outcome: Outcome
  /** Null when the endpoint was deleted, or the lease lost, before this could be recorded. */
  delivery: DeliveryState | null
}

/** Attempts a leased delivery and records what came of it. */
export async function deliver(
  house: House,
  claimed: Claimed,
  source: EventSource | undefined,
): Promise<Delivered> {
  idsUnderWay.add(claimed.id)
  try {
    const ended = await attempt(house, claimed, source)
    const { outcome } = ended
    house.metrics.deliveries.inc({
      outcome: outcome.kind === 'delivered' ? 'delivered' : outcome.error,
    })
    return { outcome, delivery: await record(house, claimed, ended) }
  } finally {
    idsUnderWay.delete(claimed.id)
  }
}

/**
 * Everything up to the answer. It ended when it began plus what it took, so that a clock that is
 * moved meanwhile does not move the retry.
 */
export async function attempt(
  house: House,
  claimed: Claimed,
  source: EventSource | undefined,
): Promise<Ended> {
  const started_ms = house.clock.now_ms()
  const watch_ms = performance.now()
  const outcome = await outcomeOf(house, claimed, source)
  const took_ms = Math.round(performance.now() - watch_ms)
  return { outcome, ended_at: new Date(started_ms + took_ms) }
}

async function outcomeOf(
  house: House,
  claimed: Claimed,
  source: EventSource | undefined,
): Promise<Outcome> {
  if (!claimed.active) return { kind: 'dropped', error: 'endpoint_disabled' }
  const secrets = openSecrets(house, claimed)
  if (secrets === null) return ownFault('secret_unreadable')
  const data = await loadData(house, claimed, source)
  if (data instanceof Dropped) return { kind: 'dropped', error: data.reason }
  if (data === null) return ownFault('delivery_failed')
  return send(house, { claimed, secrets, raw_body: envelope(claimed, data.value) })
}

function ownFault(error: 'secret_unreadable' | 'delivery_failed'): Outcome {
  return { kind: 'failed', error, response_status: null, fault: 'service' }
}

/** The data of the event as it is now; null when this service cannot build it. */
async function loadData(
  house: House,
  { project_id, type, subject, event_id }: Claimed,
  source: EventSource | undefined,
): Promise<{ value: unknown } | Dropped | null> {
  if (source === undefined) {
    house.log.error({ event_id, type }, 'an event has no source')
    return null
  }
  try {
    const value = await source.load(house.db, project_id, subject)
    return value instanceof Dropped ? value : { value }
  } catch (error) {
    // Nothing can be recorded now either: the lease ends and the attempt is made again.
    if (isDatabaseAway(error)) throw error
    house.log.error({ err: error, event_id, type }, 'the payload of an event cannot be built')
    return null
  }
}

function envelope({ event_id, type, created_at }: Claimed, data: unknown): string {
  return JSON.stringify({ id: event_id, type, created_at: created_at.toISOString(), data })
}

interface Message {
  claimed: Claimed
  secrets: readonly string[]
  raw_body: string
}

async function send(house: House, { claimed, secrets, raw_body }: Message): Promise<Outcome> {
  const t = Math.floor(house.clock.now_ms() / 1000)
  try {
    const { status } = await house.outbound.request({
      url: claimed.url,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Service-Webhooks/1',
        'Service-Event': claimed.type,
        'Service-Delivery': claimed.id,
        'Service-Signature': signature(secrets, t, raw_body),
        ...standardHeaders(secrets, { id: claimed.event_id, t, raw_body }),
      },
      body: raw_body,
      deadline_ms: limits.webhook_response_timeout_s * 1000,
    })
    if (status >= 200 && status <= 299) return { kind: 'delivered', response_status: status }
    return failure('non_2xx_status', status)
  } catch (error) {
    if (error instanceof OutboundError) return failure(error.fault, null)
    house.log.error({ err: error, delivery_id: claimed.id }, 'a webhook request could not be made')
    return ownFault('delivery_failed')
  }
}

function failure(
  error: OutboundError['fault'] | 'non_2xx_status',
  response_status: number | null,
): Outcome {
  return { kind: 'failed', error, response_status, fault: 'receiver' }
}
