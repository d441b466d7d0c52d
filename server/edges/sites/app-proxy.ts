/** Passes a request of a visitor to the process of an app, and streams its response back. */
import { Agent, request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { AppUse } from '../../providers/app-runtime/app-runtime.ts'
import { hasBody, type ResponseSender, type SiteExchange } from './serving/send.ts'

/** Time until the first byte of a response, and until its end. */
const FIRST_BYTE_MS_MAX = 60_000
const RESPONSE_MS_MAX = 15 * 60_000

/** Headers of one connection, and those that only the server may set. */
const notForwarded =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|x-forwarded-.*|homeport-.*)$/i
const notReturned =
  /^(?:connection|keep-alive|proxy-.*|trailer|transfer-encoding|upgrade|homeport-.*|strict-transport-security)$/i

export class NoAnswer extends Error {}
export class BodyTooLarge extends Error {}
/** The code threw an exception. */
export class AppFailed extends Error {}

/**
 * Returns a function that resolves with the status when the whole response was sent, or the visitor has
 * left.
 */
export function createForwarder(runtime: Runtime, sender: ResponseSender) {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 8 })
  return ({ request, response }: SiteExchange, use: AppUse): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const { method, url: path } = request
    const headers = forwardedHeaders(request, schemeOf(runtime))
    const upstream = sendRequest({ agent, socketPath: use.socket, method, path, headers })
    const first = setTimeout(() => upstream.destroy(new NoAnswer()), FIRST_BYTE_MS_MAX)
    const last = setTimeout(() => response.destroy(), RESPONSE_MS_MAX)
    const end = () => {
      clearTimeout(first)
      clearTimeout(last)
    }
    upstream.once('error', (error) => {
      end()
      reject(error)
    })
    upstream.once('response', (reply) => {
      clearTimeout(first)
      const status = reply.statusCode ?? 502
      if (reply.headers['homeport-app-failed'] !== undefined)
        return upstream.destroy(new AppFailed())
      sender.count(status)
      response.writeHead(status, returnedHeaders(reply.rawHeaders))
      reply.pipe(response)
      return reply.once('error', () => response.destroy())
    })
    response.once('close', () => {
      end()
      upstream.destroy()
      resolve(response.statusCode)
    })
    sendBody(request, upstream)
    return promise
  }
}

function schemeOf({ config }: Runtime): string {
  return config.public_url.startsWith('https:') ? 'https' : 'http'
}

function forwardedHeaders(
  request: IncomingMessage,
  scheme: string,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !notForwarded.test(name)) headers[name] = value
  headers['x-forwarded-proto'] = scheme
  headers['x-forwarded-for'] = request.socket.remoteAddress ?? ''
  if (request.headers['transfer-encoding'] !== undefined) delete headers['content-length']
  return headers
}

/** Names and values in turn. A cookie of the app stays on the host of the site. */
function returnedHeaders(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!
    const value = raw[at + 1]!
    if (notReturned.test(name)) continue
    const is_cookie = /^set-cookie$/i.test(name)
    kept.push(name, is_cookie ? value.replaceAll(/;\s*domain=[^;]*/gi, '') : value)
  }
  return kept
}

function sendBody(request: IncomingMessage, upstream: ClientRequest): void {
  if (!hasBody(request)) return void upstream.end()
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > limits.app_request_bytes_max) upstream.destroy(new BodyTooLarge())
  })
  request.once('error', () => upstream.destroy())
  request.pipe(upstream)
}
