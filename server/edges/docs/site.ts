/** The input of every page: the declarations, and the URLs of the server. */
import type { ErrorSlug } from '../../contract/error-catalogue.ts'
import type { EventSource } from '../../contract/events.ts'
import type { EventType } from '../../contract/event-types.ts'
import type { Guide } from '../../contract/manifest/guide.ts'
import type { Operation, Route } from '../../contract/operation.ts'
import type { Scope } from '../../contract/scopes.ts'
import { findArea } from '../describe/words.ts'
import type { Html } from '../html/html.ts'

export interface DocsSite {
  operations: readonly Operation[]
  sources: readonly EventSource[]
  /** The operations for people only, which portal sessions call. */
  people?: readonly Operation[]
  /** The guides of the areas, in reading order. */
  guides?: readonly Guide[]
  /** The public URL of the API root. */
  base_url: string
  docs_url: string
  /** The domain of sites; a site is at `<slug>.<sites_domain>`. */
  sites_domain: string
}

/** The content of a page, without its frame. */
export interface DocsPage {
  path: string
  title: string
  /** The description for search engines and search results. */
  about: string
  main: Html
  /** Links shown below the entry of this page in the navigation. */
  inside?: readonly NavigationLink[]
  /**
   * True if this version does not support the subject of the page; its search results come last.
   */
  not_yet?: boolean
  /** The Markdown, if the page is rendered from it. */
  markdown?: string
  wide?: true
}

export interface NavigationLink {
  href: string
  text: Html | string
}

export const paths = {
  home: '/docs',
  reference: '/docs/reference',
  portal_api: '/docs/portal-api',
  errors: '/docs/errors',
  events: '/docs/events',
  scopes: '/docs/scopes',
  limits: '/docs/limits',
  settings: '/docs/settings',
  search: '/docs/search',
  chat_demo: '/docs/chat-demo',
  production: '/docs/guides/production',
  connect: '/docs/guides/connect',
} as const

/** Returns the page of a guide, by its file in docs/guides. */
export function toGuidePath(page: Guide['page']): string {
  return `${paths.home}/guides/${page}`
}

export function toAreaPath(area: string): string {
  return `${paths.reference}/${area}`
}

export function toOperationPath(operation: Operation): string {
  return `${toAreaPath(findArea(operation))}#${operation.name}`
}

export function toErrorPath(slug: ErrorSlug): string {
  return `${paths.errors}/${slug}`
}

export function toEventPath(type: EventType): string {
  return `${paths.events}/${type}`
}

export function toScopePath(scope: Scope): string {
  return `${paths.scopes}#${scope}`
}

export function findOperation(site: DocsSite, route: Route): Operation | undefined {
  return site.operations.find((operation) => operation.route === route)
}

/**
 * Returns the path of the Markdown of a page: the same path with .md; that of the start page is
 * index.md.
 */
export function toMarkdownPath(path: string): string {
  return path === paths.home ? `${path}/index.md` : `${path}.md`
}
