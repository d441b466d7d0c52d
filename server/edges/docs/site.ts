/** What every page is written from: the declarations, and where the server is reached. */
import type { ErrorSlug } from '../../contract/errors.ts'
import type { EventSource } from '../../contract/events.ts'
import type { EventType } from '../../contract/event-types.ts'
import type { Guide } from '../../contract/guide.ts'
import type { Operation, Route } from '../../contract/operation.ts'
import type { Scope } from '../../contract/scopes.ts'
import { areaOf } from './describe/words.ts'
import type { Html } from '../html/html.ts'

export interface Site {
  operations: readonly Operation[]
  sources: readonly EventSource[]
  /** Those of people alone, which sessions of the portal call. */
  people?: readonly Operation[]
  /** The guides of the areas, in reading order. */
  guides?: readonly Guide[]
  /** The API root as it is reached from outside. */
  base_url: string
  docs_url: string
  /** Sites are at `<slug>.` before this. */
  sites_domain: string
}

/** A page before it is laid out. */
export interface Page {
  path: string
  title: string
  /** For search engines and for the tab of the browser. */
  about: string
  main: Html
  /** Links to show below the entry of this page in the navigation. */
  inside?: readonly PageLink[]
  /** What it is about cannot happen in this version: its search results come last. */
  not_yet?: boolean
  /** The page as Markdown, where Markdown is its source. */
  markdown?: string
  wide?: true
}

export interface PageLink {
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
  production: '/docs/guides/production',
  connect: '/docs/guides/connect',
} as const

/** The page of a guide, by its file in docs/guides. */
export function guidePath(page: Guide['page']): string {
  return `${paths.home}/guides/${page}`
}

/** The page of the operations of one area. */
export function areaPath(area: string): string {
  return `${paths.reference}/${area}`
}

export function operationPath(operation: Operation): string {
  return `${areaPath(areaOf(operation))}#${operation.name}`
}

export function errorPath(slug: ErrorSlug): string {
  return `${paths.errors}/${slug}`
}

export function eventPath(type: EventType): string {
  return `${paths.events}/${type}`
}

export function scopePath(scope: Scope): string {
  return `${paths.scopes}#${scope}`
}

export function findOperation(site: Site, route: Route): Operation | undefined {
  return site.operations.find((operation) => operation.route === route)
}

/** Beside a page is its Markdown, at the same address with .md; that of the first page at index.md. */
export function markdownPath(path: string): string {
  return path === paths.home ? `${path}/index.md` : `${path}.md`
}
