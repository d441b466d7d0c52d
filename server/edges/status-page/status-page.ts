/**
 * The public status page at /status. It needs no script, cookie or sign-in, and is also served
 * while the database is unavailable. If the settings name another status page, it redirects there.
 */
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as status from '../../areas/status/service.ts'
import { limits } from '../../contract/limits.ts'
import { createSlidingWindow } from '../../kernel/limits/sliding-window.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { readStyle } from '../html/style.ts'
import { createProblemHeaders, toProblem } from '../http/problems.ts'
import { findNetwork } from '../http/visitor-address.ts'
import { ATOM, renderFeed } from './feed.ts'
import { HTML, setSecurityHeaders, renderMessage, STATUS_PATH, STYLE_PATH } from './frame.ts'
import { findIncident, findMonth, renderHistory, renderNow, renderOne } from './pages.ts'
import { addSubscriptions } from './subscriptions.ts'
import { writeSummary } from './summary.ts'
import { chooseLanguage, pickAccepted } from '../html/language.ts'
import { pageTexts } from './texts.ts'
import { openViews, type View } from './view.ts'

/** Caches may serve an old page for a day while this server does not reply. */
const CACHE = 'public, max-age=30, stale-while-revalidate=60, stale-if-error=86400'
const JSON_TYPE = 'application/json; charset=utf-8'

interface Asked {
  view: View
  language: status.PageLanguage
  /** The result of `find`. */
  found: string
}

interface Served {
  type: string
  /** The month or the incident that the request names; null if there is none. Default: none named. */
  find?(view: View, request: FastifyRequest): string | null
  render(asked: Asked): string
}

export function addStatusPage(app: FastifyInstance, runtime: Runtime): void {
  // An encapsulated scope, because errors here are pages instead of problem documents.
  void app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error, runtime, request.id)
      const t = pageTexts[languageOf(request)]
      const text = problem.status === 404 ? t.not_found : t.failed
      const title = problem.status === 404 ? t.not_found_title : t.failed_title
      setSecurityHeaders(reply)
        .code(problem.status)
        .headers(createProblemHeaders(problem))
        .type(HTML)
      return reply.send(renderMessage(languageOf(request), { title, text }))
    })
    addPages(scope, runtime)
    addSubscriptions(scope, runtime)
  })
}

const texts = new WeakMap<View, Map<string, string>>()

/** Renders a page once for a view. The keys are few: no part of them is free text of a request. */
function rendered(view: View, key: string, render: () => string): string {
  const known = texts.get(view) ?? new Map<string, string>()
  texts.set(view, known)
  const text = known.get(key) ?? render()
  known.set(key, text)
  return text
}

function addPages(app: FastifyInstance, runtime: Runtime): void {
  const views = openViews(runtime)
  app.addHook('onClose', async () => views.close())
  const { config } = runtime
  const can_subscribe = status.canSubscribe(runtime)
  const isRefused = createRate(runtime)
  const serve = (path: string, { type, find = () => '', render }: Served) =>
    app.get(path, async (request, reply) => {
      const external = status.hasOwnPage(config) ? null : config.status_url
      if (external !== null && type !== JSON_TYPE) return reply.redirect(external, 302)
      const language = languageOf(request)
      if (isRefused(request, reply)) return sendRefusal(reply, language)
      const view = await views.read()
      const found = find(view, request)
      if (found === null) return sendNotFound(reply, language)
      const text = rendered(view, `${path} ${language} ${found}`, () =>
        render({ view, language, found }),
      )
      return send(request, reply, { type, text })
    })
  serve(STATUS_PATH, {
    type: HTML,
    render: ({ view, language }) => renderNow(view, { language, can_subscribe }),
  })
  serve(`${STATUS_PATH}/history`, {
    type: HTML,
    find(view, request) {
      const { month } = Object(request.query)
      return findMonth(view, typeof month === 'string' ? month : null)
    },
    render: ({ view, language, found }) => renderHistory(view, { language, month: found }),
  })
  serve(`${STATUS_PATH}/incidents/:id`, {
    type: HTML,
    find: (view, request) =>
      findIncident(view, String(Object(request.params).id).toLowerCase())?.id ?? null,
    render: ({ view, language, found }) => renderOne(view, { language, id: found }),
  })
  serve(`${STATUS_PATH}/feed.atom`, {
    type: ATOM,
    render: ({ view, language }) =>
      renderFeed(view, { language, public_url: runtime.config.public_url }),
  })
  serve(`${STATUS_PATH}.json`, {
    type: JSON_TYPE,
    render: ({ view }) => JSON.stringify(view.status),
  })
  serve(`${STATUS_PATH}/api/v2/summary.json`, {
    type: JSON_TYPE,
    render: ({ view }) => JSON.stringify(writeSummary(view, runtime.config.public_url)),
  })
  const style = readStyle(join(import.meta.dirname, 'assets'), ['status.css'])
  app.get(STYLE_PATH, async (request, reply) =>
    send(request, reply, { type: 'text/css; charset=utf-8', text: style }),
  )
}

/** Counts requests by network. The result is whether one is refused; then the reply has its wait. */
function createRate({ clock }: Runtime): (request: FastifyRequest, reply: FastifyReply) => boolean {
  const { status_page_requests_max: limit, status_page_window_s } = limits
  const rate = createSlidingWindow(clock, { limit, window_ms: status_page_window_s * 1000 })
  return ({ ip }, reply) => {
    const { allowed, retry_after_s } = rate.pass(findNetwork(ip))
    if (!allowed) reply.code(429).header('Retry-After', String(retry_after_s))
    return !allowed
  }
}

function languageOf({ query, headers }: FastifyRequest): status.PageLanguage {
  return chooseLanguage(Object(query).lang, pickAccepted(headers))
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, text }: { type: string; text: string },
): FastifyReply {
  const etag = `"${sha256(text).toString('base64url')}"`
  setSecurityHeaders(reply).headers({ ETag: etag, 'Cache-Control': CACHE, Vary: 'Accept-Language' })
  // Feeds and data are public, so pages of other origins may read them.
  if (type === ATOM || type === JSON_TYPE) reply.header('Access-Control-Allow-Origin', '*')
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  return reply.type(type).send(text)
}

function sendNotFound(reply: FastifyReply, language: status.PageLanguage): FastifyReply {
  const t = pageTexts[language]
  const message = { title: t.not_found_title, text: t.not_found }
  return setSecurityHeaders(reply).code(404).type(HTML).send(renderMessage(language, message))
}

function sendRefusal(reply: FastifyReply, language: status.PageLanguage): FastifyReply {
  const t = pageTexts[language]
  const message = { title: t.failed_title, text: t.too_many_pages }
  return setSecurityHeaders(reply).type(HTML).send(renderMessage(language, message))
}
