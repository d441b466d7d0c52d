/**
 * Extracts the facts of a page: its title, the collections its forms post to, and its links. They
 * serve warnings only, so a pattern with linear time suffices.
 */

/** At most this many attributes of a page are read; the rest are ignored. */
const ATTRIBUTES_MAX = 20_000
/** Number of matches between two yields. */
const STEP = 200

const attributePattern =
  /\s(src|href|action|data-collection)\s*=\s*(?:"([^"]{0,4000})"|'([^']{0,4000})'|([^\s"'<>]{1,4000}))/gi
const titlePattern = /<title(?:\s[^<>]{0,500})?>([^<]{0,1000})<\/title/i
const formAddress = /\/public\/collections\/([a-z0-9_-]{1,64})\/documents(?:$|[?#])/
const collectionName = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}

/** A page with its links and form targets. */
export interface LinkedPage {
  path: string
  /** The values of `src` and `href`. */
  links: readonly string[]
  collections: ReadonlySet<string>
}

/** Removes comments, scripts and styles, because their text only resembles tags. */
function withoutCode(text: string): string {
  let bare = text
  for (const [start, end] of [
    ['<!--', '-->'],
    ['<script', '</script'],
    ['<style', '</style'],
  ] as const) {
    bare = withoutSpans(bare, start, end)
  }
  return bare
}

/** Removes spans of text, but keeps the opening tag of each, for its link. */
function withoutSpans(text: string, start: string, end: string): string {
  const lower = text.toLowerCase()
  const kept: string[] = []
  let at = 0
  for (let found = lower.indexOf(start); found >= 0; found = lower.indexOf(start, at)) {
    const inside = start === '<!--' ? found + start.length : lower.indexOf('>', found) + 1
    const close = inside === 0 ? -1 : lower.indexOf(end, inside)
    kept.push(text.slice(at, inside === 0 ? found : inside))
    if (close < 0) return kept.join('')
    at = close
  }
  kept.push(text.slice(at))
  return kept.join('')
}

/** Reads a page. Yields between its steps, because a page of a megabyte can block for too long. */
export function* readPage(path: string, text: string): Generator<void, LinkedPage> {
  const bare = withoutCode(text)
  yield
  const links: string[] = []
  const collections = new Set<string>()
  let at = 0
  let in_tag = false
  let matches = 0
  let read = 0
  for (const match of bare.matchAll(attributePattern)) {
    const between = bare.slice(at, match.index)
    const [open, close] = [between.lastIndexOf('<'), between.lastIndexOf('>')]
    if (open !== close) in_tag = open > close
    at = match.index
    const [, name = '', double, single, word] = match
    matches += 1
    if (matches % STEP === 0) yield
    if (!in_tag) continue
    read += 1
    if (read > ATTRIBUTES_MAX) break
    const value = plain(double ?? single ?? word ?? '').trim()
    const collection = collectionOf(name.toLowerCase(), value)
    if (collection === null) links.push(value)
    else if (collectionName.test(collection)) collections.add(collection)
  }
  return { path, links, collections }
}

/**
 * Returns the collection that an attribute of a form names; empty if it names none; null if the
 * attribute is a link.
 */
function collectionOf(name: string, value: string): string | null {
  if (name === 'data-collection') return value
  return name === 'action' ? (formAddress.exec(value)?.[1] ?? '') : null
}

function plain(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (found) => entities[found] ?? found)
}

export function findTitle(text: string): string | null {
  const title = plain(titlePattern.exec(text)?.[1] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return title === '' ? null : title.slice(0, 200)
}

/** Returns the collections that forms of the pages post to, without duplicates. */
export function listCollections(pages: readonly LinkedPage[]): string[] {
  return [...new Set(pages.flatMap(({ collections }) => [...collections]))].toSorted()
}
