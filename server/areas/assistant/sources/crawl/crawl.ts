/**
 * The crawl of a website in short steps, so that no site holds a worker and a restart continues
 * where the crawl was. The first step reads robots.txt, the first page and the sitemaps; the others
 * read a few pages each. Pages that did not change since the last crawl are not read again.
 */
import { limits } from '../../../../contract/limits.ts'
import type { Transaction } from '../../../../kernel/database/database.ts'
import { createPause } from '../../../../kernel/limits/slices.ts'
import { extractPagePassages } from '../../knowledge/passages.ts'
import type { NewPassage } from '../../store.ts'
import * as pages from '../page-store.ts'
import type { PageRow, SourceChange, SourceRow } from '../source-store.ts'
import { storeChunks } from '../chunks.ts'
import {
  fetchPage,
  fetchText,
  UnreadablePage,
  type FetchedPage,
  type PageFetcher,
} from './fetch-page.ts'
import { pagesOfSite } from './links.ts'
import { readPageText } from './page-text.ts'
import { createRobotsFilter, readCrawlDelay } from './robots.ts'
import { readSitemaps } from './sitemap.ts'

const ROBOTS_BYTES_MAX = 65_536
const PAGES_PER_STEP = 5
const STEP_MS = 15_000
const DAY_MS = 86_400_000
const pages_max = limits.assistant_source_pages_max

export interface CrawlPlace {
  fetcher: PageFetcher
  languages: readonly string[]
  now: Date
}

/** Writes the result of a step, and returns the change of the source. */
export type StepResult = (tx: Transaction, source: SourceRow) => Promise<SourceChange>

/** Reads robots.txt, the first page and the sitemaps. Throws UnreadablePage. */
export async function beginCrawl(
  { fetcher, languages, now }: CrawlPlace,
  address: URL,
): Promise<StepResult> {
  let robots = await readRobots(fetcher, address)
  requireAllowed(robots, address)
  const first = await fetchPage(fetcher, address)
  if (first === null) throw new UnreadablePage('It sent no page.')
  if (first.url.origin !== address.origin) {
    robots = await readRobots(fetcher, first.url)
    requireAllowed(robots, first.url)
  }
  const start = withoutFragment(first.url)
  const { title, text, links } = readPageText(first.body)
  const listed = await readSitemaps(fetcher, { start, robots })
  const others = await selectAllowed(robots, pagesOfSite([...links, ...listed], start))
  const urls = [...new Set([start.href, ...others])].slice(0, pages_max)
  const passages = extractPagePassages([{ url: start.href, title, text }], languages)
  return async (tx, source) => {
    await pages.queuePages(tx, source, { urls, pages_max })
    await pages.changePage(tx, source, { url: start.href, ...readingOf(first, title, now) })
    const error = await storeChunks(tx, source, { source: 'website', url: start.href, passages })
    const begun = { status: 'pending' as const, started_at: now, robots, attempts: 0 }
    const bytes_read = BigInt(first.bytes)
    return {
      ...begun,
      error,
      ...(await advance(tx, { ...source, robots }, { bytes_read, now })),
    }
  }
}

type Reading =
  | {
      kind: 'read'
      url: string
      page: FetchedPage
      title: string
      /** The pages to which it links. */
      urls: string[]
      passages: NewPassage[]
    }
  | { kind: 'same' | 'gone'; url: string }
  | { kind: 'failed'; url: string; error: UnreadablePage }

/** Reads the next pages of a crawl. */
export async function continueCrawl(
  place: CrawlPlace,
  source: SourceRow,
  waiting: readonly PageRow[],
): Promise<StepResult> {
  const { now } = place
  const readings = await readPages(place, source.robots ?? '', waiting)
  return async (tx, locked) => {
    let bytes_read = locked.bytes_read
    let { error } = locked
    for (const reading of readings) {
      await writeReading(tx, locked, { reading, now })
      if (reading.kind !== 'read') continue
      bytes_read += BigInt(reading.page.bytes)
      const { url, passages } = reading
      error = (await storeChunks(tx, locked, { source: 'website', url, passages })) ?? error
    }
    return { error, ...(await advance(tx, locked, { bytes_read, now })) }
  }
}

/** How many pages the next step reads: one if the site asks for a pause between requests. */
export function pagesPerStep({ robots }: SourceRow): number {
  return readCrawlDelay(robots ?? '') > 0 ? 1 : PAGES_PER_STEP
}

async function readPages(
  place: CrawlPlace,
  robots: string,
  waiting: readonly PageRow[],
): Promise<Reading[]> {
  const until_ms = performance.now() + STEP_MS
  const readings: Reading[] = []
  for (const page of waiting) {
    if (performance.now() > until_ms || place.fetcher.signal.aborted) break
    readings.push(await readOne(place, robots, page))
  }
  return readings
}

