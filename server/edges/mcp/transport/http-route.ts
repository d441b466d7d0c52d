/**
 * MCP over HTTP: one route for messages of the 2026-07-28 revision and of earlier ones, with a
 * session for those clients of earlier revisions that can ask the person a question. The caller is
 * authenticated before the body is read; then the message is parsed as strictly as any body, and
 * the SDK answers it.
 */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { INEXACT_NUMBER } from '../../../kernel/values/exact-number.ts'
import { loadInTurns, type LoadPart } from '../../../kernel/process/load-in-turns.ts'
import { receiveLargeBody, releaseLargeBody } from '../../http/bodies/large-bodies.ts'
import { sendProblemIn } from '../../http/problems.ts'
import { readJsonInSlices } from '../../http/request.ts'
import { isRecord } from '../tools/record.ts'
import type { OpenRequests, ExtraHandlers } from '../server.ts'
import { acceptedBySdk, inForm, readReplyForm } from './reply-form.ts'
import type { SessionRequest, McpSession } from './session.ts'
import { McpSessions } from './sessions.ts'
import type { Surface, McpClient } from '../tools/surface.ts'
import type { IncomingHttpHeaders } from 'node:http'
import { isOwnAddress } from '../../http/own-host.ts'

export interface McpRouteOptions {
  path: string
  runtime: Runtime
  /** Maximum size of a message. */
  bytes_max: number
  surface: Surface
  /** Handlers beside the surface, for tests. */
  extra?: ExtraHandlers
  /** Returns the client of a request; throws a Problem if it may not use MCP. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<McpClient>
  /** Counts a message. Throws a Problem if it is refused. */
  checkMessage(received: ReceivedMessage): void
}

export interface ReceivedMessage {
  message: Record<string, unknown>
  client: McpClient
  reply: FastifyReply
}

const clients = new WeakMap<FastifyRequest, McpClient>()
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

export function addMcpRoute(app: FastifyInstance, options: McpRouteOptions): void {
  const { runtime, surface } = options
  const held = new WeakMap<AuthInfo, Arrival>()
  const arrivals = arrivalsIn(held)
  const sessions = new McpSessions({ runtime, surface, arrivals, extra: options.extra })
  let opened: Promise<McpHttpHandler> | null = null
  const load = async () => {
    await loadInTurns(partsOfSdk)
    const sdk = await import('../server.ts')
    return sdk.openHandler(surface, arrivals, options.extra)
  }
  const open = () => (opened ??= load())
  app.addHook('preClose', async () => {
    await sessions.close()
    await (await opened)?.close()
  })
  // The route answers at both paths, because a redirect would lose the Authorization header.
  for (const url of [options.path, `${options.path}/`]) {
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url,
      exposeHeadRoute: false,
      bodyLimit: options.bytes_max,
      onRequest: async (request, reply) => {
        requireKnownHost(runtime, request.headers)
        clients.set(request, await options.admit(request, reply))
      },
      preParsing: async (request, reply, payload) => {
        const who = clients.get(request)?.caller.project.id ?? 'anybody'
        const { bytes_max } = options
        const arriving = { request, reply, payload: payload as Readable, bytes_max }
        return await receiveLargeBody(runtime, who, arriving)
      },
      onSend: releaseLargeBody,
      handler: async (request, reply) => {
        const client = clients.get(request)
        if (!client) throw new Error('A request came in without a client.')
        return await answer({ request, reply, client, options, open, held, sessions })
      },
      onResponse: async (_request, reply) => {
        const labels = { operation: 'mcp', status: String(reply.statusCode) }
        runtime.metrics.requests.observe(labels, reply.elapsedTime / 1000)
      },
      errorHandler: (error, _request, reply) =>
        sendProblemIn(surface.phrasing, { runtime, reply, error }),
    })
  }
}

/** Parts of the SDK, each after the parts that it needs. */
const partsOfSdk: readonly LoadPart[] = [
  () => import('zod/v4/core'),
  () => import('zod/v4'),
  () => import('@modelcontextprotocol/core'),
  () => import('@modelcontextprotocol/server/validators/ajv'),
  () => import('../server.ts'),
  // The SDK builds the schemas of messages when it first checks one.
  async () => (await import('@modelcontextprotocol/server')).isInitializeRequest({}),
]

/** A request in progress. */
interface Arrival {
  client: McpClient
  gone: AbortSignal
}

function arrivalsIn(held: WeakMap<AuthInfo, Arrival>): OpenRequests {
  const find = (authInfo: AuthInfo | undefined): Arrival => {
    const arrival = authInfo && held.get(authInfo)
    if (!arrival) throw new Error('A message came in without a client.')
    return arrival
  }
  return { clientOf: (info) => find(info).client, goneOf: (info) => find(info).gone }
}

type Answering = (request: Request, given: SessionRequest) => Promise<Response>

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
  client: McpClient
  options: McpRouteOptions
  open(): Promise<McpHttpHandler>
  held: WeakMap<AuthInfo, Arrival>
  sessions: McpSessions
}

