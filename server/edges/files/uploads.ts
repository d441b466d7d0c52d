/**
 * PUT /uploads/{token} and /verification/uploads/{token}: sends a file to an upload link. The link is
 * the credential; no key is needed.
 */
import { finished } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { receiveUpload } from '../../areas/files/service.ts'
import { receiveDocument } from '../../areas/verification/service.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { sendProblem } from '../http/problems.ts'

/** Maximum pause between chunks, in milliseconds. */
const SILENCE_MS_MAX = 30_000
/** Maximum time in which a document arrives, because it holds one of a few slots meanwhile. */
const DOCUMENT_MS_MAX = 180_000
const HEARD_BYTES_MAX = 16 * 1_048_576
const PREFLIGHT_KEPT_S = 7200

export function addUploads(app: FastifyInstance, runtime: Runtime): void {
  // A separate Fastify scope, because only these routes leave bodies unparsed.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('Access-Control-Allow-Origin', '*')
    })
    scope.setErrorHandler((error, request, reply) => refuse(runtime, { error, request, reply }))
    scope.options('/uploads/:token', (_request, reply) => preflight(reply))
    // Without a preflight reply, so that only pages of this origin can send documents.
    scope.put<{ Params: { token: string } }>(
      '/verification/uploads/:token',
      async (request, reply) => {
        request.raw.setTimeout(SILENCE_MS_MAX, () => request.raw.destroy())
        const bytes = readWithin(request, DOCUMENT_MS_MAX)
        const sent = { bytes, content_length: lengthOf(request) }
        return reply.code(200).send(await receiveDocument(runtime, request.params.token, sent))
      },
    )
    scope.put<{ Params: { token: string } }>('/uploads/:token', async (request, reply) => {
      request.raw.setTimeout(SILENCE_MS_MAX, () => request.raw.destroy())
      const bytes = request.raw.iterator({ destroyOnReturn: false })
      const sent = { bytes, content_length: lengthOf(request) }
      const received = await receiveUpload(runtime, request.params.token, sent)
      return reply.code(200).send(received)
    })
  })
}

/** Closes the connection of a client that takes too long. The time begins with the first read. */
async function* readWithin({ raw }: FastifyRequest, time_ms: number): AsyncGenerator<Uint8Array> {
  const timer = setTimeout(() => raw.destroy(), time_ms)
  try {
    yield* raw.iterator({ destroyOnReturn: false })
  } finally {
    clearTimeout(timer)
  }
}

function preflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      'Access-Control-Allow-Methods': 'PUT',
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': String(PREFLIGHT_KEPT_S),
    })
    .send()
}

function lengthOf(request: FastifyRequest): number | null {
  const header = request.headers['content-length']
  return header === undefined ? null : Number(header)
}

interface Refusal {
  error: unknown
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Sends a Problem during an upload. If little of the body is left, reads it first, because many
 * clients read no reply before they have sent everything; otherwise closes the connection.
 */
async function refuse(runtime: Runtime, { error, request, reply }: Refusal): Promise<FastifyReply> {
  const { raw } = request
  const is_near = (lengthOf(request) ?? Infinity) <= HEARD_BYTES_MAX
  if (is_near && !raw.destroyed) raw.resume()
  if (is_near) await finished(raw, { writable: false }).catch(() => {})
  if (!raw.complete) reply.header('Connection', 'close')
  return sendProblem(runtime, reply, error)
}
