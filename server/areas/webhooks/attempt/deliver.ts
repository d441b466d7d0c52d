/**
 * One attempt: builds the payload from the current rows, signs it with every valid secret of the
 * endpoint, and sends it. The result is an AttemptOutcome, which record.ts records.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Dropped, type EventSource } from '../../../contract/events.ts'
import { limits } from '../../../contract/limits.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { isDatabaseUnavailable } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createKeyedQueue } from '../../../kernel/limits/keyed-queue.ts'
import { CRASHES_MAX } from '../../../kernel/jobs/jobs.ts'
import { OutboundError } from '../../../kernel/outbound/outbound.ts'
import { runAsTask } from '../../../kernel/process/unexpected-errors.ts'
import type { DeliveryState, EndedAttempt, AttemptOutcome } from '../outcome/outcome.ts'
import { createLease } from '../queue/claim.ts'
import { beginAttempt, type ClaimedDelivery } from '../queue/store.ts'
import { recordAttempt } from '../outcome/record.ts'
import { openSecrets } from './secrets.ts'
import { signPayload, createStandardHeaders } from './sign.ts'

const BYTES_MAX = limits.webhook_answer_bytes_max
const PICTURES_START = 0x24_00
const DELETE = 0x7f
const PICTURE_OF_DELETE = '\u2421'
const UNKNOWN = '\uFFFD'

// Control characters except tab and line feed, and characters of the categories format, private
// use, unassigned and surrogate.
const unsafe = /[^\P{C}\t\n]|[\u2028\u2029]/gu

/**
 * Decodes the first bytes of a response as UTF-8, without a character that is cut off, to a text that
 * is safe to store and show: control, bidirectional and invisible characters become visible symbols.
 */
export function toSafeText(answer: Uint8Array): string {
  const kept = answer.subarray(0, BYTES_MAX)
  const cut = answer.length >= BYTES_MAX
  const text = new TextDecoder().decode(kept, { stream: cut })
  return text.replaceAll('\r\n', '\n').replaceAll(unsafe, picture)
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(PICTURES_START + code)
  return code === DELETE ? PICTURE_OF_DELETE : UNKNOWN
}

/**
 * Pauses between retries of a database call while the database is unavailable. After the last one,
 * the delivery is attempted again when its lease ends, half a minute later, so its receiver may get
 * it twice. The pauses together are much shorter than a lease.
 */
const PAUSES_MS = [50, 200, 500, 1000, 2000]

const inProgressIds = new Set<string>()
const inProgressByHost = new Map<string, number>()
const unrecordedIds = new Set<string>()

/** Ids of deliveries whose attempt in this process ended, but could not be recorded. */
export const unrecordedDeliveries: ReadonlySet<string> = unrecordedIds

/** Deliveries with crashes are attempted one at a time, so that a crash identifies its cause. */
const suspects = createKeyedQueue()

/**
 * Ids of the deliveries that this process is attempting. They prevent a second request if the clock
 * is moved past the end of a lease; across processes the lease does.
 */
export const deliveriesInProgress: ReadonlySet<string> = inProgressIds

/** Hosts at which this process makes at least `count` attempts, in every way that a URL may write them. */
export function listBusyHosts(count: number): string[] {
  return [...inProgressByHost].flatMap(([host, attempts]) => {
    if (attempts < count) return []
    return /:\d+$/.test(host) ? [host] : [host, `${host}:443`, `${host}:80`]
  })
}

function countAtHost(url: string, more: 1 | -1): void {
  const host = URL.parse(url)?.host ?? ''
  const attempts = (inProgressByHost.get(host) ?? 0) + more
  if (attempts > 0) inProgressByHost.set(host, attempts)
  else inProgressByHost.delete(host)
}

export interface Delivered {
  outcome: AttemptOutcome
  /** Null if the endpoint was deleted or the lease was lost before the result was recorded. */
  delivery: DeliveryState | null
}

