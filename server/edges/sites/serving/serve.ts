/**
 * Serves a request for a site: a file, a redirect or a notice. A site with a password serves
 * nothing without its cookie.
 */
import type { IncomingMessage } from 'node:http'
import type { ServedSite } from '../../../areas/sites/service.ts'
import { isDatabaseUnavailable, isDatabaseBusy } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createRedirectFields } from './fields.ts'
import { createFileSender } from './file-sender.ts'
import type { PasswordGate } from '../password-gate.ts'
import { createNotice, PASSWORD_PATH, plainNotice } from '../notices.ts'
import { encodePath, parseTarget } from './path.ts'
import { readRequestedCopy, createPictureCopies } from './pictures.ts'
import { resolvePath } from './resolve.ts'
import type { SiteExchange, ResponseSender } from './send.ts'
import type { SiteResource, VersionLayout } from './version-layout.ts'
import { createViewCounter } from './views.ts'
import type { NoticeName } from '../wording.ts'
import type { HostEntry } from '../host-cache.ts'

const RETRY_AFTER_S = 2
const OURS = '/_homeport/'

export interface SiteServer {
  serve(exchange: SiteExchange, visit: HostEntry): void
  notice(exchange: SiteExchange, name: NoticeName): void
  plain(exchange: SiteExchange, status: number, text: string): void
  /** Logs the error and responds with 503 and Retry-After. */
  fail(exchange: SiteExchange, error: unknown): void
}

interface Parts {
  runtime: Runtime
  sender: ResponseSender
  gate: PasswordGate
}

export function createSiteServer({ runtime, sender, gate }: Parts): SiteServer {
  const files = createFileSender({ runtime, sender, plain, fail })
  const sendResource = createResourceSender({ files, pictures: createPictureCopies(runtime), fail })
  const countView = createViewCounter(runtime)

  function notice(exchange: SiteExchange, name: NoticeName): void {
    const { headers, url = '/', method } = exchange.request
    const options = {
      languages: headers['accept-language'],
      to: method === 'GET' && !url.startsWith(PASSWORD_PATH) ? url : '/',
      ...(name === 'unavailable' ? { retry_after_s: RETRY_AFTER_S } : {}),
    }
    sender.send(exchange, createNotice(name, options))
  }

  function plain(exchange: SiteExchange, status: number, text: string): void {
    sender.send(exchange, plainNotice(status, text, status === 405 ? { Allow: 'GET, HEAD' } : {}))
  }

  function fail(exchange: SiteExchange, error: unknown): void {
    const is_database = isDatabaseUnavailable(error) || isDatabaseBusy(error)
    if (is_database) runtime.log.warn({ err: error }, 'the database is unavailable or busy')
    else runtime.log.error({ err: error }, 'a site could not be served')
    if (exchange.response.headersSent) exchange.response.destroy()
    else notice(exchange, 'unavailable')
  }

  function serve(exchange: SiteExchange, { site, layout }: HostEntry): void {
    const { request } = exchange
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return plain(exchange, 405, 'A site can be read with GET and HEAD only.')
    if (site === null) return notice(exchange, 'nowhere')
    if (layout === null) return notice(exchange, 'offline')
    if (site.visibility === 'password' && !gate.mayEnter(site, request.headers.cookie))
      return notice(exchange, 'password')
    const { url = '/' } = request
    const mark = url.indexOf('?')
    const address = mark < 0 ? url : url.slice(0, mark)
    const resource = layout.resources.get(address)
    if (resource) {
      countView(request, site, { resource, address })
      return sendResource(exchange, layout, resource)
    }
    return serveElse(exchange, site, layout)
  }

  /** Serves a path that is not cached, or that is not the path of a file. */
  function serveElse(exchange: SiteExchange, site: ServedSite, layout: VersionLayout): void {
    const { request } = exchange
    const { url = '/' } = request
    const asked = parseTarget(url)
    if (asked === null) return plain(exchange, 400, 'The request target is invalid.')
    const { path } = asked
    if (path.startsWith(OURS)) return notice(exchange, 'missing')
    const outcome = resolvePath(layout.routing, asked, () => navigates(request, path))
    if (outcome.kind === 'missing') return notice(exchange, 'missing')
    if (outcome.kind === 'redirect') {
      const { status, to } = outcome
      return sender.send(exchange, { status, fields: createRedirectFields(site, to) })
    }
    const resource = layout.resourceFor(outcome.file, outcome.status, path)
    const [given = ''] = url.split('?', 1)
    const address = encodePath(path)
    if (outcome.is_own && given === address) layout.resources.set(address, resource)
    countView(request, site, { resource, address })
    return sendResource(exchange, layout, resource)
  }

  return { serve, notice, plain, fail }
}

interface ResourceParts {
  files: ReturnType<typeof createFileSender>
  pictures: ReturnType<typeof createPictureCopies>
  fail: SiteServer['fail']
}

/** Sends the file of a page, or a smaller copy if it is a picture and the query asks for one. */
function createResourceSender({ files, pictures, fail }: ResourceParts) {
  return (exchange: SiteExchange, layout: VersionLayout, resource: SiteResource): void => {
    const { url = '/' } = exchange.request
    const mark = url.indexOf('?')
    const wanted = mark < 0 ? null : readRequestedCopy(url.slice(mark), resource)
    if (wanted === null) return files.sendResource(exchange, layout, resource)
    pictures
      .copyOf(layout, resource, wanted)
      .then((found) => files.sendResource(exchange, layout, found))
      .catch((error: unknown) => fail(exchange, error))
  }
}

const hasExtension = /\.[^./]+$/

/**
 * Whether the request is a page navigation, not a subresource. Uses Sec-Fetch-Mode; without this
 * header, returns true if the request accepts HTML or its path has no file extension.
 */
function navigates({ headers }: IncomingMessage, path: string): boolean {
  const mode = headers['sec-fetch-mode']
  if (mode !== undefined) return mode === 'navigate'
  return /\btext\/html\b/i.test(headers.accept ?? '') || !hasExtension.test(path)
}
