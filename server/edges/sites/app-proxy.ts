/** Passes a request of a visitor to the process of an app, and streams its response back. */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '../../contract/limits.ts'
import { Agent, request as sendRequest } from '../../kernel/process/node-http.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { AppUse } from '../../providers/app-runtime/app-runtime.ts'
import { addressOf } from '../http/visitor-address.ts'
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

export interface Forwarder {
  /** Resolves with the status when the whole response was sent, or the visitor has left. */
  forward(exchange: SiteExchange, use: AppUse): Promise<number>
  /** From now on every response closes its connection; those that go on are cut after ten seconds. */
  close(): void
}

const CLOSE_MS_MAX = 10_000

export function createForwarder(runtime: Runtime, sender: ResponseSender): Forwarder {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 50 })
  const open = new Set<ServerResponse>()
  let is_closing = false

  function forward({ request, response }: SiteExchange, use: AppUse): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    if (response.destroyed) return Promise.resolve(0)
    open.add(response)
    const { method, url: path } = request
    const headers = forwardedHeaders(request, runtime.config)
    const upstream = sendRequest({ agent, socketPath: use.socket, method, path, headers })
    const first = setTimeout(() => upstream.destroy(new NoAnswer()), FIRST_BYTE_MS_MAX)
    const last = setTimeout(() => response.destroy(), RESPONSE_MS_MAX)
    const end = () => {
      clearTimeout(first)
      clearTimeout(last)
      open.delete(response)
      // The rest of a body that the app did not read must not wait for the next request.
      request.unpipe()
      request.resume()
    }
    upstream.once('error', (error) => {
      end()
      reject(error)
    })
    upstream.once('response', (reply) => {
      clearTimeout(first)
      if (reply.headers['homeport-app-failed'] !== undefined)
        return upstream.destroy(new AppFailed())
      const status = reply.statusCode ?? 502
      sender.count(status)
      const is_last = is_closing || !request.complete
      const fields = returnedHeaders(reply.rawHeaders)
      response.writeHead(status, is_last ? [...fields, 'Connection', 'close'] : fields)
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

  return {
    forward,
    close() {
      is_closing = true
      const cut = () => {
        for (const response of open) response.destroy()
      }
      setTimeout(cut, CLOSE_MS_MAX).unref()
    },
  }
}

function forwardedHeaders(
  request: IncomingMessage,
  { public_url, trusted_proxies }: Runtime['config'],
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !notForwarded.test(name)) headers[name] = value
  headers['x-forwarded-proto'] = public_url.startsWith('https:') ? 'https' : 'http'
  headers['x-forwarded-for'] = addressOf(request, trusted_proxies)
  // Node writes a body without a length raw for GET and DELETE, unless this header is set.
  if (request.headers['transfer-encoding'] !== undefined) {
    delete headers['content-length']
    headers['transfer-encoding'] = 'chunked'
  }
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
    kept.push(name, is_cookie ? value.replaceAll(/;\s*domain\s*(?:=[^;]*)?/gi, '') : value)
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
