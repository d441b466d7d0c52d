/**
 * The two servers that an app process reaches, each on a Unix socket of its own: one answers the calls
 * of its bindings, the other makes its outgoing requests. The socket is the identity of the app.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { chmodSync } from 'node:fs'
import { createSlots, NoSlot } from '../../kernel/limits/slots.ts'
import { createServer } from '../../kernel/process/node-http.ts'

/** An error whose name and message the code of the app sees. */
export class AppError extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

export interface EgressRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: Buffer
}

export interface EgressReply {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

/** What an app can reach outside of its process. */
export interface AppHost {
  /** Answers a call of a binding. Throws an AppError for errors that the app sees. */
  call(name: string, input: unknown): Promise<unknown>
  /** Why the code may not fetch from a URL; null if it may. */
  refusal(url: string): string | null
  /** Makes an outgoing request. Throws an AppError if it is refused or fails. */
  egress(request: EgressRequest): Promise<EgressReply>
  /** The process was stopped, or ended by itself. */
  stopped(reason: StopReason): void
  /** The process has ended, for whatever reason. */
  closed(): void
  onError(error: unknown): void
}

/** `loop`: it answered no ping for a second while it used the processor. */
export type StopReason = 'loop' | 'memory' | 'ended'

const CALL_BYTES_MAX = 2 * 1_048_576
const EGRESS_BYTES_MAX = 10 * 1_048_576
const REQUEST_MS_MAX = 60_000
const CALLS_AT_ONCE_MAX = 6
const EGRESS_AT_ONCE_MAX = 6
const WAITING_MAX = 200

export interface HostServers {
  close(): void
}

export async function openHostServers(host: AppHost, folder: string): Promise<HostServers> {
  const options = { requestTimeout: REQUEST_MS_MAX, requireHostHeader: false }
  const run = { calls: queueOf(CALLS_AT_ONCE_MAX), egress: queueOf(EGRESS_AT_ONCE_MAX) }
  const calls = createServer(options, (request, response) => {
    run
      .calls(() => answerCall(host, request, response))
      .catch((error: unknown) => fail(response, host, error))
  })
  const egress = createServer(options, (request, response) => {
    const refusal = host.refusal(request.url ?? '')
    if (refusal !== null) return refuse(response, 403, refusal)
    return run
      .egress(() => answerEgress(host, request, response))
      .catch((error: unknown) => fail(response, host, error))
  })
  egress.on('connect', (_request, socket) => {
    // The process can end meanwhile.
    socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await Promise.all([
    listen(calls, `${folder}/server.sock`),
    listen(egress, `${folder}/egress.sock`),
  ])
  return {
    close() {
      for (const server of [calls, egress]) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}

/** An app has a share of memory and of the database, so its calls wait for each other. */
function queueOf(units: number): (work: () => Promise<void>) => Promise<void> {
  const slots = createSlots({
    name: 'an app works',
    units,
    units_each: units,
    waiting_max: WAITING_MAX,
    waiting_each_max: WAITING_MAX,
    retry_after_s: 1,
  })
  return (work) => slots.run('app', work)
}

function listen(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(path, () => {
    // The folder above is closed to every user but that of the process.
    chmodSync(path, 0o666)
    resolve()
  })
  return promise
}

async function answerCall(host: AppHost, request: IncomingMessage, response: ServerResponse) {
  const body = await readBody(request, CALL_BYTES_MAX)
  const name = (request.url ?? '').slice(1)
  let answer: object
  try {
    if (body === null) throw new AppError('RangeError', 'The arguments are over 2 MB.')
    answer = { result: (await host.call(name, JSON.parse(body.toString()))) ?? null }
  } catch (error) {
    if (!(error instanceof AppError)) host.onError(error)
    const known = error instanceof AppError ? error : new AppError('Error', 'The call failed.')
    answer = { error: { name: known.name, message: known.message } }
  }
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer))
}

const notForwarded = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

async function answerEgress(host: AppHost, request: IncomingMessage, response: ServerResponse) {
  const body = await readBody(request, EGRESS_BYTES_MAX)
  if (body === null) return refuse(response, 413, 'The body of a request is at most 10 MB.')
  const { url = '', method = 'GET' } = request
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !notForwarded.has(name)) headers[name] = String(value)
  try {
    const reply = await host.egress({ url, method, headers, body })
    for (const [name, value] of Object.entries(reply.headers))
      if (!notForwarded.has(name)) response.setHeader(name, value)
    response.writeHead(reply.status).end(reply.body)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    refuse(response, 403, error.message)
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Homeport-Refused': '1',
  })
  response.end(text)
}

function fail(response: ServerResponse, host: AppHost, error: unknown): void {
  // A process that was stopped leaves its calls.
  if (!(error instanceof NoSlot) && !response.destroyed) host.onError(error)
  if (response.headersSent) response.destroy()
  else response.writeHead(502).end()
}

/** Returns null for a body that is too large. */
async function readBody(request: IncomingMessage, bytes_max: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    // Reads the rest of a body that is too large, so that the reply can be read.
    if (bytes <= bytes_max) chunks.push(chunk)
  }
  return bytes > bytes_max ? null : Buffer.concat(chunks, bytes)
}
