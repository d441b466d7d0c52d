/**
 * MCP resources: the chapters of the documentation and the pages of errors and events as Markdown, from
 * the source of the documentation site.
 */
import { inSlices } from '../../kernel/limits/slices.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { readAddresses } from '../http/openapi.ts'
import type { DocumentedParts } from '../docs/docs.ts'
import { createLibrary, renderChapters, type DocsLibrary } from '../docs/library.ts'
import { toMarkdown } from '../docs/render/markdown.ts'
import { paths, toGuidePath, type DocsSite } from '../docs/site.ts'
import type { Resource, Resources } from './tools/surface.ts'

const SCHEME = 'homeport:/'
const mimeType = 'text/markdown'

/**
 * The API reference is not listed: it would fill a conversation, and search_operations answers
 * single questions.
 */
const isListed = (path: string) => !path.startsWith(paths.reference)

export function createDocumentResources(runtime: Runtime, documented: DocumentedParts): Resources {
  let opened: { site: DocsSite; library: DocsLibrary } | null = null
  // The public address is known only while the server listens.
  const open = () => (opened ??= openLibrary(siteOf(runtime, documented)))
  const list = async () => {
    const { site, library } = open()
    const chapters = await inSlices(renderChapters(site, library))
    return chapters
      .filter(({ path }) => isListed(path))
      .map(({ path, page }) => resourceOf(path, page.title, page.about))
  }
  let listed: Promise<readonly Resource[]> | null = null
  return {
    list: () => (listed ??= list()),
    templates: [
      {
        uriTemplate: `${SCHEME}/errors/{slug}`,
        name: 'error',
        title: 'An error',
        description: 'What an error means, what to tell the user and what to do next.',
        mimeType,
      },
      {
        uriTemplate: `${SCHEME}/events/{type}`,
        name: 'event',
        title: 'An event',
        description: 'When an event is sent to webhooks, and what is in it.',
        mimeType,
      },
    ],
    read(uri) {
      const { site, library } = open()
      if (!uri.startsWith(`${SCHEME}/`)) return null
      const path = pathOf(uri)
      const page = library.get(path)?.()
      return page ? toMarkdown(site, page) : null
    },
  }
}

function siteOf(runtime: Runtime, documented: DocumentedParts): DocsSite {
  const { sites_domain } = runtime.config
  return { ...documented, ...readAddresses(runtime), sites_domain }
}

function openLibrary(site: DocsSite): { site: DocsSite; library: DocsLibrary } {
  return { site, library: createLibrary(site) }
}

function resourceOf(path: string, title: string, description: string): Resource {
  const rest = path.slice(paths.home.length + 1)
  const name = rest === '' ? 'start' : rest
  return { uri: `${SCHEME}/${name}`, name, title, description, mimeType }
}

function pathOf(uri: string): string {
  const name = uri.slice(SCHEME.length + 1)
  return name === 'start' ? paths.home : `${paths.home}/${name}`
}

/** The resource of a guide of an area. */
export function toGuideUri(page: string): string {
  return `${SCHEME}${toGuidePath(page).slice(paths.home.length)}`
}
