/**
 * Handles requests for hosts below the sites domain before the router does; none of them reaches
 * the API. It is the bare handler of the HTTP server, because a cached page costs less than
 * routing.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { Problem, problemDocument } from '../../contract/errors.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newRequestId } from '../../kernel/values/ids.ts'
import { toDocsUrl } from '../http/problems.ts'
import { toRawFields } from './serving/fields.ts'
import { createPasswordGate, type PasswordGate } from './password-gate.ts'
import { onlyHost, readHost, type HostKind } from './host.ts'
import { createAppFront } from './app-front.ts'
import { AUTH_PATH } from './app-auth/visit.ts'
import { PASSWORD_PATH } from './notices.ts'
import { createSender, hasBody, type SiteResponse, type SiteExchange } from './serving/send.ts'
import { createSiteServer } from './serving/serve.ts'
import { createHostCache, type HostEntry } from './host-cache.ts'

export interface SitesHandler {
  /**
   * Responds to a request for a site and returns true; returns false for a request of the service.
   */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** Returns the site of the host; null if the host is not one of a site. */
  entryOf(request: IncomingMessage): Promise<HostEntry> | null
  gate: PasswordGate
  /** From now on every response closes its connection. */
  close(): void
}

const KINDS_MAX = 2_000

export function createSitesHandler(runtime: Runtime): SitesHandler {
  const hostCache = createHostCache(runtime)
  const gate = createPasswordGate(runtime)
  const sender = createSender(runtime)
  const server = createSiteServer({ runtime, sender, gate })
  const apps = createAppFront({ runtime, sender, gate })
  const kindOf = kindReader(runtime)

  function refuse(exchange: SiteExchange): true {
    const refusal = badHostResponse(runtime)
    setImmediate(() => {
      if (!exchange.request.socket.writableEnded) sender.send(exchange, refusal)
    })
    return true
  }

  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const exchange = { request, response }
    const host = onlyHost(request)
    if (request.httpVersionMajor !== 1) return refuse(exchange)
    if (host === null || !matchesHost(request, host)) return refuse(exchange)
    const known = hostCache.known(host)
    if (known === undefined) return answerUnknown(exchange, host)
    if (isOurs(request)) return false
    guarded(exchange, known)
    return true
  }

  function answerUnknown(exchange: SiteExchange, host: string): boolean {
    const place = kindOf(host)
    if (place.kind === 'service') return false
    if (place.kind === 'malformed') return refuse(exchange)
    if (place.kind === 'nowhere') server.notice(exchange, 'nowhere')
    else if (isOurs(exchange.request)) return false
    else {
      hostCache.find(host, place.label).then(
        (entry) => guarded(exchange, entry),
        (error: unknown) => server.fail(exchange, error),
      )
    }
    return true
  }

  function guarded(exchange: SiteExchange, entry: HostEntry): void {
    // Waits a turn, because the parser may still reject the body, and the 400 must be the only
    // response.
    if (hasBody(exchange.request)) setImmediate(attempt, exchange, entry)
    else attempt(exchange, entry)
  }

  function attempt(exchange: SiteExchange, entry: HostEntry): void {
    if (exchange.request.socket.writableEnded) return
    try {
      apps.serve(exchange, entry, () => server.serve(exchange, entry))
    } catch (error) {
      server.fail(exchange, error)
    }
  }

  return {
    answer,
    gate,
    close() {
      sender.close()
      apps.close()
    },
    entryOf(request) {
      const host = onlyHost(request) ?? ''
      const place = kindOf(host)
      return place.kind === 'site' ? hostCache.find(host, place.label) : null
    },
  }
}

/** Returns a problem document, as for any request that is refused before its host is known. */
function badHostResponse(runtime: Runtime): SiteResponse {
  const request_id = newRequestId()
  const problem = new Problem('bad_request', 'The Host header of this request cannot be used.')
  const document = problemDocument(problem, { request_id, docs_url: toDocsUrl(runtime) })
  const body = Buffer.from(JSON.stringify(document))
  const fields = toRawFields({
    'Content-Type': 'application/problem+json',
    'Content-Length': String(body.length),
    'X-Request-Id': request_id,
    'Cache-Control': 'no-store',
  })
  return { status: problem.status, fields, body, is_last: true }
}

/** Whether the request is a password attempt or a sign-in to an app, which routes that read bodies handle. */
function isOurs({ method, url = '' }: IncomingMessage): boolean {
  return (method === 'POST' && url === PASSWORD_PATH) || url.startsWith(AUTH_PATH)
}

/**
 * Whether the host of an absolute request target equals the Host header. A difference indicates
 * request smuggling through a proxy.
 */
function matchesHost(request: IncomingMessage, host: string): boolean {
  const { url = '' } = request
  if (url.startsWith('/') || url === '*') return true
  const read = /^https?:\/\//i.test(url) ? URL.parse(url) : null
  if (read === null || read.host !== (URL.parse(`${read.protocol}//${host}`)?.host ?? ''))
    return false
  request.url = read.pathname + read.search
  return true
}

/** Returns a function that caches the kind of each host until the configuration changes. */
function kindReader(runtime: Runtime): (host: string) => HostKind {
  const kinds = new LRUCache<string, HostKind>({ max: KINDS_MAX })
  let config: Config = runtime.config
  return (host) => {
    if (config !== runtime.config) kinds.clear()
    config = runtime.config
    const known = kinds.get(host) ?? (host === '' ? { kind: 'service' } : readHost(host, config))
    kinds.set(host, known)
    return known
  }
}
