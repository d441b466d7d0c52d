/**
 * Hands messages to an SMTP server. Connections are used again for a second after a
 * message, and closed after any failure. Replies and silence are results, not exceptions.
 */
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Outcome, Parcel } from './outcome.ts'

/** Of a whole hand-over, to all servers that it tries; shorter than a lease. */
const HAND_OVER_MS = 120_000
const DEADLINE_MS = 60_000
const IDLE_MS = 1_000
const MESSAGES_MAX = 100
const CONNECT_MS = 15_000
const GREETING_MS = 40_000

interface Line {
  connection: SMTPConnection
  used: number
  idle: NodeJS.Timeout | null
}

export interface Transport {
  /** The signal is the deadline of the whole hand-over. */
  handOver(parcel: Parcel, signal?: AbortSignal): Promise<Outcome>
}

export interface Target {
  /** Host name or IP address. */
  host: string
  port: number
  /** The name of the server in results, and in its certificate. */
  name: string
  /** By which this server greets; null: the name of the machine. */
  greeting: string | null
  credentials: { user: string; pass: string } | null
  /** `offered`: STARTTLS with any certificate, if the server offers it. */
  tls: 'from the start' | 'required' | 'offered' | 'off'
}

export function createSmtpClient(target: Target): Transport {
  const free: Line[] = []
  return {
    async handOver(parcel, signal = handOverDeadline()) {
      const opened = await take(free, target, signal)
      if ('kind' in opened) return opened
      const outcome = await transmit(opened.connection, parcel, { host: target.name, signal })
      opened.used += 1
      if (outcome.kind === 'delivered' && opened.used < MESSAGES_MAX) park(free, opened)
      else opened.connection.close()
      return outcome
    },
  }
}

export function handOverDeadline(): AbortSignal {
  return AbortSignal.timeout(HAND_OVER_MS)
}

/** Rejects if the deadline passes before the work ends. */
export async function within<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(new Error('The time of this hand-over ended.'))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

function park(free: Line[], line: Line): void {
  line.idle = setTimeout(() => drop(free, line), IDLE_MS)
  free.push(line)
}

function drop(free: Line[], line: Line): void {
  const at = free.indexOf(line)
  if (at >= 0) free.splice(at, 1)
  line.connection.close()
}

async function take(free: Line[], target: Target, signal: AbortSignal): Promise<Line | Outcome> {
  for (let line = free.pop(); line !== undefined; line = free.pop()) {
    if (line.idle) clearTimeout(line.idle)
    if (!line.connection.destroyed) return { ...line, idle: null }
  }
  return connect(target, signal)
}

async function connect(target: Target, signal: AbortSignal): Promise<Line | Outcome> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection(optionsOf(target))
  try {
    await within(signal, open(connection))
    if (target.credentials) await within(signal, logIn(connection, target.credentials))
    // Later errors, such as the end of an idle connection, need a listener.
    connection.removeAllListeners('error')
    connection.on('error', () => connection.close())
    return { connection, used: 0, idle: null }
  } catch (error) {
    connection.on('error', () => {})
    connection.close()
    return outcomeOfError(error, { host: target.name, is_written: false, at: 'connect' })
  }
}

function open(connection: SMTPConnection): Promise<void> {
  return new Promise((opened, failed) => {
    connection.once('error', failed)
    connection.connect((error) => (error ? failed(error) : opened()))
  })
}

function logIn(
  connection: SMTPConnection,
  credentials: NonNullable<Target['credentials']>,
): Promise<void> {
  return new Promise((done, failed) => {
    connection.login({ credentials }, (error) => (error ? failed(error) : done()))
  })
}

function optionsOf({ host, port, name, greeting, tls }: Target) {
  return {
    host,
    port,
    ...(greeting !== null && { name: greeting }),
    secure: tls === 'from the start',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    tls: {
      minVersion: 'TLSv1.2' as const,
      servername: isIP(name) === 0 ? name : '',
      // A recipient's server is found by DNS without DNSSEC, so its certificate would prove nothing.
      rejectUnauthorized: tls !== 'offered',
    },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: DEADLINE_MS,
    dnsTimeout: CONNECT_MS,
  }
}

async function transmit(
  connection: SMTPConnection,
  parcel: Parcel,
  { host, signal }: { host: string; signal: AbortSignal },
): Promise<Outcome> {
  let is_written = false
  const source = Readable.from(chunksOf(parcel, () => (is_written = true)))
  const { promise: sending, resolve: done } = Promise.withResolvers<Outcome>()
  const fail = (error: unknown) => done(outcomeOfError(error, { host, is_written, at: 'message' }))
  const end = () => fail(new Error('The connection ended.'))
  source.once('error', fail)
  connection.on('error', fail)
  connection.on('end', end)
  connection.send({ from: parcel.from, to: [parcel.to] }, source, (error, info) => {
    if (error) return fail(error)
    const text = String(info?.response ?? '')
    done({ kind: 'delivered', ...readReply(text, 250), remote_mta: host })
  })
  try {
    return await within(signal, sending)
  } catch (error) {
    return outcomeOfError(error, { host, is_written, at: 'message' })
  } finally {
    // The next message on this connection must not keep this one in memory.
    connection.removeListener('error', fail)
    connection.removeListener('end', end)
  }
}

const CHUNK_BYTES = 65_536

/** The message is read when the server has asked for it, so `onData` runs just before. */
async function* chunksOf({ source, onData }: Parcel, atEnd: () => void): AsyncGenerator<Buffer> {
  await onData()
  for (let at = 0; at < source.length; at += CHUNK_BYTES)
    yield source.subarray(at, at + CHUNK_BYTES)
  atEnd()
}

interface Place {
  host: string
  /** Whether the whole message was written. */
  is_written: boolean
  at: 'connect' | 'message'
}

/** Without a reply to a whole message nobody knows whether it was accepted. */
function outcomeOfError(error: unknown, { host, is_written, at }: Place): Outcome {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  const text = error instanceof Error && 'response' in error ? String(error.response) : ''
  const slug = error instanceof Error && 'code' in error ? String(error.code) : ''
  // A wrong password or certificate is the operator's fault, so the message is tried again.
  if (at === 'message' && code >= 400 && slug !== 'EAUTH')
    return { kind: 'refused', code, text, remote_mta: host }
  if (is_written) return { kind: 'unknown', remote_mta: host }
  return { kind: 'unreachable', remote_mta: host }
}

function readReply(text: string, standard: number) {
  const [, code = String(standard)] = /^(\d{3})/.exec(text) ?? []
  const enhanced_code = /\b(2\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? null
  return { smtp_code: Number(code), enhanced_code }
}