/** Attempts a leased delivery and records the result. */
export async function attemptAndRecord(
  runtime: Runtime,
  claimed: ClaimedDelivery,
  source: EventSource | undefined,
): Promise<Delivered> {
  const { id, crashes = 0 } = claimed
  inProgressIds.add(id)
  countAtHost(claimed.url, 1)
  unrecordedIds.delete(id)
  const run = () => attemptAsTask(runtime, claimed, source)
  try {
    if (crashes >= CRASHES_MAX) return await setAside(runtime, claimed)
    return crashes > 0
      ? await suspects.run('all', () => deliverAlone(runtime, claimed, run))
      : await recorded(runtime, claimed, await run())
  } catch (error) {
    unrecordedIds.add(id)
    throw error
  } finally {
    inProgressIds.delete(id)
    countAtHost(claimed.url, -1)
  }
}

function nameOf({ id, project_id, type }: ClaimedDelivery): Record<string, unknown> {
  return { delivery_id: id, project_id, type }
}

/** An unhandled error in a callback fails this attempt as a fault of the service. */
async function attemptAsTask(
  runtime: Runtime,
  claimed: ClaimedDelivery,
  source: EventSource | undefined,
): Promise<EndedAttempt> {
  try {
    return await runAsTask(nameOf(claimed), () => attempt(runtime, claimed, source))
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    runtime.log.error(
      { ...nameOf(claimed), err: error },
      'an attempt failed with an unexpected error',
    )
    return ownFailure(runtime, ownFault('delivery_failed'))
  }
}

function ownFailure({ clock }: Runtime, outcome: AttemptOutcome): EndedAttempt {
  const now = clock.now()
  const trace = { started_at: now, duration_ms: 0, response_text: null, body_sha256: null }
  return { outcome, ended_at: now, trace }
}

async function deliverAlone(
  runtime: Runtime,
  claimed: ClaimedDelivery,
  run: () => Promise<EndedAttempt>,
): Promise<Delivered> {
  const { lease_until } = createLease(runtime.clock.now())
  const begun = await runtime.db.transact((tx) => beginAttempt(tx, claimed, lease_until))
  if (begun) return recorded(runtime, claimed, await run())
  return { outcome: ownFault('delivery_failed'), delivery: null }
}

/** Fails a delivery that probably crashes processes. It can still be redelivered on request. */
function setAside(runtime: Runtime, claimed: ClaimedDelivery): Promise<Delivered> {
  runtime.log.error(
    { ...nameOf(claimed), crashes: claimed.crashes },
    'a delivery was quarantined because processes crashed during its attempts',
  )
  const outcome: AttemptOutcome = { ...ownFault('delivery_failed'), final: true }
  return recorded(runtime, claimed, ownFailure(runtime, outcome))
}

async function recorded(
  runtime: Runtime,
  claimed: ClaimedDelivery,
  ended: EndedAttempt,
): Promise<Delivered> {
  const { outcome } = ended
  runtime.metrics.deliveries.inc({ outcome: labelOf(outcome) })
  return { outcome, delivery: await persistently(() => recordAttempt(runtime, claimed, ended)) }
}

function labelOf(outcome: AttemptOutcome): string {
  if (outcome.kind === 'delivered') return 'delivered'
  return outcome.kind === 'failed' && outcome.final ? 'set_aside' : outcome.error
}

/**
 * Makes the attempt up to the response. Its end is the start plus the measured duration, so that
 * moving the clock meanwhile does not move the retry.
 */
export async function attempt(
  runtime: Runtime,
  claimed: ClaimedDelivery,
  source: EventSource | undefined,
): Promise<EndedAttempt> {
  const started_at = runtime.clock.now()
  const watch_ms = performance.now()
  const { outcome, raw_body = null, answer = null } = await exchange(runtime, claimed, source)
  const duration_ms = Math.round(performance.now() - watch_ms)
  const ended_at = new Date(started_at.getTime() + duration_ms)
  // A requested attempt is logged even if its subject is deleted and nothing was sent.
  if (outcome.kind === 'dropped' && !claimed.manual) return { outcome, ended_at }
  const response_text = answer === null ? null : toSafeText(answer)
  const body_sha256 = raw_body === null ? null : sha256(raw_body)
  return { outcome, ended_at, trace: { started_at, duration_ms, response_text, body_sha256 } }
}

