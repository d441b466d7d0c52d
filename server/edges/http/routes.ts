/**
 * Registers one route per operation. The caller is authenticated before the body is parsed; then
 * the request is validated, the operation runs and the reply is sent. REST for keys and the
 * portal's API for people use the same code.
 */
import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import type { Caller, Visitor } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { acceptsEvents, eventsIn } from '../../contract/operations/event-replies.ts'
import type { GuestOperation } from '../../contract/operations/guests.ts'
import { restPhrasing, type Phrasing } from '../../contract/problems/next-steps.ts'
import type { AnyInput, KeyedOperation, Operation } from '../../contract/operation.ts'
import type { MemberCaller, PersonCaller } from '../../contract/people.ts'
import { isPeopleStream } from '../../contract/operations/people-streams.ts'
import { mediaOf, type StreamOperation } from '../../contract/operations/streams.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { runOperation } from '../../areas/activity/service.ts'
import type { Admission } from '../admission.ts'
import { hashAddress } from './visitor-address.ts'
import { ignoresIdempotencyKey, responseHeaders } from '../describe/headers.ts'
import { runOnce, runsOnce, type OnceResult } from './idempotency.ts'
import { receiveLargeBody, releaseLargeBody } from './bodies/large-bodies.ts'
import { sendProblemIn } from './problems.ts'
import { sendReply } from './reply.ts'
import { noteCaller } from './request-notes.ts'
import { runMatching } from './versions.ts'
import { createInputReader, parseLargeBody, createTooLargeProblem } from './request.ts'
import { addStreams, lastEventId, type Streams } from './bodies/streams.ts'

export const API_ROOT = '/api/v1'

/** An HTTP entry point: the path of its operations and the authentication of its callers. */
export interface HttpEntryPoint {
  /** Prefix of every path. */
  root: string
  phrasing: Phrasing
  /** Authenticates and authorizes the caller; returns null for a public operation. */
  admit(operation: Operation, request: FastifyRequest, reply: FastifyReply): Promise<Asker | null>
  /** Authenticates the caller of a running stream again. Does not count a request. */
  recheck(operation: Operation, request: FastifyRequest, caller: Caller): Promise<Caller>
}

type Asker = Caller | MemberCaller | PersonCaller

const askers = new WeakMap<FastifyRequest, Asker>()

export interface RestOptions {
  runtime: Runtime
  admission: Admission
  operations: readonly Operation[]
}

export function addRest(app: FastifyInstance, rest: RestOptions): void {
  const { runtime, admission, operations } = rest
  addOperations(app, { runtime, entry_point: keyEntryPoint(admission), operations })
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    const is_keyed = path.startsWith(`${API_ROOT}/`) && !path.startsWith(`${API_ROOT}/public/`)
    // A key is authenticated before the 404 or 405.
    if (is_keyed && request.headers.authorization !== undefined) {
      await recognise(admission, { request, reply, operation: null })
    }
    return refuseUnknown(request, { root: API_ROOT, operations })
  })
}

function keyEntryPoint(admission: Admission): HttpEntryPoint {
  return {
    root: API_ROOT,
    phrasing: restPhrasing,
    async admit(operation, request, reply) {
      if (operation.scope === null) return null
      const caller = await recognise(admission, { request, reply, operation })
      await admission.allow(operation, caller)
      return caller
    },
    recheck: (operation, { headers: { authorization } }, caller) =>
      admission.recheck(operation, { authorization, caller }),
  }
}

export interface RouteOptions {
  runtime: Runtime
  entry_point: HttpEntryPoint
  operations: readonly Operation[]
}

/** Operations with routes here. */
type Routed = Exclude<Operation, GuestOperation>

/** Registers operations, except those for visitors' pages, which edges/public registers. */
export function addOperations(app: FastifyInstance, { operations, ...behind }: RouteOptions): void {
  const streams = addStreams(app, behind.runtime)
  for (const operation of operations) {
    if (operation.kind === 'guest') continue
    if (!mediaOf(operation)?.takes) addRoute(app, { ...behind, streams }, operation)
    else streams.withRawBodies((raw) => addRoute(raw, { ...behind, streams }, operation))
  }
}

