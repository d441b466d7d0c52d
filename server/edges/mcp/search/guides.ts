/**
 * The guides in the search: those that fit a wish by their titles and headings, and one of them by its
 * name, section by section, with MCP calls instead of curl commands.
 */
import { setImmediate } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import type { Guide } from '../../../contract/manifest/guide.ts'
import { onlyMcpCalls } from '../../docs/guides/mcp-calls.ts'
import { findNearestName } from '../../../kernel/values/nearest.ts'
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

/** Returns the page of a guide. */
type MarkdownOf = (page: string) => string | null

/** `rename` replaces REST routes in a text by the names of operations. */
export function createGuideSearch(
  guides: readonly Guide[],
  { markdownOf, rename }: { markdownOf: MarkdownOf; rename(text: string): string },
): GuideSearch {
  /** Names operations instead of routes, and other guides as they are read here. */
  const writeForChat = (markdown: string) =>
    rename(markdown).replaceAll(
      /\]\(http[^()\s]{0,200}\/docs\/guides\/([\w-]{1,60})\.md(#[\w-]{1,80})?\)/g,
      (_, page: string, section = '') => `](${PREFIX}${page}${section})`,
    )
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
      const [typed = '', section] = query.slice(PREFIX.length).split('#')
      const pages = guides.map((guide) => guide.page)
      const page = pages.includes(typed) ? typed : findNearestName(typed, pages)
      const markdown = page === undefined ? null : markdownOf(page)
      if (page === undefined || markdown === null) return null
      return readPart(page, writeForChat(onlyMcpCalls(markdown)), section)
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
  markdownOf: MarkdownOf,
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
  if (section !== undefined) {
    const near = [...named.keys()].find((name) => name.startsWith(section))
    const found = named.get(section) ?? (near && named.get(near))
    if (found) return found
  }
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
