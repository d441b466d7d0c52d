/**
 * REST: one route per operation, made from its declaration. Who asks is settled before the body
 * is parsed; then the request is read, the operation runs, and its reply leaves.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Visitor } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { asGuest } from '../../contract/guests.ts'
import type { Operation } from '../../contract/operation.ts'
import { asStream } from '../../contract/streams.ts'
import type { House } from '../../kernel/house.ts'
import type { Admission } from '../admission.ts'
import { runOnce, type Once } from './idempotency.ts'
import { sendProblem } from './problems.ts'
import { sendReply } from './reply.ts'
import { inputReader } from './request.ts'
import { addStreams, type Streams } from './streams.ts'

export const API_ROOT = '/api/v1'

const callers = new WeakMap<FastifyRequest, Caller>()

export interface Rest {
  house: House
  admission: Admission
  operations: readonly Operation[]
}

export function addRest(app: FastifyInstance, rest: Rest): void {
  const streams = addStreams(app, rest.house)
  for (const operation of rest.operations) {
    if (asGuest(operation)) continue
    if (!asStream(operation)?.media.takes) addRoute(app, { ...rest, streams }, operation)
    else streams.withRawBodies((raw) => addRoute(raw, { ...rest, streams }, operation))
  }
  app.setNotFoundHandler((request, reply) => answerUnknownRoute(rest, request, reply))
}

function addRoute(
  app: FastifyInstance,
  { house, admission, streams }: Rest & { streams: Streams },
  operation: Operation,
): void {
  const readInput = inputReader(operation)
  app.route({
    method: operation.method,
    url: API_ROOT + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(operation.body_bytes_max === undefined ? {} : { bodyLimit: operation.body_bytes_max }),
    onRequest: async (request, reply) => {
      if (operation.scope === null) return
      const caller = await recognise(admission, request, reply)
      admission.allow(operation, caller)
      callers.set(request, caller)
    },
    handler: async (request, reply) => {
      const visitor: Visitor = { house, db: house.db, request_id: request.id }
      const exchange = { operation, request, reply, readInput, visitor }
      return await answer({ ...exchange, admission, streams })
    },
    // Only then is it known which status was answered.
    onResponse: async (_request, reply) => {
      const labels = { operation: operation.name, status: String(reply.statusCode) }
      house.metrics.requests.observe(labels, reply.elapsedTime / 1000)
    },
    errorHandler: (error, _request, reply) => sendProblem(house, reply, error),
  })
}

interface Exchange {
  operation: Operation
  request: FastifyRequest
  reply: FastifyReply
  readInput: ReturnType<typeof inputReader>
  visitor: Visitor
  admission: Admission
  streams: Streams
}

async function answer({
  operation,
  request,
  reply,
  readInput,
  visitor,
  admission,
  streams,
}: Exchange): Promise<FastifyReply> {
  const caller = callers.get(request)
  if (operation.idempotency && caller) {
    const key = request.headers['idempotency-key']
    const once = { operation, address: request.url, key, readInput: () => readInput(request) }
    return sendOnce(reply, operation, await runOnce({ ...once, caller }))
  }
  const input = readInput(request)
  const stream = asStream(operation)
  if (stream && caller) {
    const { authorization } = request.headers
    const recheck = () => admission.recheck(operation, { authorization, caller })
    return streams.answer({ operation: stream, request, reply, input, caller, recheck })
  }
  // A public operation only ever looks at what every visitor has.
  const value = await operation.run(input, caller ?? (visitor as Caller))
  return sendReply(reply, operation, value)
}

function sendOnce(reply: FastifyReply, operation: Operation, once: Once): FastifyReply {
  if (once.replayed) reply.header('Idempotent-Replayed', 'true')
  if ('value' in once) return sendReply(reply, operation, once.value)
  const { status, reply: text } = once.kept
  return reply.code(status).type('application/json; charset=utf-8').send(text)
}

function recognise(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  return admission.recognise({
    authorization: request.headers.authorization,
    request_id: request.id,
    tell: (headers) => void reply.headers(headers),
  })
}

/** 405 where the path exists with other methods, 404 elsewhere; a key that was sent is checked first. */
async function answerUnknownRoute(
  rest: Rest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = request.url.split('?')[0]!
  const is_keyed = path.startsWith(`${API_ROOT}/`) && !path.startsWith(`${API_ROOT}/public/`)
  if (is_keyed && request.headers.authorization !== undefined) {
    await recognise(rest.admission, request, reply)
  }
  const allowed = rest.operations
    .filter((operation) => matches(operation, path))
    .map(({ method }) => method)
  if (allowed.length === 0)
    throw new Problem('not_found', `There is nothing at ${request.method} ${path.slice(0, 200)}.`)
  throw new Problem('method_not_allowed', `This path does not take ${request.method}.`, {
    headers: { Allow: [...new Set(allowed)].join(', ') },
  })
}

function matches(operation: Operation, path: string): boolean {
  const parts = (API_ROOT + operation.path).split('/')
  const given = path.split('/')
  return (
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith('{') || part === given[index])
  )
}
