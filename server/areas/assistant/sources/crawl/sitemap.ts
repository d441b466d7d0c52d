/**
 * The pages that the sitemaps of a website list (sitemaps.org): plain sitemaps and one level of
 * index files, of the same site only. The number of files and of addresses is bounded.
 */
import { fetchText, UnreadablePage, type PageFetcher } from './fetch-page.ts'
import { isSameSite } from './links.ts'
import { createRobotsFilter, readSitemapLines } from './robots.ts'

const FILES_MAX = 5
const ADDRESSES_MAX = 1_000
const FILE_BYTES_MAX = 2 * 1_048_576

/** Addresses of pages, unchecked. A sitemap that cannot be read lists none. */
export async function readSitemaps(
  fetcher: PageFetcher,
  { start, robots }: { start: URL; robots: string },
): Promise<string[]> {
  const named = readSitemapLines(robots)
  const waiting = named.length > 0 ? named : ['/sitemap.xml']
  const isAllowed = createRobotsFilter(robots)
  const seen = new Set<string>()
  const found: string[] = []
  for (const address of waiting) {
    const url = URL.parse(address, start)
    if (seen.size >= FILES_MAX || found.length >= ADDRESSES_MAX) break
    if (url === null || seen.has(url.href) || !isSameSite(url, start)) continue
    if (!isAllowed(url.pathname)) continue
    seen.add(url.href)
    const xml = await fetchSitemap(fetcher, url)
    const addresses = readLocations(xml)
    if (/<sitemapindex[\s>]/i.test(xml.slice(0, 2_000))) waiting.push(...addresses)
    else found.push(...addresses)
  }
  return found.slice(0, ADDRESSES_MAX)
}

async function fetchSitemap(fetcher: PageFetcher, url: URL): Promise<string> {
  try {
    return (await fetchText(fetcher, url, FILE_BYTES_MAX)) ?? ''
  } catch (error) {
    if (error instanceof UnreadablePage) return ''
    throw error
  }
}

/** The texts of the `loc` elements. Entities other than the five of XML are left as they are. */
export function readLocations(xml: string): string[] {
  const found: string[] = []
  for (const part of xml.split('<loc>').slice(1)) {
    if (found.length >= ADDRESSES_MAX) break
    const end = part.indexOf('</loc>')
    if (end > 0 && end < 2_100) found.push(unescapeXml(part.slice(0, end).trim()))
  }
  return found
}

function unescapeXml(text: string): string {
  const plain = text.replace(/^<!\[CDATA\[/, '').replace(/\]\]>$/, '')
  return plain
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}
