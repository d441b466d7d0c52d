/**
 * The reference site at /docs, generated from the declarations of the contract, as HTML for people
 * and Markdown for agents. Each page is rendered at its first request, when the URL of the server
 * is known, and cached until the process ends.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import type { EventSource } from '../../contract/events.ts'
import type { Guide } from '../../contract/manifest/guide.ts'
import { limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { inSlices } from '../../kernel/limits/slices.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { createSlidingWindow } from '../../kernel/limits/sliding-window.ts'
import { readAddresses } from '../http/openapi.ts'
import { createProblemHeaders } from '../http/problems.ts'
import { findNetwork } from '../http/visitor-address.ts'
import { renderDocsPage, type AssetUrls } from './layout.ts'
import { createLibrary, writeLlmsFullText, writeLlmsText, type DocsLibrary } from './library.ts'
import { toMarkdown } from './render/markdown.ts'
import { searchPage, tooManyPage } from './pages/search.ts'
import { createSearchIndex, type SearchHit, type SearchIndex } from './search-index.ts'
import { toMarkdownPath, paths, type DocsSite, type DocsPage } from './site.ts'
import { readStyle } from '../html/style.ts'
import { html } from '../html/html.ts'

export interface DocumentedParts {
  operations: readonly Operation[]
  sources: readonly EventSource[]
  /** The operations for people only, which portal sessions call. */
  people?: readonly Operation[]
  /** The guides of the areas, in reading order. */
  guides: readonly Guide[]
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
  "form-action 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ')

const assetFiles = {
  style: ['style.css', 'text/css; charset=utf-8'],
  script: ['page.js', 'text/javascript; charset=utf-8'],
  chat_demo: ['chat-demo.js', 'text/javascript; charset=utf-8'],
  icon: ['icon.svg', 'image/svg+xml'],
  app_types: ['app.d.ts', 'application/typescript; charset=utf-8'],
} as const

const assets: AssetUrls = {
  style: `${paths.home}/assets/${assetFiles.style[0]}`,
  script: `${paths.home}/assets/${assetFiles.script[0]}`,
  icon: `${paths.home}/assets/${assetFiles.icon[0]}`,
}

/** The documentation for the portal assistant. */
export interface DocsReader {
  search(words: string): Promise<SearchHit[]>
  /** The Markdown of a page; null for an unknown path. */
  readMarkdown(path: string): string | null
}

export function addDocs(
  app: FastifyInstance,
  runtime: Runtime,
  documented: DocumentedParts,
): DocsReader {
  const shelf = openDocumentStore(runtime, documented)
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = withoutLastSlashes(request.url.split('?')[0] ?? '')
    reply.header('Vary', 'Accept')
    const found = (wantsMarkdown(request) && shelf.find(toMarkdownPath(path))) || shelf.find(path)
    return found ? send(request, reply, found) : sendNotFound(reply, shelf.find(NOT_FOUND))
  }
  addSearch(app, runtime, shelf)
  for (const path of [paths.home, `${paths.home}/*`]) app.get(path, answer)
  for (const [path, write] of Object.entries({
    [LLMS]: writeLlmsText,
    [LLMS_FULL]: writeLlmsFullText,
  })) {
    let written: Promise<Document> | null = null
    app.get(path, async (request, reply) => {
      written ??= shelf.write(write)
      return send(request, reply.header('Vary', 'Accept'), await written)
    })
  }
  return {
    search: shelf.hits,
    readMarkdown: (path) => shelf.find(toMarkdownPath(path))?.text ?? null,
  }
}

