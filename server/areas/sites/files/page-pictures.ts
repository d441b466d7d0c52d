/**
 * Adds `srcset` and `sizes` to the wide pictures of a page, so that browsers load a smaller copy. Pure.
 */
import type { Token } from 'parse5'
import { edited, escaped, placeOf, readTags, type Edit } from './tag-reader.ts'

export interface WidePictures {
  /** Widths in pixels by path on the site. */
  widths: ReadonlyMap<string, number>
  /** The widths of copies, in ascending order. */
  copies: readonly number[]
}

export interface PageText {
  path: string
  text: string
}

const ORIGIN = 'http://site.invalid'

/** Returns the page with its new attributes, and the number of pictures that got them. */
export function* addSourceSets(
  { path, text }: PageText,
  { widths, copies }: WidePictures,
): Generator<void, { text: string; count: number }> {
  const edits: Edit[] = []
  const base = `${ORIGIN}/${path.split('/').map(encodeURIComponent).join('/')}`
  yield* readTags(text, {
    startTag(token) {
      if (token.tagName !== 'img' || placeOf(token, 'srcset') !== null) return
      const source = placeOf(token, 'src')?.value.trim() ?? ''
      const width = widths.get(pathOf(source, base) ?? '')
      const start = (token.location?.startOffset ?? 0) + '<img'.length
      if (width === undefined) return
      edits.push({ start, end: start, text: attributesOf(token, source, { width, copies }) })
    },
    endTag() {},
  })
  return { text: edited(text, edits), count: edits.length }
}

/** Returns the path on the site; null for other sites, and for addresses with a query. */
function pathOf(source: string, base: string): string | null {
  const url = URL.parse(source, base)
  if (url?.origin !== ORIGIN || url.search !== '') return null
  try {
    return decodeURIComponent(url.pathname).slice(1).normalize('NFC')
  } catch {
    return null
  }
}

function attributesOf(
  token: Token.TagToken,
  source: string,
  { width, copies }: { width: number; copies: readonly number[] },
): string {
  // Spaces and commas separate the addresses of a srcset.
  const [bare = ''] = source.replaceAll(/\s/g, '%20').replaceAll(',', '%2C').split('#')
  const smaller = copies.filter((one) => one < width)
  const sources = smaller.map((one) => `${bare}?width=${one} ${one}w`)
  if (width <= Math.max(...copies)) sources.push(`${bare} ${width}w`)
  const shown = placeOf(token, 'width')?.value.trim() ?? ''
  const sizes = /^[1-9]\d{0,4}$/.test(shown) ? `(max-width: ${shown}px) 100vw, ${shown}px` : '100vw'
  const size = placeOf(token, 'sizes') === null ? ` sizes="${sizes}"` : ''
  return ` srcset="${escaped(sources.join(', '))}"${size}`
}
