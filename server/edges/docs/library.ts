/**
 * All pages of the documentation by path, rendered when first requested, because the URL of the
 * server is not known before. The site, the Markdown for agents and the MCP resources use it.
 */
import { eventTypeNames } from '../../contract/event-types.ts'
import { isErrorPossible, isEventSent, NOT_YET } from './available.ts'
import { errorSlugs } from '../describe/problems-of.ts'
import { toMarkdownUrl, writeMarkdown } from './render/markdown.ts'
import { errorPage, errorsPage } from './pages/errors.ts'
import { eventPage, eventsPage } from './pages/events.ts'
import { homePage } from './pages/home.ts'
import { limitsPage } from './pages/limits.ts'
import { portalApiPage } from './pages/portal-api.ts'
import { chatDemoPage } from './pages/chat-demo.ts'
import { areaPage, referencePage } from './pages/reference.ts'
import { renderGuide } from './guides/guide.ts'
import { groupByArea } from '../describe/words.ts'
import { scopesPage } from './pages/scopes.ts'
import {
  toAreaPath,
  toErrorPath,
  toEventPath,
  toGuidePath,
  paths,
  type DocsPage,
  type DocsSite,
} from './site.ts'

export type DocsLibrary = ReadonlyMap<string, () => DocsPage>

export function createLibrary(site: DocsSite): DocsLibrary {
  const pages: readonly (readonly [path: string, write: () => DocsPage])[] = [
    [paths.home, () => homePage(site)],
    [paths.reference, () => referencePage(site)],
    ...areasOf(site).map((area) => [toAreaPath(area), () => areaPage(site, area)] as const),
    [paths.portal_api, () => portalApiPage(site)],
    [paths.errors, () => errorsPage(site)],
    ...errorSlugs.map((slug) => [toErrorPath(slug), () => errorPage(site, slug)] as const),
    [paths.events, () => eventsPage(site)],
    ...eventTypeNames.map((type) => [toEventPath(type), () => eventPage(site, type)] as const),
    [paths.scopes, () => scopesPage(site)],
    [paths.limits, () => limitsPage(site)],
    [paths.chat_demo, () => chatDemoPage(site)],
    ...[paths.connect, ...guidesOf(site), paths.production, paths.settings].map(
      (path) => [path, () => renderGuide(site, path)] as const,
    ),
  ]
  return new Map(pages.map(([path, write]) => [path, once(write)]))
}

/** Caches the result of the first call. Pages do not change while the process runs. */
function once(write: () => DocsPage): () => DocsPage {
  let page: DocsPage | null = null
  return () => (page ??= write())
}

/** Guides of areas, by path. */
function guidesOf({ guides = [] }: DocsSite): string[] {
  return guides.map(({ page }) => toGuidePath(page))
}

/** The areas with a page in the reference. */
function areasOf(site: DocsSite): string[] {
  return [...groupByArea(site.operations).keys()]
}

/** Returns the pages of the table of contents, in reading order. */
function listChapters(site: DocsSite): readonly string[] {
  return [
    paths.home,
    paths.connect,
    ...guidesOf(site),
    paths.reference,
    ...areasOf(site).map(toAreaPath),
    paths.portal_api,
    paths.events,
    paths.errors,
    paths.scopes,
    paths.limits,
    paths.chat_demo,
    paths.production,
    paths.settings,
  ]
}

export interface Chapter {
  path: string
  page: DocsPage
}

/** Renders the chapters, one at a step, because all of them take hundreds of milliseconds. */
export function* renderChapters(
  site: DocsSite,
  library: DocsLibrary,
): Generator<void, readonly Chapter[]> {
  const chapters: Chapter[] = []
  for (const path of listChapters(site)) {
    const page = library.get(path)?.()
    if (page) chapters.push({ path, page })
    yield
  }
  return chapters
}

const summary =
  'Homeport is the back-end that a chat assistant or an agent builds on for a business: phone ' +
  'numbers with an AI receptionist, data and forms, websites, webhooks and a prepaid balance.'

/** The errors and events that this version cannot return or emit. */
function unavailableText(site: DocsSite): string {
  const errors = errorSlugs.filter((slug) => !isErrorPossible(site, slug))
  const events = eventTypeNames.filter((type) => !isEventSent(site, type))
  return [...errors, ...events].length === 0
    ? ''
    : `${NOT_YET}: the errors ${errors.join(', ')}; the events ${events.join(', ')}.`
}

/** Returns /llms.txt: the table of contents as Markdown, and links for machines. */
export function* writeLlmsText(site: DocsSite, library: DocsLibrary): Generator<void, string> {
  const origin = site.docs_url.slice(0, -paths.home.length)
  const chapters = yield* renderChapters(site, library)
  const lines = chapters.map(
    ({ path, page }) => `- [${page.title}](${toMarkdownUrl(site.docs_url, path)}): ${page.about}`,
  )
  return [
    '# Homeport',
    `> ${summary}`,
    unavailableText(site),
    `Every page of the documentation is Markdown too: add \`.md\` to its address, or ask with ` +
      `\`Accept: text/markdown\`. Errors have a page each, at \`${site.docs_url}/errors/{slug}.md\`.`,
    '## Documentation',
    lines.join('\n'),
    '## For machines',
    [
      `- [OpenAPI document](${site.base_url}/openapi.json): every operation, in OpenAPI 3.1`,
      `- [MCP](${origin}/mcp): the same operations as tools, with an API key as bearer`,
      `- [Everything in one file](${origin}/llms-full.txt): all chapters above, one after another`,
    ].join('\n'),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

/** Returns /llms-full.txt: all chapters in one file. */
export function* writeLlmsFullText(site: DocsSite, library: DocsLibrary): Generator<void, string> {
  const texts: string[] = []
  for (const { page } of yield* renderChapters(site, library)) {
    texts.push(yield* writeMarkdown(site, page))
    yield
  }
  return texts.join('\n---\n\n')
}
