/**
 * The guides in the search: those that fit a wish by their titles and headings, and one of them by its
 * name, section by section, with MCP calls instead of curl commands.
 */
import { setImmediate } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import type { Guide } from '../../../contract/manifest/guide.ts'
import { onlyMcpCalls } from '../../docs/guides/mcp-calls.ts'
import { createTerms, splitWords } from './terms.ts'

export interface GuideSearch {
  /** `guide:<page>: <title>` of those that fit. */
  find(query: string): Promise<string[]>
  /** The text for `guide:<page>` or `guide:<page>#<section>`; null if there is none. */
  read(query: string): string | null
}

const PREFIX = 'guide:'
const GUIDES_MAX = 2
/** A guide up to this length is read as a whole. */
const WHOLE_CHARACTERS_MAX = 3_500

/** `markdownOf` returns the page of a guide. */
export function createGuideSearch(
  guides: readonly Guide[],
  markdownOf: (page: string) => string | null,
): GuideSearch {
  const titles = new Map(guides.map(({ page, title }) => [page, title]))
  let opened: Promise<MiniSearch<Heading>> | null = null
  return {
    async find(query) {
      const index = await (opened ??= createIndex(guides, markdownOf))
      const found = index.search(query).slice(0, GUIDES_MAX)
      return found.map(({ id }) => `${PREFIX}${id}: ${titles.get(id) ?? ''}`)
    },
    read(query) {
      if (!query.startsWith(PREFIX)) return null
      const [page = '', section] = query.slice(PREFIX.length).split('#')
      const markdown = guides.some((guide) => guide.page === page) ? markdownOf(page) : null
      return markdown === null ? null : readPart(page, onlyMcpCalls(markdown), section)
    },
  }
}

/** What is searched of a guide. */
interface Heading {
  page: string
  title: string
  card: string
  headings: string
}

/** Renders each guide in a step of its own, because all of them take long. */
async function createIndex(
  guides: readonly Guide[],
  markdownOf: (page: string) => string | null,
): Promise<MiniSearch<Heading>> {
  const toTerm = createTerms()
  const index = new MiniSearch<Heading>({
    idField: 'page',
    fields: ['title', 'card', 'headings'],
    tokenize: splitWords,
    processTerm: toTerm,
    searchOptions: { tokenize: splitWords, processTerm: toTerm, boost: { title: 3 } },
  })
  for (const { page, title, card } of guides) {
    const headings = (markdownOf(page)?.match(/^#+ .+$/gm) ?? []).join('\n')
    index.add({ page, title: `${title} ${page}`, card: `${card.title} ${card.text}`, headings })
    await setImmediate()
  }
  return index
}

/** A short guide as a whole; otherwise its start with the names of its sections, or one section. */
function readPart(page: string, markdown: string, section: string | undefined): string | null {
  const [start = '', ...sections] = markdown.split(/^(?=## )/m)
  const named = new Map(sections.map((text) => [nameOf(text), text]))
  if (section !== undefined) return named.get(section) ?? null
  if (markdown.length <= WHOLE_CHARACTERS_MAX) return markdown
  const list = [...named.keys()].map((name) => `- ${PREFIX}${page}#${name}`)
  return `${start}Search for one of these to read it:\n\n${list.join('\n')}`
}

function nameOf(section: string): string {
  const [heading = ''] = section.slice('## '.length).split('\n')
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
