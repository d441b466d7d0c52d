/**
 * Decides which responses are page views, and counts them. Only pages are looked at, so other files
 * cost one comparison.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { ServedSite } from '../../../areas/sites/service.ts'
import { flushViews, recordView } from '../../../areas/visits/service.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { SiteResource } from './version-layout.ts'

const PATH_CHARACTERS_MAX = 200
const HOST_CHARACTERS_MAX = 200
const REFERER_CHARACTERS_MAX = 2_000

/** Words in the user agents of programs such as bots, whose requests are not counted. */
const program =
  /bot\b|bot[/_-]|crawl|spider|slurp|scrape|monitor|preview|headless|lighthouse|pingdom|facebookexternalhit|embedly|feedfetcher|archiver|curl|wget|httpie|python|java\/|okhttp|axios|node-fetch|undici|go-http|libwww|phantom|scan/i

export interface SentPage {
  resource: SiteResource
  /** The normalized path of the request, percent-encoded by `encodePath`. */
  address: string
}

export type ViewCounter = (request: IncomingMessage, site: ServedSite, sent: SentPage) => void

export function createViewCounter(runtime: Runtime): ViewCounter {
  return (request, site, { resource, address }) => {
    if (!resource.is_page || site.preview || !isReader(request)) return
    const { headers } = request
    recordView(runtime, {
      project_id: site.project_id,
      site_id: site.id,
      path: pageOf(address),
      referrer: referrerOf(headers.referer, headers.host),
    })
  }
}

/** Writes the counts of this process when the app closes. */
export function keepViewsAtClose(app: FastifyInstance, runtime: Runtime): void {
  app.addHook('onClose', () => flushViews(runtime))
}

/** Whether a person reads the page in a window of the browser. */
function isReader({ method, headers }: IncomingMessage): boolean {
  const agent = headers['user-agent']
  if (method !== 'GET' || agent === undefined || program.test(agent)) return false
  const { 'sec-fetch-dest': target = 'document', 'sec-purpose': purpose = '' } = headers
  return target === 'document' && !purpose.includes('prefetch') && headers['range'] === undefined
}

/** The path of a page, equal for all its spellings. */
function pageOf(address: string): string {
  const page = address.replace(/\/index(?:\.html)?$/, '/').replace(/\.html$/, '')
  const spelled = page.length > 1 && page.endsWith('/') ? page.slice(0, -1) : page
  return spelled.slice(0, PATH_CHARACTERS_MAX)
}

/** The host of the page with the link; null if it is unknown or the site itself. */
function referrerOf(referer: string | undefined, own: string | undefined): string | null {
  if (referer === undefined || referer.length > REFERER_CHARACTERS_MAX) return null
  const from = URL.parse(referer)
  if (from === null || !/^https?:$/.test(from.protocol) || from.host === own) return null
  const host = from.hostname.replace(/^www\./, '')
  return host === '' || host.length > HOST_CHARACTERS_MAX ? null : host
}
