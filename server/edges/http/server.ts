/**
 * The HTTP server that every way in hangs on: request ids, headers of every response, bodies as
 * raw bytes, and a problem document for whatever goes wrong, down to requests that are no HTTP.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fastify, type FastifyInstance } from 'fastify'
import { Problem, problemDocument } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newRequestId } from '../../kernel/values/ids.ts'
import { withTask } from '../../kernel/process/unexpected-errors.ts'
import { docsUrl, sendProblem } from './problems.ts'

const REQUEST_MS_MAX = 60_000
/** A file may be long and a line slow; for how long it may be silent, its edge says. */
const UPLOAD_MS_MAX = 900_000
/** Milliseconds for which a connection is kept for the next request. */
export const KEEP_ALIVE_MS = 72_000
/** A connection in use on which nothing moves for so long is ended; feeds move every 15 seconds. */
const SILENCE_MS_MAX = 180_000
/** The path of a file of a site, each byte of it as three characters. */
const PATH_PARAMETER_CHARACTERS_MAX = 3 * limits.site_path_bytes_max
const requestIdPattern = new RegExp(`^[A-Za-z0-9_-]{1,${limits.request_id_characters_max}}$`)

/** Answers what is for it, and tells whether it was. */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean

/** `front` is asked first; what it does not answer goes to the routes. */
export function newServer(runtime: Runtime, front: Front = () => false): FastifyInstance {
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
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request.id))
  })
  // Bodies stay bytes until the operation is known: what is JSON, and how much, is its to say.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, _request, reply) => sendProblem(runtime, reply, error))
  return app
}

/** The beginning of the path: what follows may be the secret of a link. */
function pathForLog({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?')
  return path
    .split('/')
    .slice(0, path.startsWith('/api/') ? 4 : 3)
    .join('/')
}

/** Answers 500 for an error in a callback of the request that nothing handled. */
function answerFailure(runtime: Runtime, response: ServerResponse): void {
  if (response.headersSent) return void response.destroy()
  const request_id = newRequestId()
  const problem = new Problem('internal_error', 'The service failed while it handled this request.')
  const document = problemDocument(problem, { request_id, docs_url: docsUrl(runtime) })
  response
    .writeHead(500, { ...headersOf(request_id), 'Content-Type': 'application/problem+json' })
    .end(JSON.stringify(document))
}

/** Every body but that of an upload has to be there within a minute. */
function boundArrival(runtime: Runtime, request: IncomingMessage): void {
  const { headers, method, url = '' } = request
  const has_body = 'content-length' in headers || 'transfer-encoding' in headers
  if (!has_body || (method === 'PUT' && url.startsWith('/uploads/'))) return
  const timer = setTimeout(() => {
    if (!request.complete)
      answerBrokenRequest(runtime, new Error('It took too long.'), request.socket)
  }, REQUEST_MS_MAX)
  request.once('close', () => clearTimeout(timer))
}

/** What every response carries, also one that no hook sees. */
function headersOf(request_id: string): Record<string, string> {
  return {
    'X-Request-Id': request_id,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
}

function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && requestIdPattern.test(header) ? header : newRequestId()
}

/** Even what is not HTTP gets a problem document, written by hand, and the connection ends. */
function answerBrokenRequest(
  runtime: Runtime,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // Who said that a request is its last, and sends more, gets the answer to that one alone.
  if (error.code === 'HPE_CLOSED_CONNECTION') return
  const request_id = newRequestId()
  const problem = new Problem(
    'bad_request',
    'The request is not valid HTTP, or took too long to arrive.',
  )
  const body = JSON.stringify(problemDocument(problem, { request_id, docs_url: docsUrl(runtime) }))
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
