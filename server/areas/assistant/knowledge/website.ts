/**
 * Crawls a few pages of the business's website as plain text. Requests and redirects go through the
 * guarded fetch; size, number and depth of pages are bounded. The text is data, never instructions.
 */
import { compile } from 'html-to-text'
import { OutboundError, type Outbound } from '../../../kernel/outbound/outbound.ts'
import type { WebsitePage } from './passages.ts'
import { isAllowedByRobots } from './robots.ts'

const PAGES_MAX = 5
const REDIRECTS_MAX = 3
const PAGE_BYTES_MAX = 1_048_576
const ROBOTS_BYTES_MAX = 65_536
const PAGE_DEADLINE_MS = 10_000
const TITLE_CHARACTERS_MAX = 200
const TEXT_CHARACTERS_MAX = 60_000

/** Matches paths that usually answer callers' questions; they are crawled first. */
const telling = new RegExp(
  'contact|faq|vragen|questions|fragen|prijs|prijzen|tarie|price|pricing|preis|tarif|open|hours|' +
    'horaire|about|over|uber|ueber|service|dienst|leistung|info',
  'i',
)
const no_page = /\.(?:pdf|jpe?g|png|gif|webp|svg|zip|mp[34]|css|js|xml|ico|docx?|xlsx?)$/i

interface Links {
  found: string[]
}

const toText = compile<Links>({
  wordwrap: false,
  limits: { maxInputLength: PAGE_BYTES_MAX, maxDepth: 64, maxChildNodes: 5_000 },
  selectors: [
    {
      selector: 'a',
      options: {
        linkBrackets: false,
        pathRewrite: (href, links) => {
          links.found.push(href)
          return ''
        },
      },
    },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
    { selector: 'ul', options: { itemPrefix: '' } },
    ...['img', 'form', 'button', 'svg', 'noscript', 'template', 'title'].map((selector) => ({
      selector,
      format: 'skip',
    })),
  ],
})

interface Reply {
  url: URL
  body: string
}

/** Returns the first page and up to four that it links to. Throws if the first cannot be read. */
export async function crawlWebsite(outbound: Outbound, address: string): Promise<WebsitePage[]> {
  const first = await fetchPage(outbound, new URL(address))
  if (first === null) throw new Error(`${address} is not a text page.`)
  const robots = await fetchRobots(outbound, first.url)
  if (!isAllowedByRobots(robots, first.url.pathname)) return []
  const { page, links } = readPage(first)
  const pages = [page]
  const seen = new Set([first.url.href])
  for (const url of sameSite(links, first.url)) {
    if (pages.length >= PAGES_MAX) break
    if (seen.has(url.href) || !isAllowedByRobots(robots, url.pathname)) continue
    seen.add(url.href)
    // A broken link does not discard the other pages.
    const reply = await fetchPage(outbound, url).catch(() => null)
    if (reply !== null && siteOf(reply.url) === siteOf(first.url)) pages.push(readPage(reply).page)
  }
  return pages
}

/** Fetches a page and follows a few redirects. Returns null if it is not text. */
async function fetchPage(outbound: Outbound, address: URL): Promise<Reply | null> {
  let url = address
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const { status, headers, body } = await outbound.request({
      url: url.href,
      // A compressed body could expand to any size.
      headers: { accept: 'text/html', 'accept-encoding': 'identity', 'user-agent': 'Homeport/1' },
      deadline_ms: PAGE_DEADLINE_MS,
      response_bytes_max: PAGE_BYTES_MAX,
    })
    const location = headers['location']
    if (status >= 300 && status < 400 && location !== undefined) {
      url = new URL(location, url)
      continue
    }
    if (status !== 200) throw new Error(`${url.href} answered with ${status}.`)
    const type = headers['content-type'] ?? ''
    const is_text = /^text\/(?:html|plain)\b/i.test(type)
    return is_text && !headers['content-encoding'] ? { url, body: decode(body, type) } : null
  }
  throw new Error(`${address.href} redirects too many times.`)
}

/** A missing or unreadable robots.txt allows everything. */
async function fetchRobots(outbound: Outbound, { origin }: URL): Promise<string> {
  try {
    const { status, body } = await outbound.request({
      url: `${origin}/robots.txt`,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'Homeport/1' },
      deadline_ms: PAGE_DEADLINE_MS,
      response_bytes_max: ROBOTS_BYTES_MAX,
    })
    return status === 200 ? decode(body, '') : ''
  } catch (error) {
    if (error instanceof OutboundError) return ''
    throw error
  }
}

/** Charset from the header, else from the first bytes of the page, else UTF-8. */
function decode(body: Uint8Array, type: string): string {
  const head = new TextDecoder('latin1').decode(body.subarray(0, 1_024))
  const charset = /charset=["']?([\w-]+)/i
  const label = charset.exec(type)?.[1] ?? charset.exec(head)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

function readPage({ url, body }: Reply): { page: WebsitePage; links: string[] } {
  const links: Links = { found: [] }
  const html = body.replaceAll('\u0000', '').toWellFormed()
  const title = /<title[^>]{0,200}>([^<]{0,1000})</i.exec(html)?.[1] ?? ''
  const text = toText(html, links).slice(0, TEXT_CHARACTERS_MAX)
  const page = {
    url: url.href,
    title: title.replace(/\s+/g, ' ').trim().slice(0, TITLE_CHARACTERS_MAX),
    text,
  }
  return { page, links: links.found }
}

function sameSite(links: readonly string[], base: URL): URL[] {
  const urls = links.flatMap((link) => {
    const url = URL.parse(link, base)
    // The parser removes "mailto:" from email links.
    if (
      url === null ||
      link.includes('@') ||
      siteOf(url) !== siteOf(base) ||
      no_page.test(url.pathname)
    )
      return []
    url.hash = ''
    // Links keep the protocol that the site was read with.
    url.protocol = base.protocol
    return [url]
  })
  const rank = (url: URL) => (telling.test(url.pathname) ? 0 : 1)
  return urls.toSorted((a, b) => rank(a) - rank(b))
}

function siteOf(url: URL): string {
  return url.host.replace(/^www\./, '')
}
