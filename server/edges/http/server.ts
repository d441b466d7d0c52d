/**
 * The HTTP server of all entry points: request ids, common headers, bodies as bytes, and a problem
 * document for every error, including requests that are not HTTP.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import { Problem, problemDocument } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newRequestId } from '../../kernel/values/ids.ts'
import { createServer } from '../../kernel/process/node-http.ts'
import { withTask } from '../../kernel/process/unexpected-errors.ts'
import { decodeBody } from './bodies/content-encoding.ts'
import { boundConnections } from './connections.ts'
import { toDocsUrl, sendProblem } from './problems.ts'

const REQUEST_MS_MAX = 60_000
/** A sender must send this many bytes in this time, 1 kB/s. */
const BODY_WINDOW_MS = 20_000
const BODY_WINDOW_BYTES_MIN = 20_000
const LOOK_MS = 1000
/** Maximum duration of an upload; the uploads edge limits pauses. */
const UPLOAD_MS_MAX = 900_000
/** Uploads limit their time themselves. */
const uploadPattern = /^\/(?:verification\/)?uploads\//
/** Keep-alive timeout in milliseconds. */
const KEEP_ALIVE_MS = 72_000
/** Timeout of an idle connection during a request; streams send something every 15 seconds. */
const SILENCE_MS_MAX = 180_000
/** Maximum length of a path parameter: a path within a site with every byte percent-encoded. */
const PATH_PARAMETER_CHARACTERS_MAX = 3 * limits.site_path_bytes_max
const secretPattern = /hm_[a-z]+_|whsec_/i
const requestIdPattern = new RegExp(`^[A-Za-z0-9_-]{1,${limits.request_id_characters_max}}$`)

const refuseSchema = () => {
  throw new Error('Routes have no schemas of Fastify: operations validate by themselves.')
}
/** Prevents Fastify from loading its own schema compilers, 5 MB that are not used. */
const noCompilers = { buildValidator: () => refuseSchema, buildSerializer: () => refuseSchema }

/** Handles a request before routing. Returns false if the routes have to handle it. */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean

/** Creates the server; `front` gets each request before the routes. */
export function createHttpServer(runtime: Runtime, front: Front = () => false): FastifyInstance {
  const app = fastify({
    bodyLimit: limits.json_body_bytes_max,
    serverFactory: (routes) => {
      const options = {
        requestTimeout: UPLOAD_MS_MAX,
        keepAliveTimeout: KEEP_ALIVE_MS,
      }
      const server = createServer(options, (request, response) => {
        boundArrival(runtime, request)
        const about = { method: request.method, path: pathForLog(request) }
        withTask({ about, fail: () => answerFailure(runtime, response) }, () => {
          if (!front(request, response)) routes(request, response)
        })
      })
      boundConnections(runtime, server)
      return server.setTimeout(SILENCE_MS_MAX)
    },
    routerOptions: { maxParamLength: PATH_PARAMETER_CHARACTERS_MAX },
    trustProxy: [...runtime.config.trusted_proxies],
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']),
    clientErrorHandler: (error, socket) => answerBrokenRequest(runtime, error, socket),
    frameworkErrors: (error, request, reply) =>
      void sendProblem(runtime, reply.headers(headersOf(request.id)), error),
    return503OnClosing: false,
    logger: false,
    schemaController: { compilersFactory: noCompilers },
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request.id))
  })
  // Bodies stay bytes until the operation is known, which defines media type and size.
  app.removeAllContentTypeParsers()
  const bytes = { parseAs: 'buffer' } as const
  app.addContentTypeParser('*', bytes, (request: FastifyRequest, body: Buffer) =>
    decodeBody(request, body, request.routeOptions.bodyLimit ?? limits.json_body_bytes_max),
  )
  app.setErrorHandler((error, _request, reply) => sendProblem(runtime, reply, error))
  return app
}

/** The start of the path without its last segments, which may contain secrets. */
function pathForLog({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?')
  return path
    .split('/')
    .slice(0, path.startsWith('/api/') ? 4 : 3)
    .join('/')
}

/** Replies 500 to an uncaught error in a callback of the request. */
function answerFailure(runtime: Runtime, response: ServerResponse): void {
  if (response.headersSent) return void response.destroy()
  const request_id = newRequestId()
  const problem = new Problem('internal_error', 'The service failed while it handled this request.')
  const document = problemDocument(problem, { request_id, docs_url: toDocsUrl(runtime) })
  response
    .writeHead(500, { ...headersOf(request_id), 'Content-Type': 'application/problem+json' })
    .end(JSON.stringify(document))
}

/**
 * Ends requests whose bodies arrive too slowly, and every one except an upload after a minute. Time in
 * which the body is not read does not count as slow.
 */
function boundArrival(runtime: Runtime, request: IncomingMessage): void {
  const { headers, method, url = '', socket } = request
  if (!('content-length' in headers) && !('transfer-encoding' in headers)) return
  const is_upload = method === 'PUT' && uploadPattern.test(url)
  const { clock } = runtime
  const begun_ms = clock.now_ms()
  let window = { begun_ms, bytes: socket.bytesRead }
  const look = setInterval(() => {
    const now_ms = clock.now_ms()
    if (request.complete) return
    const is_late = !is_upload && now_ms - begun_ms > REQUEST_MS_MAX
    const is_unread = request.readableLength >= request.readableHighWaterMark
    const is_fast = socket.bytesRead - window.bytes >= BODY_WINDOW_BYTES_MIN
    const is_slow = !is_unread && !is_fast && now_ms - window.begun_ms > BODY_WINDOW_MS
    if (is_late || is_slow) answerBrokenRequest(runtime, new Error('It took too long.'), socket)
    else if (is_unread || is_fast) window = { begun_ms: now_ms, bytes: socket.bytesRead }
  }, LOOK_MS)
  // A request that was answered before its body had arrived is not always closed.
  look.unref()
  request.once('close', () => clearInterval(look))
}

/** Headers of every response, including those that bypass Fastify's hooks. */
function headersOf(request_id: string): Record<string, string> {
  return {
    'X-Request-Id': request_id,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
}

/** An id that looks like a key or token of ours would put a secret into logs, so it is replaced. */
function requestIdFrom(header: string | string[] | undefined): string {
  const is_usable =
    typeof header === 'string' && requestIdPattern.test(header) && !secretPattern.test(header)
  return is_usable ? header : newRequestId()
}

/** Sends a problem document to a request that is not valid HTTP, and closes the connection. */
function answerBrokenRequest(
  runtime: Runtime,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // After "Connection: close" further requests on the connection get no reply.
  if (error.code === 'HPE_CLOSED_CONNECTION') return
  const request_id = newRequestId()
  const problem = new Problem(
    'bad_request',
    'The request is not valid HTTP, or took too long to arrive.',
  )
  const body = JSON.stringify(
    problemDocument(problem, { request_id, docs_url: toDocsUrl(runtime) }),
  )
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${request_id}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
