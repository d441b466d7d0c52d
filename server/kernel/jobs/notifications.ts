/**
 * Wake-ups between processes on one database, by LISTEN and NOTIFY on a dedicated connection.
 * NOTIFY in a business transaction would serialize all commits, so it is sent after the commit, in
 * batches. While the connection is down, wake-ups are lost in both directions: all listeners poll
 * as well, and after a reconnect every listener in every process is woken.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { isDatabaseUnavailable } from '../database/database.ts'
import type { Runtime } from '../runtime.ts'
import { EVERY_TOPIC } from './wakeups.ts'

/** PostgreSQL lets every role notify any channel, also that of an app, so the name is a secret. */
export function channelOf({ seal }: Pick<Runtime, 'seal'>): string {
  return `homeport_${seal.mac('wake-ups', 'wakeup-channel').toString('hex').slice(0, 32)}`
}

/** Minimum time between two NOTIFY statements; topics announced meanwhile share one. */
const GATHER_MS = 20
/** Payloads must be shorter than 8,000 bytes: 100 topics of 70 ASCII characters. */
const TOPICS_PER_NOTIFICATION = 100
/** More pending topics than this are replaced by the topic that wakes every listener. */
const PENDING_MAX = 2_000
const AGAIN_MS_FIRST = 100
const AGAIN_MS_MAX = 10_000
/** Interval of the health check of the connection. */
const CHECK_MS = 15_000
const ANSWER_MS_MAX = 5_000

export interface Notifications {
  /** Resolves when this process receives wake-ups of the others. */
  connected(): Promise<void>
  stop(): Promise<void>
}

type Waking = Pick<Runtime, 'wakeups' | 'log' | 'seal'>

/** Exchanges wake-ups with the other processes until its `stop`. */
export function connectNotifications(
  { wakeups, log, seal }: Waking,
  connection: pg.PoolConfig,
): Notifications {
  const stopping = new AbortController()
  const { signal } = stopping
  const channel = channelOf({ seal })
  const outbox = createOutbox(log, channel)
  const relay = wakeups.relay(outbox.add)
  let connected = Promise.withResolvers<void>()
  let failures = 0

  /** Returns or throws when `over` is aborted or the connection breaks. */
  async function listen(client: pg.Client, over: AbortSignal): Promise<void> {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    client.on('notification', ({ processId, payload = '' }) => {
      if (processId === rows[0]?.pid) return
      for (const topic of payload.split('\n')) relay.receive(topic)
    })
    // A commit need not wait for the disk: wake-ups need no durability.
    await client.query(`set synchronous_commit = off; listen ${channel}`)
    outbox.open(client)
    connected.resolve()
    outbox.add(EVERY_TOPIC)
    relay.receive(EVERY_TOPIC)
    while (!over.aborted) {
      await pause(CHECK_MS, over)
      await client.query('select 1')
      failures = 0
    }
  }

  async function listenAlways(): Promise<void> {
    while (!signal.aborted) {
      const client = new pg.Client({
        ...connection,
        ...clientSettings,
        application_name: `${connection.application_name ?? 'homeport'} wake-ups`,
      })
      try {
        await listen(client, AbortSignal.any([signal, endOf(client)]))
      } catch (error) {
        if (!isDatabaseUnavailable(error) && !signal.aborted)
          log.warn({ err: error }, 'wake-ups of other processes cannot be received')
      }
      if (outbox.close()) connected = Promise.withResolvers()
      // Not awaited, because a hanging connection may take long to close.
      void client.end().catch(() => {})
      await pause(backoff_ms(failures), signal)
      failures += 1
    }
  }

  const listening = listenAlways()
  return {
    connected: () => connected.promise,
    async stop() {
      relay.close()
      stopping.abort()
      await listening
    },
  }
}

/** Doubles with each failure; the random part spreads reconnects of several processes. */
function backoff_ms(failures: number): number {
  const wait_ms = Math.min(AGAIN_MS_MAX, AGAIN_MS_FIRST * 2 ** failures)
  return wait_ms * (0.5 + Math.random() / 2)
}

const clientSettings = {
  keepAlive: true,
  connectionTimeoutMillis: ANSWER_MS_MAX,
  query_timeout: ANSWER_MS_MAX,
}

/** Aborted when the connection ends or breaks. */
function endOf(client: pg.Client): AbortSignal {
  const ended = new AbortController()
  client.once('end', () => ended.abort())
  client.on('error', () => ended.abort())
  return ended.signal
}

async function pause(time_ms: number, signal: AbortSignal): Promise<void> {
  await delay(time_ms, undefined, { signal }).catch(() => {})
}

interface Outbox {
  add(topic: string): void
  open(client: pg.Client): void
  /** Discards pending topics. Returns whether the outbox was open. */
  close(): boolean
}

/**
 * Queue of outgoing topics without duplicates. The first is sent at once, the following in batches.
 */
function createOutbox(log: Runtime['log'], channel: string): Outbox {
  let client: pg.Client | null = null
  /** The connection of the running send loop. */
  let sending: pg.Client | null = null
  const pending = new Set<string>()

  async function sendAll(to: pg.Client): Promise<void> {
    if (sending === to) return
    sending = to
    const isOpen = () => client === to
    try {
      while (pending.size > 0 && isOpen()) {
        const topics = [...pending]
        pending.clear()
        const text = 'select pg_notify($1, payload) from unnest($2::text[]) as payload'
        await to.query(text, [channel, payloadsOf(topics)])
        await delay(GATHER_MS)
      }
    } catch {
      // `listenAlways` handles the broken connection.
    } finally {
      if (sending === to) sending = null
    }
  }

  return {
    add(topic) {
      if (!client || pending.has(EVERY_TOPIC)) return
      if (pending.size >= PENDING_MAX) {
        log.warn({ topics: pending.size }, 'too many wake-ups at once: every listener is woken')
        topic = EVERY_TOPIC
      }
      if (topic === EVERY_TOPIC) pending.clear()
      pending.add(topic)
      void sendAll(client)
    },
    open: (to) => void (client = to),
    close() {
      const was_open = client !== null
      client = null
      pending.clear()
      return was_open
    },
  }
}

function payloadsOf(topics: readonly string[]): string[] {
  const count = Math.ceil(topics.length / TOPICS_PER_NOTIFICATION)
  return Array.from({ length: count }, (_, index) =>
    topics.slice(index * TOPICS_PER_NOTIFICATION, (index + 1) * TOPICS_PER_NOTIFICATION).join('\n'),
  )
}
