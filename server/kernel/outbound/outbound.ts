/**
 * The guarded fetch: every call to the outside goes through it. A name is looked up for each
 * request, one forbidden answer refuses all, and the connection goes to the very addresses that
 * were judged. Redirects are not followed, nothing is unpacked, and one deadline covers it all.
 */
import assert from 'node:assert/strict'
import { promises as dns } from 'node:dns'
import type { Dispatcher } from 'undici'
import errors from 'undici/lib/core/errors.js'
import {
  addressRules,
  describeAddressFault,
  readDestination,
  type AddressPolicy,
  type Destination,
} from './outbound-address.ts'
import { directRoutes, proxyRoutes } from './outbound-routes.ts'

export interface OutboundPolicy extends AddressPolicy {
  /** An HTTP proxy reached by CONNECT; it resolves the names, so judging addresses is its part. */
  proxy_url: string | null
}

export interface OutboundRequest {
  url: string
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** Must be legal HTTP and without Host: what is not throws as a programming error. */
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Over look-up, connection, TLS, headers and body together. */
  deadline_ms?: number
  response_bytes_max?: number
}

export interface OutboundResponse {
  status: number
  /** Lowercase names; a header sent several times is joined by commas. */
  headers: Record<string, string>
  /** As sent: a compressed body stays compressed. */
  body: Uint8Array
  duration_ms: number
}

export type OutboundFault =
  | 'invalid_url'
  | 'not_public_host'
  | 'connection_failed'
  | 'timeout'
  | 'response_too_large'

/** The call did not give a response. The message is one sentence for a person. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly fault: OutboundFault
  constructor(fault: OutboundFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.fault = fault
  }
}

/** Every address of a name, of both families; rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>

export interface Outbound {
  request(request: OutboundRequest): Promise<OutboundResponse>
  /** The same rules, the look-up included, without a connection. */
  check(url: string): Promise<void>
  close(): Promise<void>
}

const default_deadline_ms = 10_000
const default_response_bytes_max = 65_536

export function createOutbound(
  policy: OutboundPolicy,
  parts: { resolve?: Resolve } = {},
): Outbound {
  const judge = createJudge(policy, shareLookups(parts.resolve ?? lookUp))
  const routes = policy.proxy_url === null ? directRoutes() : proxyRoutes(policy.proxy_url)
  let closed = false
  return {
    async request(request) {
      assert(!closed, 'a request after the end')
      // Another Host would also be the name that the certificate is checked for.
      assert(!Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'host'))
      const started_ms = performance.now()
      const destination = judge.read(request.url)
      const deadline_ms = request.deadline_ms ?? default_deadline_ms
      assert(deadline_ms > 0)
      const reply = await withinDeadline(destination.host, deadline_ms, async (signal) => {
        const addresses = await judge.addressesOf(destination)
        const dispatcher = routes.towards(destination.url.origin, addresses)
        return exchange(dispatcher, { request, url: destination.url, signal })
      })
      return { ...reply, duration_ms: Math.round(performance.now() - started_ms) }
    },
    async check(url) {
      const destination = judge.read(url)
      const work = () => judge.addressesOf(destination)
      await withinDeadline(destination.host, default_deadline_ms, work)
    },
    async close() {
      closed = true
      await routes.close()
    },
  }
}

interface Judge {
  read(url: string): Destination
  /** All addresses of a destination, every one of them allowed. */
  addressesOf(destination: Destination): Promise<readonly string[]>
}

function createJudge(policy: OutboundPolicy, resolve: Resolve): Judge {
  const rules = addressRules(policy)
  return {
    read(url) {
      const reading = readDestination(url, rules)
      if ('fault' in reading) throw new OutboundError(reading.fault, reading.reason)
      return reading
    },
    async addressesOf({ host, is_address }) {
      if (is_address || policy.proxy_url !== null) return [host]
      const addresses = await resolve(host)
      if (addresses.length === 0) throw new OutboundError('connection_failed', noAddress(host))
      // The sentence names no address: it must not disclose what a private name resolves to.
      if (addresses.some((address) => describeAddressFault(address, rules) !== null)) {
        throw new OutboundError('not_public_host', `${host} does not lead to a public address.`)
      }
      return addresses
    },
  }
}

