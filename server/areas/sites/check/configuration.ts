/**
 * The addresses in the settings of a site: where `_redirects` leads, and what `_headers` names in
 * the headers that a browser follows. Read line by line, so that each is told with its line.
 */
import { limits } from '../../../contract/limits.ts'
import { parseRedirects } from '../files/redirects.ts'
import { addressOf, isWeb } from './links/addresses.ts'
import { judgeAddress, type PageContext, type Remark } from './page/page-rules.ts'

interface Named {
  value: string
  /** Somebody goes there, against what a page loads. */
  linked: boolean
}

interface Place {
  /** The address of the site. */
  url: string
  context: PageContext
}

/** What the settings in a file break; nothing where the path is of no settings. */
export function* judgeSettings(
  { path, bytes }: { path: string; bytes: Uint8Array },
  { url: base, context }: Place,
): Generator<Remark> {
  const read = readers.get(path)
  if (read === undefined) return
  for (const [index, text] of new TextDecoder()
    .decode(bytes)
    .split(/\r\n|\n|\r/)
    .entries()) {
    // A longer line is left out by who serves.
    if (text.length > limits.site_rule_characters_max) continue
    for (const { value, linked } of read(text)) {
      const url = addressOf(value, base)
      if (url === null || !isWeb(url)) continue
      yield* judgeAddress(url, { line: index + 1, linked, context })
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

/** Where the addresses stand in the values of headers that have any. */
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
