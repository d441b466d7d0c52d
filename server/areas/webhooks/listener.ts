/**
 * A listener, for developers whose machine has no public address. It polls for new events of a
 * project and sends each to a local address, built and signed like a delivery, but without an
 * endpoint: it writes nothing, has no streak, and makes one attempt per event.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { eventTypeNames, type EventType } from '../../contract/event-types.ts'
import type { EventSource } from '../../contract/events.ts'
import { isDatabaseUnavailable } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { attempt } from './attempt/deliver.ts'
import * as store from './listener-store.ts'
import type { ClaimedDelivery } from './queue/store.ts'
import { SECRET_PURPOSE } from './attempt/sign.ts'

const POLL_MS = 300
const AT_ONCE_MAX = 10
/**
 * The maximum duration of a transaction. Ids are assigned before the commit, so each poll reads
 * this far behind the latest id to find events committed out of order.
 */
const LATE_MS_MAX = 30_000
const ID_START = 'evt_'
const ID_TIME_DIGITS = 12

export interface ListenerOptions {
  project_id: string
  url: string
  secret: string
  types: readonly EventType[]
  sources: readonly EventSource[]
  /** Stops the listener; running attempts are not awaited. */
  until: AbortSignal
  /** Called once all later events will be found. */
  begun(): void
  heard(sent: SentEvent): void
  /** Called when the database becomes unavailable and when it is available again. */
  away(is_away: boolean): void
}

export interface SentEvent {
  sent_at: Date
  event_id: string
  type: string
  /** Null if there was no response or no request. */
  response_status: number | null
  /** Why the attempt failed or nothing was sent; null after a success. */
  error: string | null
  duration_ms: number
}

/**
 * The event types that a listener may subscribe to. Excludes tests, which are sent only to the
 * tested endpoint.
 */
export const listenedTypes: readonly EventType[] = eventTypeNames.filter(
  (type) => type !== 'webhook.test',
)

/**
 * Returns the signing secret, which is derived from the project, so that it stays the same at every
 * start.
 */
export function deriveListenerSecret(runtime: Runtime, project_id: string): string {
  return `whsec_${runtime.seal.mac(project_id, 'webhook-listener').toString('base64')}`
}

/** Sends new events until the signal aborts. */
export async function listen(runtime: Runtime, options: ListenerOptions): Promise<void> {
  const listener = new Listener(runtime, options)
  await listener.begin()
  options.begun()
  let is_away = false
  while (!options.until.aborted) {
    const could = await listener.look()
    if (could === is_away) options.away((is_away = !could))
    await listener.rest()
  }
}

class Listener {
  private readonly runtime: Runtime
  private readonly options: ListenerOptions
  private readonly sources: ReadonlyMap<string, EventSource>
  private readonly endpoint_id: string
  private readonly sealed_secret: Buffer
  private readonly seen = new Set<string>()
  private readonly calls = new Set<string>()
  /**
   * The promise of the last attempt by subject. The next attempt waits for it, so that the events
   * of a subject are sent in order.
   */
  private readonly inProgress = new Map<string, Promise<void>>()
  private running = 0
  /** Whether the last poll returned as many events as it asked for. */
  private more = false
  /** The error of an attempt, which `listen` throws. */
  private fault: unknown = null
  private latest = ID_START

  constructor(runtime: Runtime, options: ListenerOptions) {
    this.runtime = runtime
    this.options = options
    this.sources = new Map(options.sources.map((source) => [source.type, source]))
    this.endpoint_id = newId(runtime.clock)
    this.sealed_secret = runtime.seal.seal(options.secret, SECRET_PURPOSE)
  }

  /** Marks existing events as seen; they are not sent. */
  async begin(): Promise<void> {
    const { project_id } = this.options
    const { db } = this.runtime
    this.latest = (await store.findLatestId(db, project_id)) ?? ID_START
    for (const id of await store.listIdsAfter(db, project_id, this.windowStart())) {
      this.seen.add(id)
    }
  }

