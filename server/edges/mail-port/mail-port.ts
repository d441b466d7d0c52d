/**
 * The SMTP port of the server, to which bounces, spam reports and replies come. Everyone can connect, so
 * connections, sizes, times and guesses of addresses are limited, and only mailboxes of the area email are known.
 */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import {
  bytesNeeded,
  findMailbox,
  receiveMail,
  type Mailbox,
  type Reception,
} from '../../areas/email/service.ts'
import { limits } from '../../contract/limits.ts'
import { ConfigError } from '../../kernel/config/config.ts'
import { createSlidingWindow } from '../../kernel/limits/sliding-window.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { findNetwork } from '../http/visitor-address.ts'

const CONNECTIONS_MAX = 100
const CONNECTIONS_PER_NETWORK_MAX = 10
/** Unknown mailboxes that one network may name in an hour. */
const GUESSES_MAX = 100
/** Messages of one network in an hour. All bounces of a smarthost come from one. */
const MESSAGES_MAX = 1_000
/** Messages that are received concurrently, because each is held in memory. */
const AT_ONCE_MAX = 4
const AT_ONCE_PER_NETWORK_MAX = 2
const HOUR_MS = 3_600_000
const CONNECTION_MS_MAX = 600_000
const STOP_MS = 5_000

/** How long a client may take, also if it sends a byte now and then. */
export interface Waits {
  /** From the connection or a reply to the next recipient, message or end. */
  command_ms: number
  /** From the command DATA to the end of the message. */
  message_ms: number
}

const standardWaits: Waits = { command_ms: 60_000, message_ms: 180_000 }

export interface MailPort {
  port: number
  stop(): Promise<void>
}

/** Returns null if no port is configured. Throws a ConfigError if it cannot be used. */
export async function openMailPort(
  runtime: Runtime,
  waits = standardWaits,
): Promise<MailPort | null> {
  const { listen } = runtime.config.email
  if (listen === null) return null
  const { SMTPServer } = await import('smtp-server')
  const deadlines = createDeadlines(waits, (session) => {
    for (const connection of server.connections)
      if (connection.session === session) connection._socket.destroy()
  })
  const handlers = createHandlers(runtime, deadlines)
  const server = new SMTPServer({ ...optionsOf(runtime, waits), ...handlers })
  server.server.on('connection', (socket: Socket) => {
    const end = setTimeout(() => socket.destroy(), CONNECTION_MS_MAX).unref()
    socket.once('close', () => clearTimeout(end))
  })
  // Clients that break off cause errors, which concern nobody else.
  server.on('error', (error) => runtime.log.debug({ err: error }, 'a mail connection failed'))
  const listening = server.listen(listen.port, listen.host)
  await once(listening, 'listening').catch((error: unknown) => {
    const text = `HOMEPORT_EMAIL_LISTEN: this server cannot listen on port ${listen.port}: ${String(error)}`
    throw new ConfigError(text)
  })
  const address = listening.address()
  return {
    port: typeof address === 'object' && address ? address.port : listen.port,
    stop: () => new Promise<void>((stopped) => server.close(() => stopped())),
  }
}

function optionsOf({ config }: Runtime, { command_ms }: Waits): SMTPServerOptions {
  const { host, certificate } = config.email
  return {
    name: host || 'localhost',
    banner: 'Homeport',
    authOptional: true,
    disabledCommands: certificate === '' ? ['AUTH', 'STARTTLS'] : ['AUTH'],
    ...(certificate !== '' && {
      key: certificate,
      cert: certificate,
      minVersion: 'TLSv1.2' as const,
    }),
    disableReverseLookup: true,
    logger: false,
    size: limits.email_received_bytes_max,
    maxClients: CONNECTIONS_MAX,
    socketTimeout: command_ms,
    closeTimeout: STOP_MS,
  }
}

type Deadlines = ReturnType<typeof createDeadlines>

/** Ends the connection of a session that is not heard of in time. */
function createDeadlines(waits: Waits, end: (session: SMTPServerSession) => void) {
  const timers = new WeakMap<SMTPServerSession, NodeJS.Timeout>()
  const stop = (session: SMTPServerSession) => clearTimeout(timers.get(session))
  return {
    stop,
    start(session: SMTPServerSession, what: keyof Waits): void {
      stop(session)
      timers.set(session, setTimeout(() => end(session), waits[what]).unref())
    },
  }
}

type Handlers = Pick<SMTPServerOptions, 'onConnect' | 'onClose' | 'onRcptTo' | 'onData'>

