/**
 * Full text search over pages, sections, operations, errors and events. It runs on this server, so
 * it works offline and without a script.
 */
import MiniSearch from 'minisearch'
import { createPause } from '../../kernel/limits/slices.ts'
import type { Html } from '../html/html.ts'
import { renderToText } from '../html/html.ts'
import type { DocsLibrary } from './library.ts'
import { toOperationPath, type DocsPage, type DocsSite } from './site.ts'

export interface SearchHit {
  href: string
  title: string
  about: string
  not_yet: boolean
}

export interface SearchIndex {
  find(words: string): SearchHit[]
}

interface Entry extends SearchHit {
  id: number
  text: string
}

const RESULTS_MAX = 30

/**
 * Whether a term may match as a prefix. Prefix search for single letters would be slow and useless.
 */
function isPrefix(term: string): boolean {
  return term.length > 1
}

/** Renders every page, in slices, because other requests are served meanwhile. */
export async function createSearchIndex(
  site: DocsSite,
  library: DocsLibrary,
): Promise<SearchIndex> {
  const index = new MiniSearch<Entry>({
    fields: ['title', 'about', 'text'],
    storeFields: ['href', 'title', 'about', 'not_yet'],
    searchOptions: { boost: { title: 4, about: 2 }, prefix: isPrefix, fuzzy: 0.15 },
  })
  const pause = createPause()
  let id = 0
  const add = async (entries: readonly Indexed[]) => {
    for (const entry of entries) {
      index.add({ ...entry, id: id++ })
      await pause()
    }
  }
  await add(operationEntries(site))
  for (const [path, write] of library) {
    const page = write()
    await pause()
    await add(pageEntries(path, page))
  }
  return {
    find(words) {
      const all = index.search(words, { combineWith: 'AND' })
      const found = all.length > 0 ? all : index.search(words)
      const listed = found.map(({ href, title, about, not_yet }) => ({
        href: String(href),
        title: String(title),
        about: String(about),
        not_yet: not_yet === true,
      }))
      // The sort is stable: unavailable entries come last, and each part stays sorted by relevance.
      return listed
        .toSorted((one, other) => Number(one.not_yet) - Number(other.not_yet))
        .slice(0, RESULTS_MAX)
    },
  }
}

type Indexed = Omit<Entry, 'id'>

function operationEntries({ operations }: DocsSite): Indexed[] {
  return operations.map((operation) => {
    const { route, name, about, params, query, body, reply } = operation
    const fields = [params, query, body, reply].flatMap((shape) =>
      Object.keys(Object(shape).properties ?? {}),
    )
    return {
      href: toOperationPath(operation),
      title: route,
      about,
      not_yet: false,
      text: [name.replaceAll(/[._]/g, ' '), name, ...fields].join(' '),
    }
  })
}

/** An entry for the page, and one for each section with an anchor. */
function pageEntries(path: string, page: DocsPage): Indexed[] {
  const not_yet = page.not_yet ?? false
  const whole = { href: path, title: page.title, about: page.about, not_yet }
  // Operations in a reference page have their own entries.
  if (page.wide) return [{ ...whole, text: '' }]
  const text = words(page.main)
  return [{ ...whole, text }, ...sectionEntries(path, page.title, page.main)]
}

function sectionEntries(path: string, title: string, main: Html): Indexed[] {
  return listHeadings(main).map(({ id, text }) => ({
    href: `${path}#${id}`,
    title: `${title}: ${text}`,
    about: '',
    not_yet: false,
    text: '',
  }))
}

export interface PageHeading {
  id: string
  text: string
}

/** Returns the second-level headings that have an id. */
export function listHeadings(main: Html): PageHeading[] {
  return [...renderToText(main).matchAll(/<h2[^>]*\sid="([^"]+)"[^>]*>(.*?)<\/h2>/gs)].map(
    ([, id = '', inside = '']) => ({ id, text: plain(inside) }),
  )
}

function words(main: Html): string {
  return plain(renderToText(main))
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

function plain(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
