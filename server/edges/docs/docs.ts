/**
 * The public reference site at /docs, written from the declarations of the contract. Every page is
 * rendered once, at its first request, because only then is the address of the server known; after
 * that it never changes and a browser only has to ask whether it did.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { eventTypeNames } from '../../contract/event-types.ts'
import type { EventSource } from '../../contract/events.ts'
import type { Operation } from '../../contract/operation.ts'
import { sha256 } from '../../kernel/crypto.ts'
import type { House } from '../../kernel/house.ts'
import { addressesOf } from '../http/openapi.ts'
import { slugs } from './describe/problems-of.ts'
import { layOut, type Assets } from './layout.ts'
import { errorPage, errorsPage } from './pages/errors.ts'
import { eventPage, eventsPage } from './pages/events.ts'
import { filtersPage } from './pages/filters.ts'
import { formsPage } from './pages/forms.ts'
import { homePage } from './pages/home.ts'
import { limitsPage } from './pages/limits.ts'
import { notFoundPage } from './pages/not-found.ts'
import { referencePage } from './pages/reference.ts'
import { scopesPage } from './pages/scopes.ts'
import { verifySignaturesPage } from './pages/verify-signatures.ts'
import { errorPath, eventPath, paths, type Page, type Site } from './site.ts'

export interface Documented {
  operations: readonly Operation[]
  sources: readonly EventSource[]
}

/** A response that is ready to be sent. */
interface Document {
  type: string
  text: string
  etag: string
}

const HTML = 'text/html; charset=utf-8'
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const assetFiles = {
  style: ['style.css', 'text/css; charset=utf-8'],
  script: ['page.js', 'text/javascript; charset=utf-8'],
  icon: ['icon.svg', 'image/svg+xml'],
} as const

const assets: Assets = {
  style: `${paths.home}/assets/${assetFiles.style[0]}`,
  script: `${paths.home}/assets/${assetFiles.script[0]}`,
  icon: `${paths.home}/assets/${assetFiles.icon[0]}`,
}

export function addDocs(app: FastifyInstance, house: House, documented: Documented): void {
  const documents = new Map(Object.entries(readAssets()))
  let pages: Map<string, () => Page> | null = null
  const find = (path: string): Document | null => {
    const site: Site = { ...documented, ...addressesOf(house) }
    pages ??= pagesOf(site)
    const write = pages.get(path)
    if (write && !documents.has(path))
      documents.set(path, documentOf(HTML, layOut(site, write(), assets)))
    return documents.get(path) ?? null
  }
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = (request.url.split('?')[0] ?? '').replace(/(?<=.)\/+$/, '')
    const found = find(path)
    return found ? send(request, reply, found) : sendNotFound(reply, find(''))
  }
  app.get(paths.home, answer)
  app.get(`${paths.home}/*`, answer)
}

/** Every page by its path; the empty path is the page for those that do not exist. */
function pagesOf(site: Site): Map<string, () => Page> {
  return new Map<string, () => Page>([
    [paths.home, () => homePage(site)],
    [paths.reference, () => referencePage(site)],
    [paths.errors, () => errorsPage(site)],
    ...slugs.map((slug) => [errorPath(slug), () => errorPage(site, slug)] as const),
    [paths.events, () => eventsPage(site)],
    ...eventTypeNames.map((type) => [eventPath(type), () => eventPage(site, type)] as const),
    [paths.scopes, () => scopesPage(site)],
    [paths.limits, () => limitsPage(site)],
    [paths.filters, () => filtersPage(site)],
    [paths.forms, () => formsPage(site)],
    [paths.verify_signatures, () => verifySignaturesPage()],
    ['', () => notFoundPage()],
  ])
}

function readAssets(): Record<string, Document> {
  return Object.fromEntries(
    Object.values(assetFiles).map(([file, type]) => [
      `${paths.home}/assets/${file}`,
      documentOf(type, readFileSync(join(import.meta.dirname, 'assets', file), 'utf8')),
    ]),
  )
}

function documentOf(type: string, text: string): Document {
  return { type, text, etag: `"${sha256(text).toString('base64url')}"` }
}

/** May be kept, unlike replies of the API, but is asked for again each time: 304 if nothing changed. */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, text, etag }: Document,
): FastifyReply {
  protect(reply).headers({ ETag: etag, 'Cache-Control': 'no-cache' })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  return reply.type(type).send(text)
}

function sendNotFound(reply: FastifyReply, page: Document | null): FastifyReply {
  return protect(reply)
    .code(404)
    .type(HTML)
    .send(page?.text ?? '')
}

function protect(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' })
}