function createHandlers(runtime: Runtime, deadlines: Deadlines): Handlers {
  const connections = createCounter()
  const receiving = createCounter()
  const window_ms = HOUR_MS
  const guesses = createSlidingWindow(runtime.clock, { limit: GUESSES_MAX, window_ms })
  const messages = createSlidingWindow(runtime.clock, { limit: MESSAGES_MAX, window_ms })
  const mailboxes = new WeakMap<SMTPServerSession, Mailbox>()
  const counted = new WeakSet<SMTPServerSession>()
  return {
    onConnect(session, done) {
      counted.add(session)
      deadlines.start(session, 'command_ms')
      const count = connections.add(networkOf(session), 1)
      done(count > CONNECTIONS_PER_NETWORK_MAX ? refusals.connections : null)
    },
    onClose(session) {
      deadlines.stop(session)
      if (counted.delete(session)) connections.add(networkOf(session), -1)
    },
    onRcptTo: ({ address }, session, done) => {
      deadlines.start(session, 'command_ms')
      void answer(runtime, done, async () => {
        // One mailbox for each message, because each has a result of its own.
        if (session.envelope.rcptTo.length > 0) return refusals.recipients
        const mailbox = await findMailbox(runtime, address)
        const network = networkOf(session)
        if (!mailbox) return guesses.pass(network).allowed ? refusals.unknown : refusals.guesses
        if (!messages.pass(network).allowed) return refusals.messages
        mailboxes.set(session, mailbox)
        return null
      })
    },
    onData(stream, session, done) {
      deadlines.start(session, 'message_ms')
      // The server may take its time, so that nobody sends again what it goes on to deliver.
      stream.once('end', () => deadlines.stop(session))
      void answer(runtime, done, async () => {
        // A client may end the connection also while its message is handled.
        stream.on('error', () => {})
        const network = networkOf(session)
        if (receiving.of(network) >= AT_ONCE_PER_NETWORK_MAX || receiving.total() >= AT_ONCE_MAX) {
          await readAll(stream, 0).catch(() => null)
          return refusals.later
        }
        receiving.add(network, 1)
        try {
          return await receive(runtime, { stream, session, mailbox: mailboxes.get(session) })
        } finally {
          receiving.add(network, -1)
        }
      }).finally(() => counted.has(session) && deadlines.start(session, 'command_ms'))
    },
  }
}

const networkOf = ({ remoteAddress }: SMTPServerSession) => findNetwork(remoteAddress)

/** Counts by network what is open now. */
function createCounter() {
  const counts = new Map<string, number>()
  let total = 0
  return {
    add(network: string, by: number): number {
      const now = (counts.get(network) ?? 0) + by
      total += by
      if (now > 0) counts.set(network, now)
      else counts.delete(network)
      return now
    },
    of: (network: string) => counts.get(network) ?? 0,
    total: () => total,
  }
}

interface Receiving {
  stream: AsyncIterable<Buffer>
  session: SMTPServerSession
  mailbox: Mailbox | undefined
}

async function receive(
  runtime: Runtime,
  { stream, session, mailbox }: Receiving,
): Promise<Error | null> {
  const { mailFrom } = session.envelope
  const sender = mailFrom ? mailFrom.address : ''
  const kept_max = mailbox ? bytesNeeded(mailbox, sender) : 0
  const message = await readAll(stream, kept_max).catch(() => 'aborted' as const)
  if (message === 'aborted') return refusals.later
  if (message === null) return refusals.size
  if (!mailbox) return refusals.unknown
  return replies[await receiveMail(runtime, { mailbox, sender, message })]
}

/**
 * Returns the first bytes of a message; null if it is too large. Reads it to its end, so that the
 * connection can go on.
 */
async function readAll(stream: AsyncIterable<Buffer>, kept_max: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    if (bytes < kept_max) chunks.push(chunk.subarray(0, kept_max - bytes))
    bytes += chunk.length
    if (bytes > limits.email_received_bytes_max) chunks.length = 0
  }
  return bytes <= limits.email_received_bytes_max ? Buffer.concat(chunks) : null
}

type Done = (error?: Error | null) => void

/** Replies with the refusal that `work` returns. After an unexpected error the client tries again. */
async function answer(
  { log }: Runtime,
  done: Done,
  work: () => Promise<Error | null>,
): Promise<void> {
  try {
    done(await work())
  } catch (error) {
    log.error({ err: error }, 'a message that came back could not be handled')
    done(refusals.later)
  }
}

function refuse(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}

const refusals = {
  connections: refuse(421, '4.7.0 Too many connections from this network.'),
  messages: refuse(451, '4.7.0 Too many messages from this network. Try again later.'),
  recipients: refuse(452, '4.5.3 One recipient for each message.'),
  unknown: refuse(550, '5.1.1 There is no such mailbox.'),
  guesses: refuse(421, '4.7.0 Too many unknown mailboxes.'),
  size: refuse(552, '5.3.4 The message is too large.'),
  refused: refuse(550, '5.7.1 The message is not accepted.'),
  later: refuse(451, '4.3.0 Try again later.'),
}

const replies: Record<Reception, Error | null> = {
  taken: null,
  refused: refusals.refused,
  later: refusals.later,
}
