/**
 * Serves the built portal below /portal/app/ to signed-in people. Its pages run only their own
 * scripts and load nothing from other hosts. Until the first build has ended, a page says so and
 * reloads itself.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as people from '../../areas/people/service.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { html } from '../html/html.ts'
import { portalCookies } from '../portal/cookies.ts'
import { pageHeaders, sendPage } from '../portal/layout.ts'
import { withNext } from '../portal/session-cookie.ts'
import { keptQuery } from '../portal/visit.ts'
import { findBuiltFolder, readBuildFailure } from './build.ts'
import { uploadOrigins } from '../../kernel/blobs/s3.ts'
import type { Config } from '../../kernel/config/config-types.ts'

const ROOT = '/portal/app'
const RELOAD_S = 2
/** Characters of the error of a failed build that an operator sees. */
const FAILURE_CHARACTERS = 2_000

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Encodings of the built files, the best one first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

interface Built {
  folder: string
  /** The paths of all files in the folder, compressed ones included. */
  paths: ReadonlySet<string>
}

export function addPortalApp(app: FastifyInstance, runtime: Runtime): void {
  const cookies = portalCookies(runtime)
  let built: Built | null = null
  const ready = async () => (built ??= await findBuilt(runtime))
  app.get(ROOT, async (_request, reply) => reply.redirect(`${ROOT}/`, 303))
  app.get(`${ROOT}/*`, async (request, reply) => {
    const found = await ready()
    const path = pathIn(request)
    if (isFile(path)) return sendFile(runtime, { request, reply, built: found, path })
    const secret = cookies.read(request, 'session')
    const who = await people.authenticateSession(runtime, 'portal', secret)
    if (who === null) {
      return reply.headers(appHeaders(runtime)).redirect(signInPath(request), 303)
    }
    if (found === null) return sendUnbuilt(runtime, { reply, who })
    const script = scriptOf(path, found.paths)
    if (script !== null) reply.header('Link', `<${ROOT}/${script}>; rel=modulepreload`)
    return sendFile(runtime, { request, reply, built: found, path: 'index.html' })
  })
}

async function findBuilt({ config }: Runtime): Promise<Built | null> {
  const folder = findBuiltFolder(config)
  if (!existsSync(folder)) return null
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return {
    folder,
    paths: new Set(files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)))),
  }
}

function pathIn({ url }: FastifyRequest): string {
  return (url.split('?')[0] ?? '').slice(ROOT.length + 1)
}

/**
 * Whether a path is a file. Every other path is a page of the portal, which its own router
 * resolves.
 */
function isFile(path: string): boolean {
  return path.startsWith('assets/') || path === 'theme.js'
}

/**
 * The script of a page of a project, which browsers load beside the frame. Its name is that of the
 * page: `assets/calls-page-….js` of `projects/…/calls`. Null if the page has none of its own.
 */
function scriptOf(path: string, files: ReadonlySet<string>): string | null {
  const [root, , page = '', record = ''] = path.split('/')
  if (root !== 'projects' || record !== '') return null
  const name = `assets/${page === '' ? 'home' : page}-page-`
  return [...files].find((file) => file.startsWith(name) && file.endsWith('.js')) ?? null
}

interface Sending {
  request: FastifyRequest
  reply: FastifyReply
  built: Built | null
  path: string
}

/**
 * Sends a file. Only names that the build wrote are read, so that no path leads out of its folder.
 */
async function sendFile(
  runtime: Runtime,
  { request, reply, built, path }: Sending,
): Promise<FastifyReply> {
  const { folder, paths } = built ?? { folder: '', paths: new Set<string>() }
  if (!paths.has(path)) return reply.headers(appHeaders(runtime)).code(404).send()
  const wanted = String(request.headers['accept-encoding'] ?? '')
  const [encoding, suffix] = encodings.find(
    ([name, suffix]) => wanted.includes(name) && paths.has(path + suffix),
  ) ?? ['', '']
  const bytes = await readFile(join(folder, path + suffix))
  const etag = `"${sha256(bytes).toString('base64url')}"`
  reply.headers({
    ...(bare.has(extname(path)) ? bareHeaders : appHeaders(runtime)),
    Vary: 'Accept-Encoding',
    ETag: etag,
    // The name of an asset contains the hash of its content.
    'Cache-Control': path.startsWith('assets/')
      ? 'public, max-age=31536000, immutable'
      : 'no-cache',
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  if (encoding !== '') reply.header('Content-Encoding', encoding)
  return reply.type(types[extname(path)] ?? 'application/octet-stream').send(bytes)
}

/** Files that a browser only loads from a page, so the headers of pages would be dead weight. */
const bare: ReadonlySet<string> = new Set(['.js', '.css', '.woff2'])
const bareHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

function appHeaders({ config }: Runtime): Record<string, string> {
  return { ...pageHeaders({}), 'Content-Security-Policy': createPortalPolicy(config) }
}

function signInPath(request: FastifyRequest): string {
  const path = `${ROOT}/${pathIn(request)}`.replace(/\/$/, '')
  return withNext('/portal/sign-in', path + keptQuery(request.url))
}

interface Unbuilt {
  reply: FastifyReply
  who: people.SignedIn
}

async function sendUnbuilt(runtime: Runtime, { reply, who }: Unbuilt): Promise<FastifyReply> {
  const failure = await readBuildFailure(runtime.config)
  if (failure === null) return sendWaitingPage(reply, who.language)
  const main = html`<h1>The portal could not be built</h1>
    <p>
      This server failed to build the pages of the portal. Its API, sites and phone numbers work
      meanwhile.
    </p>
    <p>
      If you operate it: read the log entry “the portal could not be built”, check that the disk has
      room and that <code>npm ci</code> has run, then restart the server. It builds again at each
      start. Otherwise, ask the operator of this server.
    </p>
    ${who.person.is_operator && html`<pre tabindex="0"><code>${failure.slice(-FAILURE_CHARACTERS)}</code></pre>`}`
  return sendPage(reply, { title: 'The portal could not be built', main }, 503)
}

const waiting = {
  en: {
    title: 'The portal is being built',
    why: 'This happens once after an installation or an update, and takes some seconds.',
    opens: 'This page opens the portal as soon as it is ready.',
  },
  nl: {
    title: 'Het portaal wordt gebouwd',
    why: 'Dat gebeurt één keer na een installatie of een update, en duurt enkele seconden.',
    opens: 'Deze pagina opent het portaal zodra het klaar is.',
  },
}

function sendWaitingPage(reply: FastifyReply, language: 'en' | 'nl'): FastifyReply {
  reply.headers({ 'Retry-After': String(RELOAD_S), Refresh: String(RELOAD_S) })
  const { title, why, opens } = waiting[language]
  const main = html`<h1>${title}</h1>
    <p>${why}</p>
    <p>${opens}</p>`
  return sendPage(reply, { title, main, language }, 503)
}

/**
 * Uploads and media may be at other origins: at a bucket, and at `public_url` while the portal is open
 * at another name of the same server, such as its IP address.
 */
function createPortalPolicy({ public_url, blobs }: Config): string {
  const { origin } = new URL(public_url)
  const uploads = uploadOrigins(blobs.address)
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    ["connect-src 'self'", origin, ...uploads].join(' '),
    `img-src 'self' data: blob: ${origin}`,
    `media-src 'self' ${origin}`,
    "form-action 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
