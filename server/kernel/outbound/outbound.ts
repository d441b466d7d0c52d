/**
 * The guarded fetch: all outgoing HTTP requests use it. It resolves the host for each request,
 * refuses the request if one address is forbidden, and connects to the checked addresses only. It
 * follows no redirect, decompresses nothing, and applies one deadline to the whole exchange.
 */
import assert from 'node:assert/strict'
import { promises as dns } from 'node:dns'
import type { Dispatcher } from 'undici'
import { loadInTurns, requiredFrom } from '../process/load-in-turns.ts'
import {
  addressRules,
  describeAddressFault,
  readDestination,
  type AddressPolicy,
  type Destination,
} from './outbound-address.ts'
import type { Routes } from './outbound-routes.ts'

export interface OutboundPolicy extends AddressPolicy {
  /** HTTP proxy, used by CONNECT. It resolves the names, so it also has to check the addresses. */
  proxy_url: string | null
}

export interface OutboundRequest {
  url: string
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** Throws for invalid names or values and for Host, as a programming error. */
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Includes DNS look-up, connection, TLS, headers and body. */
  deadline_ms?: number
  response_bytes_max?: number
  /**
   * The exchange is complete with status and headers. Keeps this many leading bytes of the body,
   * also of one that is cut off, malformed or not finished at the deadline.
   */
  body_bytes_kept?: number
  /** Ends the exchange and closes its connection. */
  signal?: AbortSignal
  /** Receives the response while it arrives. */
  listener?: ResponseListener
}

export interface ResponseListener {
  head(response: Pick<OutboundResponse, 'status' | 'headers'>): void
  chunk(bytes: Uint8Array): void
}

export interface OutboundResponse {
  status: number
  /** Lowercase names; values of repeated headers are joined by commas. */
  headers: Record<string, string>
  /** The received bytes; a compressed body stays compressed. */
  body: Uint8Array
  duration_ms: number
}

export type OutboundFault =
  | 'invalid_url'
  | 'not_public_host'
  | 'connection_failed'
  | 'timeout'
  | 'response_too_large'

/** The request got no response. The message is one sentence for users. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly fault: OutboundFault
  constructor(fault: OutboundFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.fault = fault
  }
}

/** Resolves a host name to all IPv4 and IPv6 addresses; rejects if there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>

export interface Outbound {
  request(request: OutboundRequest): Promise<OutboundResponse>
  /** Applies the same rules, including the look-up, without connecting. */
  check(url: string): Promise<void>
  close(): Promise<void>
}

const default_deadline_ms = 10_000
const default_response_bytes_max = 65_536
/** Interim responses (1xx) have no maximum size, and a flood of them would delay other requests. */
const interim_responses_max = 100

export function createOutbound(
  policy: OutboundPolicy,
  parts: { resolve?: Resolve } = {},
): Outbound {
  const addressCheck = createAddressCheck(policy, shareLookups(parts.resolve ?? lookUp))
  let opening: Promise<Routes> | null = null
  let closed = false
  return {
    async request(request) {
      assert(!closed, 'a request after the end')
      // A Host header would also change the name for which the certificate is verified.
      assert(!Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'host'))
      const destination = addressCheck.read(request.url)
      const deadline_ms = request.deadline_ms ?? default_deadline_ms
      assert(deadline_ms > 0)
      // Loads the routes first, so that the deadline covers only the receiver.
      const routes = await (opening ??= openRoutes(policy.proxy_url))
      const started_ms = performance.now()
      const received: Received = { head: null, chunks: [] }
      try {
        await withinDeadline(destination.host, deadline_ms, async (signal) => {
          const addresses = await addressCheck.addressesOf(destination)
          const dispatcher = routes.towards(destination.url.origin, addresses)
          await exchange(dispatcher, { request, url: destination.url, signal, received })
        })
      } catch (error) {
        if (!isComplete(request, received, error)) throw error
      }
      const { head, chunks } = received
      assert(head)
      const duration_ms = Math.round(performance.now() - started_ms)
      return { ...head, body: Buffer.concat(chunks), duration_ms }
    },
    async check(url) {
      const destination = addressCheck.read(url)
      const work = () => addressCheck.addressesOf(destination)
      await withinDeadline(destination.host, default_deadline_ms, work)
    },
    async close() {
      closed = true
      await (await opening)?.close()
    },
  }
}

/** Loads undici, which takes 26 MB, for the first request. */
async function openRoutes(proxy_url: string | null): Promise<Routes> {
  const undici = import.meta.resolve('undici')
  await loadInTurns(requiredFrom(undici, ['./lib/dispatcher/pool', './lib/web/fetch']))
  const { directRoutes, proxyRoutes } = await import('./outbound-routes.ts')
  return proxy_url === null ? directRoutes() : proxyRoutes(proxy_url)
}