async function answer(exchange: Exchange): Promise<FastifyReply> {
  const { request, reply, client, options, open, sessions } = exchange
  const { headers } = request
  const session = sessions.find(headers, client)
  if (request.method !== 'POST') {
    if (session) return await pass(exchange, answerIn(session), undefined)
    throw new Problem('method_not_allowed', 'Outside of a session, MCP takes POST alone.', {
      headers: { Allow: 'POST' },
    })
  }
  const message = await readMessage(request.body)
  if ('fault' in message) return sendFault(reply, message)
  const { value } = message
  options.checkMessage({ message: value, client, reply })
  const handler = await open()
  const version = headers['mcp-protocol-version']
  // A question reaches the person in an event stream only.
  const may_begin = readReplyForm(headers.accept) !== 'json'
  const begun = session ?? (may_begin ? await sessions.begin(value, version, client) : null)
  const passed = takeArguments(value, client)
  if (begun) return await pass(exchange, answerIn(begun), passed)
  return await pass(exchange, (web, given) => handler.fetch(web, given), passed)
}

/** Moves the arguments of a tool call from the message to the client. */
function takeArguments(message: JsonRecord, client: McpClient): JsonRecord {
  const { method, params } = message
  if (method !== 'tools/call' || !isRecord(params) || !isRecord(params['arguments'])) return message
  client.given = params['arguments']
  return { ...message, params: { ...params, arguments: {} } }
}

function answerIn(session: McpSession): Answering {
  return (web, given) => session.answer(web, given)
}

/** Passes the request to the SDK, within a session or without. */
async function pass(
  { request, reply, client, held }: Exchange,
  to: Answering,
  parsedBody: Record<string, unknown> | undefined,
): Promise<FastifyReply> {
  const { key_id, scopes } = client.caller
  const authInfo: AuthInfo = { token: '', clientId: key_id, scopes: [...scopes] }
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  if (reply.raw.destroyed) gone.abort()
  held.set(authInfo, { client, gone: gone.signal })
  const given = { authInfo, ...(parsedBody && { parsedBody }) }
  // A GET opens the stream of a session, which has no other form.
  const form = request.method === 'POST' ? readReplyForm(request.headers.accept) : 'both'
  const web = asWebRequest(request, gone.signal)
  if (request.method === 'POST' && form !== 'neither') web.headers.set('accept', acceptedBySdk)
  return send(reply, await inForm(await to(web, given), form))
}

type Message = { value: Record<string, unknown> } | { fault: string; code: number }

/** Parses a single message. Batches are refused, because each message counts against the rate. */
async function readMessage(body: unknown): Promise<Message> {
  if (!Buffer.isBuffer(body)) return { fault: 'The request has no body.', code: PARSE_ERROR }
  try {
    const depth_max = limits.json_depth_max + ENVELOPE_DEPTH
    const { body: value } = await readJsonInSlices(body, depth_max, isInexactArgument)
    if (isRecord(value)) return { value: withoutNulls(value) }
    return { fault: 'Send one message, as a JSON object.', code: INVALID_REQUEST }
  } catch (error) {
    if (error instanceof Problem) return { fault: error.detail, code: PARSE_ERROR }
    throw error
  }
}

/** Removes null parameters, which clients send for absent ones. */
function withoutNulls({ params, ...message }: JsonRecord): JsonRecord {
  if (params === null || params === undefined) return message
  if (!isRecord(params)) return { ...message, params }
  const given = Object.entries(params).filter(([, value]) => value !== null)
  return { ...message, params: Object.fromEntries(given) }
}

/** The tool refuses the number, so that the model learns why. */
function isInexactArgument(_: unknown, path: string, message: string): boolean {
  return message === INEXACT_NUMBER && path.startsWith('/params/arguments/')
}

/** The nesting depth of an operation's arguments within a message. */
const ENVELOPE_DEPTH = 4

function sendFault(reply: FastifyReply, { fault, code }: { fault: string; code: number }) {
  const document = { jsonrpc: '2.0', error: { code, message: fault }, id: null }
  return reply.code(400).type('application/json').send(JSON.stringify(document))
}

function asWebRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // The headers are passed on without the key, which the SDK does not need.
    if (value === undefined || name === 'authorization' || name === 'content-length') continue
    for (const one of [value].flat()) headers.append(name, one)
  }
  return new Request(`http://localhost${request.url}`, { method: request.method, headers, signal })
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status)
  for (const [name, value] of response.headers) {
    if (name !== 'cache-control') reply.header(name, value)
  }
  if (response.body === null) return reply.send()
  const streams = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!streams) return reply.send(await response.text())
  const stream = Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
  // A comment sends the headers at once, because the first event may come much later.
  stream.unshift(Buffer.from(':\n\n'))
  return reply.send(stream)
}

/** Refuses requests to MCP from pages of other sites, by Host and Origin (DNS rebinding). */
function requireKnownHost({ config }: Runtime, headers: IncomingHttpHeaders): void {
  const { host = '', origin } = headers
  const next_step = `Use the address ${config.public_url}/mcp.`
  if (!isOwnAddress(config, `http://${host}`)) {
    throw refusal('The Host header names another server.', next_step)
  }
  if (origin !== undefined && !isOwnAddress(config, origin)) {
    throw refusal('Pages of other sites may not connect to this server.', next_step)
  }
}

function refusal(detail: string, next_step: string): Problem {
  return new Problem('forbidden', detail, {
    user_message: 'This connection came from a place that is not allowed.',
    next_step,
  })
}
