/**
 * Content negotiation (RFC 9110, section 12.5.3): the encoding with the highest quality, and the
 * smallest of equals. Parsed headers are cached, because browsers send few different ones.
 */
import { LRUCache } from 'lru-cache'
import type { ServedFile } from '../../../areas/sites/service.ts'

const encodings = ['br', 'zstd', 'gzip'] as const
export type ContentEncoding = (typeof encodings)[number]

type Qualities = Record<ContentEncoding | 'identity', number>

const HEADERS_MAX = 500
const HEADER_CHARACTERS_MAX = 300
const known = new LRUCache<string, Qualities>({ max: HEADERS_MAX })

/** Selects the content encoding. null means identity encoding, which is always acceptable. */
export function selectEncoding(
  header: string | undefined,
  file: Pick<ServedFile, 'encodings'>,
): ContentEncoding | null {
  if (!header || header.length > HEADER_CHARACTERS_MAX) return null
  const wishes = known.get(header) ?? parseQualities(header)
  known.set(header, wishes)
  let best: ContentEncoding | null = null
  // A client that prefers identity encoding gets it.
  let best_wish = wishes.identity
  for (const encoding of encodings) {
    const bytes = file.encodings[encoding]
    if (bytes === undefined || wishes[encoding] === 0) continue
    const smaller = best !== null && bytes < (file.encodings[best] ?? Infinity)
    const wish = wishes[encoding]
    if (wish < best_wish || (best !== null && wish === best_wish && !smaller)) continue
    best = encoding
    best_wish = wish
  }
  return best
}

function parseQualities(header: string): Qualities {
  const said = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const quality = parameters.find((one) => one.startsWith('q='))?.slice(2)
    const value = quality === undefined ? 1 : Number(quality)
    said.set(name === 'x-gzip' ? 'gzip' : name, value >= 0 && value <= 1 ? value : 0)
  }
  const wishFor = (name: ContentEncoding) => said.get(name) ?? said.get('*') ?? 0
  const identity = said.get('identity') ?? 0
  return { identity, br: wishFor('br'), zstd: wishFor('zstd'), gzip: wishFor('gzip') }
}
