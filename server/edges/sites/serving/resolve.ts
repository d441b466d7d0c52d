/**
 * Finds the file of a version for a path, in this order: a forced redirect; the file, index.html of
 * a folder, or the path with `.html`; the same with or without the trailing slash, by a redirect;
 * other redirects; the start page of a single-page app; the nearest 404.html.
 */
import type { RedirectHit, ServedFile } from '../../../areas/sites/service.ts'
import { encodePath, parseTarget, type RequestPath } from './path.ts'

/** The files and redirects of a version. */
export interface RoutingTable {
  /** Files by path, with a leading slash. */
  files: ReadonlyMap<string, ServedFile>
  redirectFor(path: string): RedirectHit | null
  spa: boolean
}

export type Resolution =
  /** `is_own`: the file is at the requested path, and not the target of a rewrite or a fallback. */
  | { kind: 'file'; file: ServedFile; status: 200 | 404; is_own?: true }
  | { kind: 'redirect'; to: string; status: number }
  | { kind: 'missing' }

const MOVED = 301
const missing: Resolution = { kind: 'missing' }

/**
 * Resolves a path. `navigates` is true for a page navigation; only then a single-page app gets its
 * start page.
 */
export function resolvePath(
  routing: RoutingTable,
  asked: RequestPath,
  navigates: () => boolean,
): Resolution {
  const { path, query } = asked
  const hit = routing.redirectFor(path)
  const forced = hit?.force ? follow(routing, hit, query) : null
  if (forced) return forced
  const outcome =
    fileOrRedirect(routing, asked) ??
    (hit && follow(routing, hit, query)) ??
    startPage(routing, navigates) ??
    notFoundPage(routing, path)
  return outcome ?? missing
}

function fileOrRedirect(
  { files }: RoutingTable,
  { path, query, is_canonical }: RequestPath,
): Resolution | null {
  const file = fileAt(files, path)
  if (file && is_canonical) return { kind: 'file', file, status: 200, is_own: true }
  const place = file ? path : slashVariant(files, path)
  return place === null ? null : moved(encodePath(place) + query)
}

function moved(to: string): Resolution {
  return { kind: 'redirect', to, status: MOVED }
}

function fileAt(files: RoutingTable['files'], path: string): ServedFile | undefined {
  if (path.endsWith('/')) return files.get(`${path}index.html`)
  return files.get(path) ?? files.get(`${path}.html`)
}

/** The same path with or without the trailing slash, if there is a file. */
function slashVariant(files: RoutingTable['files'], path: string): string | null {
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  return other !== '' && fileAt(files, other) ? other : null
}

/** Follows a rule. Null if the target of a rewrite has no file. */
function follow(
  { files }: RoutingTable,
  { status, to }: RedirectHit,
  query: string,
): Resolution | null {
  if (status !== 200 && status !== 404)
    return { kind: 'redirect', status, to: withQuery(to, query) }
  const target = parseTarget(to.replace(/#.*$/s, ''))
  const folder = target && slashVariant(files, target.path)
  const file = target && (fileAt(files, target.path) ?? fileAt(files, folder ?? ''))
  return file ? { kind: 'file', file, status } : null
}

/** Appends the query of the request, unless the target has its own. */
function withQuery(to: string, query: string): string {
  if (query === '' || to.includes('?')) return to
  const mark = to.indexOf('#')
  return mark < 0 ? to + query : to.slice(0, mark) + query + to.slice(mark)
}

function startPage({ spa, files }: RoutingTable, navigates: () => boolean): Resolution | null {
  const file = spa ? files.get('/index.html') : undefined
  return file && navigates() ? { kind: 'file', file, status: 200 } : null
}

function notFoundPage({ files }: RoutingTable, path: string): Resolution | null {
  for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
    const file = files.get(`${path.slice(0, end)}/404.html`)
    if (file) return { kind: 'file', file, status: 404 }
    if (end === 0) break
  }
  return null
}
