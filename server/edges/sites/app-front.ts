/**
 * Requests below /api/ of a site that has an app: passed to the process of the app and streamed back. The
 * lookup of the app is cached for a second and invalidated at once by deploys.
 */
import type { FastifyInstance } from 'fastify'
import {
  APPS_TOPIC,
  closeApps,
  countRequest,
  findOfSite,
  flushAppLogs,
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
import { growingCache } from '../../kernel/limits/growing-cache.ts'
import { toDocsUrl } from '../http/problems.ts'
import { addressOf, hashAddress } from '../http/visitor-address.ts'
import { AppFailed, BodyTooLarge, createForwarder, NoAnswer } from './app-proxy.ts'
import type { HostEntry } from './host-cache.ts'
import type { PasswordGate } from './password-gate.ts'
import { toRawFields } from './serving/fields.ts'
import type { ResponseSender, SiteExchange } from './serving/send.ts'

export interface AppFront {
  /** Answers the request if it is below /api/ of a site that has an app; otherwise calls `or`. */
  serve(exchange: SiteExchange, entry: HostEntry, or: () => void): void
  /** Ends responses, when the server stops. */
  close(): void
}

const FRESH_MS = 1_000
const SITES_MAX = 20_000
const RETRY_AFTER_S = 2
/** Requests of an app that one pass of the event loop starts. */
const STARTS_EACH = 2
/** An app takes 50 requests at the same time. */
const PER_ADDRESS_MAX = 25

interface Parts {
  runtime: Runtime
  sender: ResponseSender
  gate: PasswordGate
}

function isAppPath(url: string): boolean {
  return /^\/api(?:[/?]|$)/.test(url)
}

export function createAppFront({ runtime, sender, gate }: Parts): AppFront {
  const found = growingCache<{ app: ServedApp | null; from_ms: number }>(SITES_MAX)
  const countVisitor = createVisitorCount(runtime.config)
  const refuse = createRefusal({ runtime, sender })
  const forwarder = createForwarder(runtime, sender)
  const takeTurn = createTurns()
  let generation = 0
  runtime.wakeups.listen(APPS_TOPIC, () => {
    generation += 1
    found.clear()
  })

  async function appOf({ project_id, id: site_id }: ServedSite): Promise<ServedApp | null> {
    const known = found.get(site_id)
    const age_ms = known ? runtime.clock.now_ms() - known.from_ms : FRESH_MS
    if (known && age_ms >= 0 && age_ms < FRESH_MS) return known.app
    const from_ms = runtime.clock.now_ms()
    const before = generation
    const app = (await findOfSite(runtime.db, { project_id, site_id })) ?? null
    // A lookup that began before a deploy may be outdated.
    if (before === generation) found.set(site_id, { app, from_ms })
    return app
  }

  async function answer(exchange: SiteExchange, app: ServedApp): Promise<void> {
    const { request, response } = exchange
    const length = Number(request.headers['content-length'] ?? 0)
    if (length > limits.app_request_bytes_max) return refuse(exchange, tooLarge())
    const leave = countVisitor(app, exchange)
    let use: AppUse | null = null
    let status = 0
    try {
      use = await useApp(runtime, app)
      await takeTurn(app.id)
      status = await forwarder.forward(exchange, use)
    } finally {
      leave()
      use?.release()
      const failed =
        status === 0 && !response.headersSent ? !response.destroyed : response.statusCode >= 500
      countRequest(runtime, app, failed)
    }
  }

  function fail(exchange: SiteExchange, error: unknown): void {
    if (exchange.response.destroyed) return
    refuse(exchange, problemOf(error))
    if (error instanceof AppUnavailable || error instanceof AppFailed) return
    runtime.log.warn({ err: error }, 'a request to an app failed')
  }

  /** The page of the password comes from the site server. */
  function isIn(site: ServedSite, cookies: string | undefined): boolean {
    return site.visibility !== 'password' || gate.mayEnter(site, cookies)
  }

  return {
    close: forwarder.close,
    serve(exchange, { site, layout }, or) {
      const { url = '', headers } = exchange.request
      const is_open = site !== null && layout !== null && !site.preview
      if (!is_open || !isAppPath(url) || !isIn(site, headers.cookie)) return or()
      appOf(site)
        .then((app) => (app ? answer(exchange, app) : or()))
        .catch((error: unknown) => fail(exchange, error))
    },
  }
}

/**
 * Starts the requests of each app in turns, a few in a pass of the event loop, so that a busy app delays the
 * others by those few and not by all that it was asked.
 */
function createTurns(): (app_id: string) => Promise<void> {
  const waiting = new Map<string, (() => void)[]>()
  let is_due = false

  function pass(): void {
    is_due = false
    for (const [app_id, queue] of waiting) {
      for (const start of queue.splice(0, STARTS_EACH)) start()
      if (queue.length === 0) waiting.delete(app_id)
    }
    if (waiting.size > 0) schedule()
  }

  function schedule(): void {
    if (!is_due) setImmediate(pass)
    is_due = true
  }

  return (app_id) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const queue = waiting.get(app_id)
    if (queue) queue.push(resolve)
    else waiting.set(app_id, [resolve])
    schedule()
    return promise
  }
}

/** Counts requests in flight by app and address. Throws AppUnavailable at the share of an address. */
function createVisitorCount({ trusted_proxies }: Runtime['config']) {
  const open = new Map<string, number>()
  return ({ id }: ServedApp, { request }: SiteExchange): (() => void) => {
    const key = `${id} ${hashAddress(addressOf(request, trusted_proxies))}`
    const count = open.get(key) ?? 0
    if (count >= PER_ADDRESS_MAX)
      throw new AppUnavailable('This address has too many requests at the same time.', 1)
    open.set(key, count + 1)
    return () => {
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    }
  }
}

function createRefusal({ runtime, sender }: Omit<Parts, 'gate'>) {
  return (exchange: SiteExchange, problem: Problem): void => {
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
}

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

/** Ends the processes of apps when the server closes, and writes their log. */
export function closeAppsAtClose(app: FastifyInstance, runtime: Runtime): void {
  app.addHook('onClose', async () => {
    await closeApps(runtime)
    await flushAppLogs(runtime)
  })
}
