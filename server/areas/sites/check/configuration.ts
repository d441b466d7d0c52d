/**
 * The URLs in the settings of a site: targets in `_redirects`, and URLs in those headers of
 * `_headers` that browsers follow. Read line by line, so each finding has its line.
 */
import { limits } from '../../../contract/limits.ts'
import { parseRedirects } from '../files/redirects.ts'
import { parseLink, isWebUrl } from './links/addresses.ts'
import { checkAddress, type PageContext, type Violation } from './page/page-rules.ts'

interface Named {
  value: string
  /** Whether visitors navigate to the URL; otherwise the page loads it. */
  linked: boolean
}

interface Place {
  /** URL of the site. */
  url: string
  context: PageContext
}

/** The findings of a settings file; none for any other path. */
export function* checkSettings(
  { path, bytes }: { path: string; bytes: Uint8Array },
  { url: base, context }: Place,
): Generator<Violation> {
  const read = readers.get(path)
  if (read === undefined) return
  for (const [index, text] of new TextDecoder()
    .decode(bytes)
    .split(/\r\n|\n|\r/)
    .entries()) {
    // The site server ignores longer lines.
    if (text.length > limits.site_rule_characters_max) continue
    for (const { value, linked } of read(text)) {
      const url = parseLink(value, base)
      if (url === null || !isWebUrl(url)) continue
      yield* checkAddress(url, { line: index + 1, linked, context })
    }
  }
}

const readers: ReadonlyMap<string, (line: string) => Named[]> = new Map([
  ['_redirects', targetsIn],
  ['_headers', addressesIn],
])

function targetsIn(line: string): Named[] {
  return parseRedirects(line).redirects.map(({ to }) => ({ value: to, linked: true }))
}

/** By name of a header that contains URLs, the pattern of these URLs. */
const addresses: ReadonlyMap<string, RegExp> = new Map([
  ['link', /<([^<>]*)>/g],
  ['content-location', /^(.*)$/g],
  ['refresh', /^[\d.\s]*[;,]?\s*(?:url\s*=\s*)?["']?([^"']*)/gi],
])

function addressesIn(line: string): Named[] {
  const colon = line.indexOf(':')
  const header = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
  const value = line.slice(colon + 1).trim()
  const pattern = addresses.get(header)
  if (pattern === undefined) return []
  const linked = header !== 'link'
  return [...value.matchAll(pattern)].map(([, address = '']) => ({ value: address, linked }))
}