function addRoute(
  app: FastifyInstance,
  { runtime, entry_point, streams }: Omit<RouteOptions, 'operations'> & { streams: Streams },
  operation: Routed,
): void {
  const readInput = createInputReader(operation)
  const bytes_max = operation.body_rules?.bytes_max
  app.route({
    method: operation.method,
    url: entry_point.root + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(bytes_max !== undefined && { bodyLimit: bytes_max }),
    onRequest: async (request, reply) => {
      const asker = await entry_point.admit(operation, request, reply)
      if (asker) askers.set(request, asker)
    },
    preParsing: (request, reply, payload) =>
      receive({ runtime, operation, request, reply, payload }),
    onSend: releaseLargeBody,
    handler: async (request, reply) => {
      const visitor: Visitor = { runtime, db: runtime.db, request_id: request.id }
      const exchange = { operation, request, reply, readInput, visitor }
      return await answer({ ...exchange, entry_point, streams })
    },
    // The status is known only after the response.
    onResponse: async (_request, reply) => {
      const labels = { operation: operation.name, status: String(reply.statusCode) }
      runtime.metrics.requests.observe(labels, reply.elapsedTime / 1000)
    },
    errorHandler: (error, _request, reply) =>
      sendProblemIn(entry_point.phrasing, {
        runtime,
        reply,
        error: isTooLarge(error) ? (createTooLargeProblem(operation) ?? error) : error,
      }),
  })
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
}

interface Arrived {
  runtime: Runtime
  operation: Routed
  request: FastifyRequest
  reply: FastifyReply
  payload: RequestPayload
}

/** Receives a large body. The caller is authenticated, and no byte of the body is read yet. */
function receive({ runtime, operation, request, reply, payload }: Arrived): Promise<Readable> {
  const asker = askers.get(request)
  const who =
    asker && 'project' in asker ? asker.project.id : (asker?.person.id ?? hashAddress(request.ip))
  const streamed = mediaOf(operation)?.takes
  const bytes_max = streamed?.bytes_max ?? request.routeOptions.bodyLimit ?? Infinity
  const arriving = { request, reply, payload: payload as Readable, bytes_max }
  return receiveLargeBody(runtime, who, { ...arriving, streamed: streamed !== undefined })
}

interface Exchange {
  operation: Routed
  request: FastifyRequest
  reply: FastifyReply
  readInput: ReturnType<typeof createInputReader>
  visitor: Visitor
  entry_point: HttpEntryPoint
  streams: Streams
}

async function answer({
  operation,
  request,
  reply,
  readInput,
  visitor,
  entry_point,
  streams,
}: Exchange): Promise<FastifyReply> {
  const asker = askers.get(request) ?? null
  const caller = asker && 'project' in asker ? asker : null
  const { 'idempotency-key': sent_key } = request.headers
  if (sent_key !== undefined && ignoresIdempotencyKey(operation))
    reply.header(responseHeaders.key_ignored.name, 'true')
  const given = await parseLargeBody(request, operation)
  if (operation.kind !== 'stream' && runsOnce(operation, sent_key) && asker && caller) {
    const whose = 'person' in asker ? { person_id: asker.person.id } : {}
    const once = await runOnce({
      operation,
      address: request.url,
      key: sent_key,
      readInput: () => readInput(given),
      run: (input, as) => runAs(operation, input, { visitor, asker: { ...caller, ...as } }),
      caller,
      ...whose,
    })
    return sendOnce(reply, operation, once)
  }
  const input = readInput(given)
  return answerInput({ operation, request, reply, visitor, entry_point, streams, asker, input })
}

interface ReadExchange extends Omit<Exchange, 'readInput'> {
  asker: Asker | null
  input: AnyInput
}