/** The outcome of a request, with its body and response if there are any. */
interface Exchange {
  outcome: AttemptOutcome
  raw_body?: string
  answer?: Uint8Array
}

async function exchange(
  runtime: Runtime,
  claimed: ClaimedDelivery,
  source: EventSource | undefined,
): Promise<Exchange> {
  if (!claimed.active && !claimed.manual) {
    return { outcome: { kind: 'dropped', error: 'endpoint_disabled' } }
  }
  const secrets = openSecrets(runtime, claimed)
  if (secrets === null) return { outcome: ownFault('secret_unreadable') }
  const data = await loadData(runtime, claimed, source)
  if (data instanceof Dropped) return { outcome: { kind: 'dropped', error: data.reason } }
  if (data === null) return { outcome: ownFault('delivery_failed') }
  const raw_body = envelope(claimed, data.value)
  return { raw_body, ...(await send(runtime, { claimed, secrets, raw_body })) }
}

function ownFault(error: 'secret_unreadable' | 'delivery_failed') {
  return { kind: 'failed' as const, error, response_status: null, fault: 'service' as const }
}

/** Returns the current data of the event; null if this service cannot build it. */
async function loadData(
  runtime: Runtime,
  { project_id, type, subject, event_id }: ClaimedDelivery,
  source: EventSource | undefined,
): Promise<{ value: unknown } | Dropped | null> {
  if (source === undefined) {
    runtime.log.error({ event_id, type }, 'an event has no source')
    return null
  }
  try {
    const value = await persistently(() => source.load(runtime.db, project_id, subject))
    return value instanceof Dropped ? value : { value }
  } catch (error) {
    // Without the database, the result could not be recorded either.
    if (isDatabaseUnavailable(error)) throw error
    runtime.log.error({ err: error, event_id, type }, 'the payload of an event cannot be built')
    return null
  }
}

async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  for (const pause_ms of PAUSES_MS) {
    try {
      return await ask()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      await delay(pause_ms)
    }
  }
  return ask()
}

function envelope({ event_id, type, created_at }: ClaimedDelivery, data: unknown): string {
  return JSON.stringify({ id: event_id, type, created_at: created_at.toISOString(), data })
}

interface Message {
  claimed: ClaimedDelivery
  secrets: readonly string[]
  raw_body: string
}

async function send(runtime: Runtime, { claimed, secrets, raw_body }: Message): Promise<Exchange> {
  const t = Math.floor(runtime.clock.now_ms() / 1000)
  try {
    const { status, body: answer } = await runtime.webhook_outbound.request({
      url: claimed.url,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Service-Webhooks/1',
        'Service-Event': claimed.type,
        'Service-Delivery': claimed.id,
        'Service-Signature': signPayload(secrets, t, raw_body),
        ...createStandardHeaders(secrets, { id: claimed.event_id, t, raw_body }),
      },
      body: raw_body,
      deadline_ms: limits.webhook_response_timeout_s * 1000,
      response_bytes_max: limits.webhook_response_bytes_max,
      body_bytes_kept: limits.webhook_answer_bytes_max,
    })
    if (status < 200 || status > 299) return { outcome: failure('non_2xx_status', status), answer }
    return { outcome: { kind: 'delivered', response_status: status }, answer }
  } catch (error) {
    if (error instanceof OutboundError) return { outcome: failure(error.fault, null) }
    runtime.log.error(
      { err: error, delivery_id: claimed.id },
      'a webhook request could not be made',
    )
    return { outcome: ownFault('delivery_failed') }
  }
}

function failure(
  error: OutboundError['fault'] | 'non_2xx_status',
  response_status: number | null,
): AttemptOutcome {
  return { kind: 'failed', error, response_status, fault: 'receiver' }
}
