/**
 * Requests of the crawler: through the guarded fetch, with limits for size and time. Redirects are
 * followed within the site only.
 */
import { OutboundError, type Outbound } from '../../../../kernel/outbound/outbound.ts'
import { isSameSite } from './links.ts'
import { decodeText, PAGE_BYTES_MAX } from './page-text.ts'

const REDIRECTS_MAX = 3
const PAGE_DEADLINE_MS = 10_000
const TAG_CHARACTERS_MAX = 500

export interface FetchedPage {
  /** The address after redirects. */
  url: URL
  body: string
  bytes: number
  etag: string | null
  last_modified: string | null
}

/** A page that cannot be read. The message is one sentence for the team. */
export class UnreadablePage extends Error {
  override readonly name = 'UnreadablePage'
  /** Whether another attempt may succeed. */
  readonly is_temporary: boolean
  /** Whether the site says that there is no such page. */
  readonly is_gone: boolean
  constructor(message: string, { is_temporary = false, is_gone = false } = {}) {
    super(message)
    this.is_temporary = is_temporary
    this.is_gone = is_gone
  }
}

interface Known {
  etag: string | null
  last_modified: string | null
}

const never: Known = { etag: null, last_modified: null }

export interface PageFetcher {
  outbound: Outbound
  signal: AbortSignal
}

/** Fetches a page as text. Returns null if it is the same as the known one. */
export async function fetchPage(
  fetcher: PageFetcher,
  address: URL,
  known: Known = never,
): Promise<FetchedPage | null> {
  let url = address
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const reply = await request(fetcher, url, { ...conditionsOf(known), accept: 'text/html' })
    const { status, headers, body } = reply
    if (status === 304 && known !== never) return null
    const location = headers['location']
    if (status >= 300 && status < 400 && location !== undefined) {
      url = redirected(location, url, address)
      continue
    }
    requireOk(status)
    const type = headers['content-type'] ?? ''
    if (!/^text\/(?:html|plain)\b/i.test(type) || headers['content-encoding'])
      throw new UnreadablePage('It is not a page of text.')
    return {
      url,
      body: decodeText(body, type),
      bytes: body.length,
      etag: shortHeader(headers['etag']),
      last_modified: shortHeader(headers['last-modified']),
    }
  }
  throw new UnreadablePage('It redirects too many times.')
}

/** Fetches a small text file of the site; null if there is none. */
export async function fetchText(
  fetcher: PageFetcher,
  url: URL,
  bytes_max: number,
): Promise<string | null> {
  const { status, headers, body } = await request(fetcher, url, {}, bytes_max)
  if (status >= 500 || status === 429) requireOk(status)
  if (status !== 200 || headers['content-encoding']) return null
  return decodeText(body, headers['content-type'] ?? '')
}

// oxlint-disable-next-line max-params -- the parts of a request
async function request(
  { outbound, signal }: PageFetcher,
  url: URL,
  headers: Record<string, string>,
  response_bytes_max: number = PAGE_BYTES_MAX,
) {
  try {
    return await outbound.request({
      url: url.href,
      // A compressed body could expand to any size.
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'Homeport/1' },
      deadline_ms: PAGE_DEADLINE_MS,
      response_bytes_max,
      signal,
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const is_temporary = error.fault === 'connection_failed' || error.fault === 'timeout'
    throw new UnreadablePage(error.message, { is_temporary })
  }
}

function conditionsOf({ etag, last_modified }: Known): Record<string, string> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(last_modified !== null && { 'if-modified-since': last_modified }),
  }
}

function redirected(location: string, from: URL, address: URL): URL {
  const url = URL.parse(location, from)
  if (url !== null && isSameSite(url, address)) return url
  const host = url?.hostname ?? ''
  const detail =
    host === '' ? 'It redirects to an invalid address.' : `It redirects to another host, ${host}.`
  throw new UnreadablePage(detail)
}

function requireOk(status: number): void {
  if (status === 200) return
  const is_temporary = status >= 500 || status === 429
  const is_gone = status === 404 || status === 410
  throw new UnreadablePage(`It answered with the status ${status}.`, { is_temporary, is_gone })
}

/**
 * An ETag or Last-Modified to send with the next request; null if it is missing, too long or not
 * ASCII.
 */
function shortHeader(value: string | undefined): string | null {
  const is_usable = value !== undefined && /^[\u0020-\u007e]+$/.test(value)
  return is_usable && value.length <= TAG_CHARACTERS_MAX ? value : null
}
