/**
 * Requests below /api/ of a site that has an app: passed to the process of the app and streamed back. The
 * lookup of the app is cached for a second and invalidated at once by deploys.
 */
import { Agent, request as sendRequest, type IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import {
  APPS_TOPIC,
  countRequest,
  findOfSite,
  useApp,
  type ServedApp,
} from '../../areas/apps/service.ts'
import type { ServedSite } from '../../areas/sites/service.ts'
import { Problem, problemDocument } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import {
  AppStartFailed,
  AppUnavailable,
  type AppUse,
} from '../../providers/app-runtime/app-runtime.ts'
import { newRequestId } from '../../kernel/values/ids.ts'
import { toDocsUrl } from '../http/problems.ts'
import { toRawFields } from './serving/fields.ts'
import { hasBody, type ResponseSender, type SiteExchange } from './serving/send.ts'

export interface AppFront {
  /** Answers the request and returns true if the site has an app; otherwise calls `or`. */
  serve(exchange: SiteExchange, site: ServedSite, or: () => void): void
}

const FRESH_MS = 1_000
const SITES_MAX = 20_000
/** Time until the first byte of a response, and until its end. */
const FIRST_BYTE_MS_MAX = 60_000
const RESPONSE_MS_MAX = 15 * 60_000
const RETRY_AFTER_S = 2

/** Headers of one connection, and those that only the server may set. */
const notForwarded =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|x-forwarded-.*|homeport-.*)$/i
const notReturned =
  /^(?:connection|keep-alive|proxy-.*|trailer|transfer-encoding|upgrade|homeport-.*|strict-transport-security)$/i

export function isAppPath(url: string): boolean {
  return /^\/api(?:[/?]|$)/.test(url)
}

export function createAppFront(runtime: Runtime, sender: ResponseSender): AppFront {
  const found = new LRUCache<string, { app: ServedApp | null; from_ms: number }>({ max: SITES_MAX })
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 10_000, maxFreeSockets: 8 })
  runtime.wakeups.listen(APPS_TOPIC, () => found.clear())

  async function appOf({ project_id, id: site_id }: ServedSite): Promise<ServedApp | null> {
    const known = found.get(site_id)
    const age_ms = known ? runtime.clock.now_ms() - known.from_ms : FRESH_MS
    if (known && age_ms >= 0 && age_ms < FRESH_MS) return known.app
    const from_ms = runtime.clock.now_ms()
    const app = (await findOfSite(runtime.db, { project_id, site_id })) ?? null
    found.set(site_id, { app, from_ms })
    return app
  }

  function refuse(exchange: SiteExchange, problem: Problem): void {
    if (exchange.response.headersSent) return void exchange.response.destroy()
    const request_id = newRequestId()
    const document = problemDocument(problem, { request_id, docs_url: toDocsUrl(runtime) })
    const body = Buffer.from(JSON.stringify(document))
    const fields = toRawFields({
      'Content-Type': 'application/problem+json',
      'Content-Length': String(body.length),
      'X-Request-Id': request_id,
      'Cache-Control': 'no-store',
      ...(problem.extra.retry_after_s === undefined
        ? {}
        : { 'Retry-After': String(problem.extra.retry_after_s) }),
    })
    sender.send(exchange, { status: problem.status, fields, body })
  }

  async function answer(exchange: SiteExchange, app: ServedApp): Promise<void> {
    const { request, response } = exchange
    const length = Number(request.headers['content-length'] ?? 0)
    if (length > limits.app_request_bytes_max) return refuse(exchange, tooLarge())
    const use = await useApp(runtime, app)
    let status = 0
    try {
      status = await forward(exchange, use)
    } finally {
      use.release()
      const failed =
        status === 0 ? !response.headersSent || response.statusCode >= 500 : status >= 500
      countRequest(runtime, app, failed)
    }
  }

  /** Returns the status when the whole response has been sent, or the visitor has left. */
  function forward({ request, response }: SiteExchange, use: AppUse): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const upstream = sendRequest({
      agent,
      socketPath: use.socket,
      method: request.method,
      path: request.url,
      headers: forwardedHeaders(request, schemeOf(runtime)),
    })
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
      if (reply.headers['homeport-app-failed'] !== undefined) {
        reply.resume()
        end()
        return reject(new AppFailed())
      }
      sender.count(status)
      response.writeHead(status, returnedHeaders(reply.rawHeaders))
      reply.pipe(response)
      reply.once('error', () => response.destroy())
    })
    response.once('close', () => {
      end()
      upstream.destroy()
      resolve(response.statusCode)
    })
    sendBody(request, upstream, () => upstream.destroy(new BodyTooLarge()))
    return promise
  }

  function fail(exchange: SiteExchange, error: unknown): void {
    if (exchange.response.destroyed) return
    refuse(exchange, problemOf(error))
    if (error instanceof AppUnavailable || error instanceof AppFailed) return
    runtime.log.warn({ err: error }, 'a request to an app failed')
  }

  return {
    serve(exchange, site, or) {
      appOf(site)
        .then((app) => (app ? answer(exchange, app) : or()))
        .catch((error: unknown) => fail(exchange, error))
    },
  }
}

class NoAnswer extends Error {}
class BodyTooLarge extends Error {}
class AppFailed extends Error {}

function problemOf(error: unknown): Problem {
  if (error instanceof BodyTooLarge) return tooLarge()
  if (error instanceof AppFailed) return failed('The code of the app failed. Its log says why.')
  if (error instanceof NoAnswer)
    return unavailable('The app did not answer in time.', RETRY_AFTER_S)
  if (error instanceof AppUnavailable) return unavailable(error.message, error.retry_after_s)
  if (error instanceof AppStartFailed) return unavailable('The app does not start.', RETRY_AFTER_S)
  return unavailable('The app was stopped while it answered.', RETRY_AFTER_S)
}

function failed(detail: string): Problem {
  return new Problem('internal_error', detail, {
    user_message: 'Something went wrong on this website. Please try again later.',
  })
}

function unavailable(detail: string, retry_after_s: number): Problem {
  return new Problem('service_unavailable', detail, {
    retry_after_s,
    user_message: 'This part of the website is not available right now. Please try again.',
  })
}

function tooLarge(): Problem {
  const detail = `The body of a request to an app has at most ${limits.app_request_bytes_max} bytes.`
  return new Problem('bad_request', detail, {
    status: 413,
    user_message: 'What you sent is too large for this website.',
  })
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

function sendBody(
  request: IncomingMessage,
  upstream: ReturnType<typeof sendRequest>,
  onTooLarge: () => void,
): void {
  if (!hasBody(request)) return void upstream.end()
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > limits.app_request_bytes_max) onTooLarge()
  })
  request.once('error', () => upstream.destroy())
  request.pipe(upstream)
}