async function readOne(
  { fetcher, languages }: CrawlPlace,
  robots: string,
  { url, etag, last_modified }: PageRow,
): Promise<Reading> {
  if (!isAllowed(robots, url)) return { kind: 'gone', url }
  try {
    const page = await fetchPage(fetcher, new URL(url), { etag, last_modified })
    if (page === null) return { kind: 'same', url }
    if (!isAllowed(robots, page.url.href)) return { kind: 'gone', url }
    const { title, text, links } = readPageText(page.body)
    const passages = extractPagePassages([{ url, title, text }], languages)
    const urls = await selectAllowed(robots, pagesOfSite(links, new URL(url)))
    return { kind: 'read', url, page, title, urls, passages }
  } catch (error) {
    if (!(error instanceof UnreadablePage)) throw error
    return error.is_gone ? { kind: 'gone', url } : { kind: 'failed', url, error }
  }
}

async function writeReading(
  tx: Transaction,
  source: SourceRow,
  { reading, now }: { reading: Reading; now: Date },
): Promise<void> {
  const { url } = reading
  switch (reading.kind) {
    case 'gone':
      return pages.deletePage(tx, source, url)
    case 'same':
      return pages.changePage(tx, source, { url, state: 'read', error: null, read_at: now })
    case 'failed': {
      // The last text of a page is kept while its server is down.
      const { message, is_temporary } = reading.error
      if (!is_temporary) await storeChunks(tx, source, { source: 'website', url, passages: [] })
      const forgotten = is_temporary ? {} : { etag: null, last_modified: null }
      return pages.changePage(tx, source, { url, state: 'failed', error: message, ...forgotten })
    }
    case 'read': {
      const { page, title, urls } = reading
      await pages.changePage(tx, source, { url, ...readingOf(page, title, now) })
      return pages.appendPages(tx, source, { urls, pages_max })
    }
  }
}

function readingOf({ etag, last_modified }: FetchedPage, title: string, now: Date) {
  return { state: 'read' as const, title, etag, last_modified, error: null, read_at: now }
}

/** The progress of a crawl after a step, or its end. */
async function advance(
  tx: Transaction,
  source: SourceRow,
  { bytes_read, now }: { bytes_read: bigint; now: Date },
): Promise<SourceChange> {
  const is_full = bytes_read >= BigInt(limits.assistant_source_bytes_max)
  if (is_full) await pages.dropWaitingPages(tx, source)
  const { read, failed, waiting } = await pages.countPages(tx, source)
  const pages_done = read + failed
  const progress = { pages_done, pages_total: pages_done + waiting, pages: read, bytes_read }
  if (waiting > 0) {
    const pause_ms = readCrawlDelay(source.robots ?? '') * 1_000
    return { ...progress, due_at: new Date(now.getTime() + pause_ms) }
  }
  const indexed = { status: 'indexed' as const, indexed_at: now, started_at: null }
  const due_at = new Date(now.getTime() + DAY_MS)
  const full = is_full ? { error: 'Reading stopped at the size limit of a website.' } : {}
  return { ...progress, ...indexed, due_at, ...full }
}

async function readRobots(fetcher: PageFetcher, { origin }: URL): Promise<string> {
  try {
    return (await fetchText(fetcher, new URL('/robots.txt', origin), ROBOTS_BYTES_MAX)) ?? ''
  } catch (error) {
    if (!(error instanceof UnreadablePage)) throw error
    // RFC 9309: a robots.txt that cannot be reached forbids everything.
    const { message, is_temporary } = error
    throw new UnreadablePage(`Its robots.txt cannot be read. ${message}`, { is_temporary })
  }
}

function requireAllowed(robots: string, url: URL): void {
  if (isAllowed(robots, url.href)) return
  throw new UnreadablePage('Its robots.txt does not allow reading this page.')
}

function isAllowed(robots: string, url: string): boolean {
  return createRobotsFilter(robots)(pathOf(url))
}

/** The first pages that may be read. Pauses, because a website can make each check costly. */
async function selectAllowed(robots: string, urls: readonly string[]): Promise<string[]> {
  const allows = createRobotsFilter(robots)
  const pause = createPause()
  const allowed: string[] = []
  for (const url of urls) {
    if (allowed.length === pages_max) break
    if (allows(pathOf(url))) allowed.push(url)
    await pause()
  }
  return allowed
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

function withoutFragment(url: URL): URL {
  const plain = new URL(url)
  plain.hash = ''
  return plain
}