  /**
   * Starts attempts of new events, up to the free slots. Returns false while the database is
   * unavailable.
   */
  async look(): Promise<boolean> {
    if (this.fault !== null) throw this.fault
    const count = AT_ONCE_MAX - this.running
    if (count <= 0) return true
    try {
      const { project_id, types } = this.options
      const query = { project_id, types, after: this.windowStart(), seen: [...this.seen], count }
      const events = await store.listNewEvents(this.runtime.db, query)
      this.more = events.length === count
      for (const event of events) this.take(event)
      return true
    } catch (error) {
      this.more = false
      if (isDatabaseUnavailable(error)) return false
      throw error
    }
  }

  /** Waits for the poll interval, or for a free slot if more events are waiting. */
  async rest(): Promise<void> {
    if (this.more && this.running < AT_ONCE_MAX) return
    const pause = delay(POLL_MS, undefined, { signal: this.options.until }).catch(() => {})
    await Promise.race([pause, ...(this.more ? this.inProgress.values() : [])])
  }

  private take(event: store.HappenedEvent): void {
    if (event.id > this.latest) this.latest = event.id
    this.seen.add(event.id)
    const start = this.windowStart()
    for (const id of this.seen) if (id < start) this.seen.delete(id)
    if (this.isRepeated(event)) return
    const key = JSON.stringify(Object.entries(event.subject).toSorted())
    this.running += 1
    const sending = (this.inProgress.get(key) ?? Promise.resolve())
      .then(() => this.send(event))
      .catch((error: unknown) => void (this.fault = error))
      .finally(() => {
        this.running -= 1
        if (this.inProgress.get(key) === sending) this.inProgress.delete(key)
      })
    this.inProgress.set(key, sending)
  }

  /** A call event is sent once, even if it was emitted twice. */
  private isRepeated({ type, subject }: store.HappenedEvent): boolean {
    if (subject['call_id'] === undefined) return false
    const key = `${type} ${subject['call_id']}`
    if (this.calls.has(key)) return true
    this.calls.add(key)
    return false
  }

  private async send(event: store.HappenedEvent): Promise<void> {
    const { until, heard } = this.options
    if (until.aborted) return
    const watch_ms = performance.now()
    const source = this.sources.get(event.type)
    const result = await attempt(this.runtime, this.claimed(event), source).catch((error) => {
      if (isDatabaseUnavailable(error)) return null
      throw error
    })
    if (until.aborted) return
    const outcome = result?.outcome ?? { kind: 'dropped', error: 'database_away' }
    heard({
      sent_at: this.runtime.clock.now(),
      event_id: event.id,
      type: event.type,
      response_status: outcome.kind === 'dropped' ? null : outcome.response_status,
      error: outcome.kind === 'delivered' ? null : outcome.error,
      duration_ms: Math.round(performance.now() - watch_ms),
    })
  }

  private claimed({ id, type, subject, created_at }: store.HappenedEvent): ClaimedDelivery {
    const { project_id, url } = this.options
    return {
      project_id,
      id: newId(this.runtime.clock),
      endpoint_id: this.endpoint_id,
      lease_token: randomUUID(),
      event_id: id,
      type,
      subject,
      created_at,
      url,
      active: true,
      sealed_secret: this.sealed_secret,
      previous_sealed_secret: null,
      previous_secret_until: null,
    }
  }

  /** Returns the smallest id that an event may still get when it becomes visible late. */
  private windowStart(): string {
    const digits = this.latest.slice(ID_START.length, ID_START.length + ID_TIME_DIGITS)
    const start_ms = Math.max(0, parseInt(digits || '0', 16) - LATE_MS_MAX)
    assert(Number.isSafeInteger(start_ms))
    return ID_START + start_ms.toString(16).padStart(ID_TIME_DIGITS, '0')
  }
}