/** A loop, because a regular expression would be quadratic in a run of slashes. */
function withoutLastSlashes(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

const QUERY_CHARACTERS_MAX = 100

function addSearch(app: FastifyInstance, runtime: Runtime, shelf: DocumentStore): void {
  const { docs_searches_max: limit, docs_searches_window_s } = limits
  const window_ms = docs_searches_window_s * 1000
  const rate = createSlidingWindow(runtime.clock, { limit, window_ms })
  app.get(paths.search, async (request, reply) => {
    const { q } = Object(request.query)
    const asked = typeof q === 'string' ? q.slice(0, QUERY_CHARACTERS_MAX) : ''
    const { allowed, retry_after_s } = rate.pass(findNetwork(request.ip))
    if (allowed) return send(request, reply, await shelf.search(asked))
    const problem = tooManySearches(retry_after_s)
    if (!request.headers.accept?.includes('text/html')) throw problem
    setSecurityHeaders(reply).headers(createProblemHeaders(problem))
    return reply.code(problem.status).type(HTML).send(shelf.refusal(problem).text)
  })
}

function tooManySearches(retry_after_s: number): Problem {
  const wait = `Wait ${retry_after_s} ${retry_after_s === 1 ? 'second' : 'seconds'}`
  return new Problem(
    'rate_limited',
    `This address searched more than ${limits.docs_searches_max} times in ` +
      `${limits.docs_searches_window_s} seconds.`,
    {
      retry_after_s,
      user_message: `Too many searches. ${wait}, then search again.`,
      next_step: `${wait}, then search again. The limit counts per address.`,
    },
  )
}

const NOT_FOUND = ''
const LLMS = '/llms.txt'
const LLMS_FULL = '/llms-full.txt'
const MARKDOWN = 'text/markdown; charset=utf-8'

interface DocumentStore {
  find(path: string): Document | null
  /** Writes a text over all pages, in slices. */
  write(text: (site: DocsSite, library: DocsLibrary) => Iterator<void, string>): Promise<Document>
  hits(words: string): Promise<SearchHit[]>
  /** The page of search results. */
  search(words: string): Promise<Document>
  /** The page for a search that exceeds the rate limit. */
  refusal(problem: Problem): Document
}

/** All documents by path, rendered at the first request and cached. */
function openDocumentStore(runtime: Runtime, documented: DocumentedParts): DocumentStore {
  const documents = new Map(Object.entries(readAssets()))
  let opened: { site: DocsSite; library: DocsLibrary } | null = null
  const open = () => {
    const site = {
      ...documented,
      ...readAddresses(runtime),
      sites_domain: runtime.config.sites_domain,
    }
    return (opened ??= { site, library: createLibrary(site) })
  }
  let index: Promise<SearchIndex> | null = null
  const hits = async (words: string) => {
    const { site, library } = open()
    index ??= createSearchIndex(site, library)
    return (await index).find(words)
  }
  const write = (path: string): Document | null => {
    const { site, library } = open()
    const page = path === NOT_FOUND ? notFoundPage() : library.get(path)?.()
    if (page) return documentOf(HTML, renderDocsPage(site, page, assets))
    const source = path.endsWith('.md') ? library.get(pagePath(path))?.() : undefined
    return source ? documentOf(MARKDOWN, toMarkdown(site, source)) : null
  }
  return {
    find(path) {
      const known = documents.get(path) ?? write(path)
      if (known) documents.set(path, known)
      return known
    },
    async write(text) {
      const { site, library } = open()
      return documentOf(MARKDOWN, await inSlices(text(site, library)))
    },
    hits,
    async search(words) {
      const { site } = open()
      return documentOf(HTML, renderDocsPage(site, searchPage(words, await hits(words)), assets))
    },
    refusal: (problem) =>
      documentOf(HTML, renderDocsPage(open().site, tooManyPage(problem), assets)),
  }
}

function pagePath(markdown_path: string): string {
  const path = markdown_path.slice(0, -'.md'.length)
  return path === `${paths.home}/index` ? paths.home : path
}

/** Whether the Accept header prefers Markdown to HTML. Browsers do not. */
function wantsMarkdown({ headers }: FastifyRequest): boolean {
  const asked = (headers.accept ?? '').split(',').map((one) => one.trim())
  const weightOf = (type: string): number => {
    const found = asked.find((one) => one.split(';')[0] === type)
    return found === undefined ? 0 : Number(/;\s*q=([\d.]+)/.exec(found)?.[1] ?? 1)
  }
  const markdown = weightOf('text/markdown')
  return markdown > 0 && markdown >= weightOf('text/html')
}

const folder = join(import.meta.dirname, 'assets')

function readAsset(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

function readAssets(): Record<string, Document> {
  return Object.fromEntries(
    Object.values(assetFiles).map(([file, type]) => [
      `${paths.home}/assets/${file}`,
      documentOf(type, file === 'style.css' ? readStyle(folder, [file]) : readAsset(file)),
    ]),
  )
}

function documentOf(type: string, text: string): Document {
  return { type, text, etag: `"${sha256(text).toString('base64url')}"` }
}

/**
 * Sends a document. Browsers may cache it, unlike API replies, but must revalidate it: 304 if
 * unchanged.
 */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, text, etag }: Document,
): FastifyReply {
  setSecurityHeaders(reply).headers({ ETag: etag, 'Cache-Control': 'no-cache' })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  return reply.type(type).send(text)
}

function sendNotFound(reply: FastifyReply, page: Document | null): FastifyReply {
  return setSecurityHeaders(reply)
    .code(404)
    .type(HTML)
    .send(page?.text ?? '')
}

function setSecurityHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' })
}

/** The page for an unknown path. */
function notFoundPage(): DocsPage {
  return {
    path: '',
    title: 'Not found',
    about: 'There is no such page.',
    main: html`<h1>There is no such page</h1>
      <p class="lead">The address may be mistyped, or the page may have moved.</p>
      <p>
        Try the <a href="${paths.home}">start</a>, the <a href="${paths.reference}">reference</a> or
        the list of <a href="${paths.errors}">errors</a>.
      </p>`,
  }
}