/**
 * `dns.lookup` is the machine's own getaddrinfo, so the operator's hosts file, nsswitch and
 * resolv.conf hold here as for every other program, and `localhost` is known; node's resolver of
 * its own would see the name servers alone. The price is a libuv thread for as long as a name
 * server keeps silent: where many strangers' names are asked, a bigger UV_THREADPOOL_SIZE helps.
 */
async function lookUp(host: string): Promise<string[]> {
  const answers = await dns.lookup(host, { all: true })
  return answers.map((answer) => answer.address)
}

/** Joins a look-up of the same name that is under way; nothing is kept once it has ended. */
function shareLookups(resolve: Resolve): Resolve {
  const under_way = new Map<string, Promise<readonly string[]>>()
  return (host) => {
    const joined = under_way.get(host)
    if (joined !== undefined) return joined
    const lookup = resolve(host).finally(() => under_way.delete(host))
    under_way.set(host, lookup)
    return lookup
  }
}

/** Runs `work` under one deadline and turns every failure of the outside into an OutboundError. */
async function withinDeadline<T>(
  host: string,
  deadline_ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abortion = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const message = `${host} did not answer within ${deadline_ms / 1000} s.`
    const error = new OutboundError('timeout', message)
    // The look-up cannot be stopped, only left behind; the connection is torn down.
    late.reject(error)
    abortion.abort(error)
  }, deadline_ms)
  try {
    return await Promise.race([work(abortion.signal), late.promise])
  } catch (error) {
    // What was wrong before it left is a bug here, and must not pass for a dead receiver.
    throw error instanceof errors.InvalidArgumentError ? error : readFailure(host, error)
  } finally {
    clearTimeout(timer)
  }
}

interface Exchange {
  request: OutboundRequest
  url: URL
  signal: AbortSignal
}

async function exchange(dispatcher: Dispatcher, { request, url, signal }: Exchange) {
  const { method = 'GET', headers = {}, body = null } = request
  const response = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers,
    body,
    signal,
  })
  const reply_headers = flatten(response.headers)
  const bytes_max = request.response_bytes_max ?? default_response_bytes_max
  const has_body = method !== 'HEAD' && response.statusCode !== 304
  if (has_body && Number(reply_headers['content-length'] ?? 0) > bytes_max) {
    response.body.once('error', () => {}).destroy()
    throw tooLarge(bytes_max)
  }
  const reply_body = await readBody(response.body, bytes_max)
  return { status: response.statusCode, headers: reply_headers, body: reply_body }
}

/** Reads by iterating: leaving the loop closes the connection, and no error goes unseen. */
async function readBody(body: AsyncIterable<Uint8Array>, bytes_max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytes_max) throw tooLarge(bytes_max)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes)
}

function tooLarge(bytes_max: number): OutboundError {
  return new OutboundError('response_too_large', `The response is over ${bytes_max} bytes.`)
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return flat
}

function readFailure(host: string, error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new OutboundError('response_too_large', 'The response headers are too large.', error)
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new OutboundError('timeout', `${host} could not be reached in time.`, error)
  }
  return new OutboundError('connection_failed', describeFailure(host, code), error)
}

function describeFailure(host: string, code: string): string {
  if (['ENOTFOUND', 'ENODATA'].includes(code)) return noAddress(host)
  if (code === 'ECONNREFUSED') return `${host} refused the connection.`
  if (['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code)) {
    return `${host} closed the connection before it had answered.`
  }
  if (/CERT|ISSUER|SIGNATURE/.test(code)) return `${host} has no valid certificate for its name.`
  return `The connection to ${host} failed.`
}

function noAddress(host: string): string {
  return `The name ${host} has no address.`
}