/** Runs an operation without an Idempotency-Key and replies with JSON or a stream. */
async function answerInput(exchange: ReadExchange): Promise<FastifyReply> {
  const { operation, request, reply, visitor, entry_point, streams, asker, input } = exchange
  if (operation.kind === 'stream') {
    const caller = asker && 'project' in asker ? asker : null
    assert(caller, 'A stream has a caller.')
    const recheck = () => entry_point.recheck(operation, request, caller)
    return streams.answer({ operation, request, reply, input, caller, recheck })
  }
  if (isPeopleStream(operation)) {
    assert(isMember(asker), 'It belongs to a project.')
    const recheck = () => entry_point.recheck(operation, request, asker)
    return streams.answerPerson({ operation, request, reply, input, caller: asker, recheck })
  }
  const as = { visitor, asker }
  const streamed = streamedForm(exchange)
  if (streamed) return streams.sendEvents(reply, eventsIn(await runAs(streamed, input, as)))
  const value = await runMatching(request.headers, (version) =>
    runAs(operation, version === null ? input : { ...input, if_match: version }, as),
  )
  return sendReply(reply, operation, value)
}

/** The operation as it replies with events; null if it cannot, or the client wants JSON. */
function streamedForm(exchange: ReadExchange): KeyedOperation | null {
  const { operation, request, reply, streams, entry_point, asker } = exchange
  if (operation.kind !== 'keyed' || !operation.events) return null
  if (!acceptsEvents(request.headers.accept)) return null
  const caller = asker && 'project' in asker ? asker : null
  assert(caller, 'Keyed operations have a caller with a project.')
  const following = {
    signal: streams.signalOf(reply),
    last_event_id: lastEventId(request),
    recheck: () => entry_point.recheck(operation, request, caller),
  }
  const run: KeyedOperation['run'] = operation.events.run
  const follow: KeyedOperation['run'] = (input, as) => {
    const followed = { ...input, following }
    return run(followed, as)
  }
  return { ...operation, run: follow }
}

function isMember(asker: Asker | null): asker is MemberCaller {
  return asker !== null && 'project' in asker && 'person' in asker
}

/** Runs an operation for the caller that its kind needs and that the entry point has admitted. */
async function runAs(
  operation: Exclude<Routed, StreamOperation>,
  input: AnyInput,
  { asker, visitor }: { asker: Asker | null; visitor: Visitor },
): Promise<unknown> {
  if (operation.kind === 'public') return operation.run(input, visitor)
  if (operation.kind === 'people') {
    assert(asker && 'person' in asker, 'People operations have a person as caller.')
    return runOperation({ operation, input, asker, run: (as) => operation.run(input, as) })
  }
  assert(asker && 'project' in asker, 'Keyed operations have a caller with a project.')
  return runOperation({ operation, input, asker, run: (as) => operation.run(input, as) })
}

function sendOnce(reply: FastifyReply, operation: Operation, once: OnceResult): FastifyReply {
  if (once.replayed) reply.header('Idempotent-Replayed', 'true')
  if ('value' in once) return sendReply(reply, operation, once.value)
  const { status, reply: text } = once.kept
  return reply.code(status).type('application/json; charset=utf-8').send(text)
}

interface Arrival {
  request: FastifyRequest
  reply: FastifyReply
  operation: Operation | null
}

function recognise(admission: Admission, { request, reply, operation }: Arrival): Promise<Caller> {
  return admission.recognise({
    headers: request.headers,
    request_id: request.id,
    tell: (headers) => void reply.headers(headers),
    onHolder: (caller) => void noteCaller(request, { entry_point: 'rest', caller, operation }),
  })
}

function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.split('?')[0]!
}

/** Throws 405 if the path exists with other methods, else 404. */
export function refuseUnknown(
  request: FastifyRequest,
  { root, operations }: Pick<HttpEntryPoint, 'root'> & Pick<RestOptions, 'operations'>,
): never {
  const path = pathOf(request)
  // An overlong path segment matches no route, whatever the method.
  const allowed = operations
    .filter((operation) => matches(root + operation.path, path))
    .map(({ method }) => method)
  if (allowed.length === 0 || allowed.some((method) => method === request.method))
    throw new Problem('not_found', `There is nothing at ${request.method} ${path.slice(0, 200)}.`)
  throw new Problem('method_not_allowed', `This path does not take ${request.method}.`, {
    headers: { Allow: [...new Set(allowed)].join(', ') },
  })
}

function matches(pattern: string, path: string): boolean {
  const parts = pattern.split('/')
  const given = path.split('/')
  return (
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith('{') || part === given[index])
  )
}
