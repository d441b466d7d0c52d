/**
 * The path that a request asks for, in one way of writing: decoded once, without empty, `.` and
 * `..` parts, in the Unicode form that files have. Files are only ever looked up by such a path in
 * the list of the version, never on a disk, so no path leads out of a site.
 */

export interface AskedPath {
  path: string
  /** With its question mark; empty where there is none. */
  query: string
  /** False where the address was written in another way than the path is. */
  is_canonical: boolean
}

/** null: it cannot be a path. */
export function readTarget(target: string): AskedPath | null {
  const mark = target.indexOf('?')
  const raw = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark)
  if (!raw.startsWith('/')) return null
  const decoded = decodedPath(raw)
  if (decoded === null) return null
  const path = canonicalPath(decoded)
  return path === null ? null : { path, query, is_canonical: path === decoded }
}

function decodedPath(raw: string): string | null {
  try {
    const path = decodeURIComponent(raw).normalize('NFC')
    return /\p{Cc}/u.test(path) ? null : path
  } catch {
    return null
  }
}

/** null: it leads above the root. */
function canonicalPath(path: string): string | null {
  const kept: string[] = []
  const segments = path.split('/')
  for (const segment of segments) {
    if (segment === '..' && kept.pop() === undefined) return null
    if (!isNothing(segment)) kept.push(segment)
  }
  const is_folder = isNothing(segments.at(-1) ?? '') && kept.length > 0
  return `/${kept.join('/')}${is_folder ? '/' : ''}`
}

function isNothing(segment: string): boolean {
  return segment === '' || segment === '.' || segment === '..'
}

/** A path as browsers write it in an address. */
export function encodedPath(path: string): string {
  return encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')
}
