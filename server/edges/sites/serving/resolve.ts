/**
 * Finds the file of a version for a path, in this order: a forced redirect; the file, index.html of
 * a folder, or the path with `.html`; the same with or without the trailing slash, by a redirect;
 * other redirects; the start page of a single-page app; the nearest 404.html.
 */
import type { RedirectHit, ServedFile } from '../../../areas/sites/service.ts'
import { encodedPath, readTarget, type AskedPath } from './path.ts'

/** The files and redirects of a version. */
export interface Shelf {
  /** By path, with a leading slash. */
  files: ReadonlyMap<string, ServedFile>
  redirectFor(path: string): RedirectHit | null
  spa: boolean
}

export type Outcome =
  /** `is_own`: the file is at the requested path, and not the target of a rewrite or a fallback. */
  | { kind: 'file'; file: ServedFile; status: 200 | 404; is_own?: true }
  | { kind: 'redirect'; to: string; status: number }
  | { kind: 'missing' }

const MOVED = 301
const missing: Outcome = { kind: 'missing' }

/** `navigates` is true for a page navigation. Only then a single-page app gets its start page. */
export function resolve(shelf: Shelf, asked: AskedPath, navigates: () => boolean): Outcome {
  const { path, query } = asked
  const hit = shelf.redirectFor(path)
  const forced = hit?.force ? follow(shelf, hit, query) : null
  if (forced) return forced
  const outcome =
    fileOrPlace(shelf, asked) ??
    (hit && follow(shelf, hit, query)) ??
    startPage(shelf, navigates) ??
    notFoundPage(shelf, path)
  return outcome ?? missing
}

function fileOrPlace({ files }: Shelf, { path, query, is_canonical }: AskedPath): Outcome | null {
  const file = fileAt(files, path)
  if (file && is_canonical) return { kind: 'file', file, status: 200, is_own: true }
  const place = file ? path : placeBeside(files, path)
  return place === null ? null : moved(encodedPath(place) + query)
}

function moved(to: string): Outcome {
  return { kind: 'redirect', to, status: MOVED }
}

function fileAt(files: Shelf['files'], path: string): ServedFile | undefined {
  if (path.endsWith('/')) return files.get(`${path}index.html`)
  return files.get(path) ?? files.get(`${path}.html`)
}

/** The same path with or without the trailing slash, if there is a file. */
function placeBeside(files: Shelf['files'], path: string): string | null {
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  return other !== '' && fileAt(files, other) ? other : null
}

/** Null if the target of a rewrite has no file. */
function follow({ files }: Shelf, { status, to }: RedirectHit, query: string): Outcome | null {
  if (status !== 200 && status !== 404)
    return { kind: 'redirect', status, to: withQuery(to, query) }
  const target = readTarget(to.replace(/#.*$/s, ''))
  const file = target && fileAt(files, target.path)
  return file ? { kind: 'file', file, status } : null
}

/** Appends the query of the request, unless the target has its own. */
function withQuery(to: string, query: string): string {
  if (query === '' || to.includes('?')) return to
  const mark = to.indexOf('#')
  return mark < 0 ? to + query : to.slice(0, mark) + query + to.slice(mark)
}

function startPage({ spa, files }: Shelf, navigates: () => boolean): Outcome | null {
  const file = spa ? files.get('/index.html') : undefined
  return file && navigates() ? { kind: 'file', file, status: 200 } : null
}

function notFoundPage({ files }: Shelf, path: string): Outcome | null {
  for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
    const file = files.get(`${path.slice(0, end)}/404.html`)
    if (file) return { kind: 'file', file, status: 404 }
    if (end === 0) break
  }
  return null
}