interface AddressCheck {
  read(url: string): Destination
  /** Returns all addresses of a destination; throws if one of them is forbidden. */
  addressesOf(destination: Destination): Promise<readonly string[]>
}

function createAddressCheck(policy: OutboundPolicy, resolve: Resolve): AddressCheck {
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
      // The message names no address, because it must not disclose the address of a private name.
      if (addresses.some((address) => describeAddressFault(address, rules) !== null)) {
        throw new OutboundError('not_public_host', `${host} does not lead to a public address.`)
      }
      return addresses
    },
  }
}

/**
 * Uses `dns.lookup` (getaddrinfo), so that the hosts file, nsswitch and resolv.conf apply;
 * `dns.resolve` would query name servers only. Each look-up occupies a libuv thread until the name
 * server answers: raise UV_THREADPOOL_SIZE if many look-ups time out.
 */
async function lookUp(host: string): Promise<string[]> {
  const answers = await dns.lookup(host, { all: true })
  return answers.map((answer) => answer.address)
}

/** Concurrent look-ups of one name share a result. Nothing is cached afterwards. */
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

/** Runs `work` with a deadline and converts every network failure into an OutboundError. */
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
    // A look-up cannot be cancelled, so its result is ignored; the connection is closed.
    late.reject(error)
    abortion.abort(error)
  }, deadline_ms)
  try {
    return await Promise.race([work(abortion.signal), late.promise])
  } catch (error) {
    // An invalid request is a bug of the caller and is not reported as a failure of the receiver.
    throw codeOf(error) === 'UND_ERR_INVALID_ARG' ? error : readFailure(host, error)
  } finally {
    clearTimeout(timer)
  }
}

/** What has arrived of a response. */
interface Received {
  head: Pick<OutboundResponse, 'status' | 'headers'> | null
  chunks: Uint8Array[]
}

/** Whether a failed exchange has all that the request needs: the body may be incomplete. */
function isComplete(request: OutboundRequest, { head }: Received, error: unknown): boolean {
  if (request.body_bytes_kept === undefined || head === null) return false
  return error instanceof OutboundError && error.fault !== 'response_too_large'
}

interface Exchange {
  request: OutboundRequest
  url: URL
  signal: AbortSignal
  received: Received
}

async function exchange(
  dispatcher: Dispatcher,
  { request, url, signal, received }: Exchange,
): Promise<void> {
  const { method = 'GET', headers = {}, body = null } = request
  const flood = new AbortController()
  let interim = 0
  const response = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers,
    body,
    signal: AbortSignal.any([signal, flood.signal, ...(request.signal ? [request.signal] : [])]),
    onInfo() {
      interim += 1
      if (interim > interim_responses_max) flood.abort(tooManyInterim())
    },
  })
  const reply_headers = flatten(response.headers)
  const bytes_max = request.response_bytes_max ?? default_response_bytes_max
  const has_body = method !== 'HEAD' && ![204, 304].includes(response.statusCode)
  if (has_body && Number(reply_headers['content-length'] ?? 0) > bytes_max) {
    response.body.once('error', () => {}).destroy()
    throw tooLarge(bytes_max)
  }
  received.head = { status: response.statusCode, headers: reply_headers }
  request.listener?.head(received.head)
  await readBody(response.body, { bytes_max, request, received })
}

interface BodyReading {
  bytes_max: number
  request: OutboundRequest
  received: Received
}

/** Reads by iteration, because leaving the loop closes the connection and handles its errors. */
async function readBody(
  body: AsyncIterable<Uint8Array>,
  { bytes_max, request, received: { chunks } }: BodyReading,
): Promise<void> {
  const { body_bytes_kept: kept_max = Infinity, listener } = request
  let bytes = 0
  for await (const chunk of body) {
    const room = kept_max - bytes
    bytes += chunk.length
    if (bytes > bytes_max) throw tooLarge(bytes_max)
    if (room >= chunk.length) chunks.push(chunk)
    else if (room > 0) chunks.push(Uint8Array.prototype.slice.call(chunk, 0, room))
    listener?.chunk(chunk)
  }
}

function tooManyInterim(): OutboundError {
  const message = `More than ${interim_responses_max} interim responses precede the response.`
  return new OutboundError('response_too_large', message)
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
  const code = codeOf(error)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new OutboundError('response_too_large', 'The response headers are too large.', error)
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new OutboundError('timeout', `${host} could not be reached in time.`, error)
  }
  return new OutboundError('connection_failed', describeFailure(host, code), error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
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
