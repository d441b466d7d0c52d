/**
 * The normalized path of a request: decoded once, without empty, `.` and `..` segments, in Unicode
 * NFC like the paths of files. Files are looked up by it in the manifest of the version and never
 * on a disk, so no path leads out of a site.
 */

export interface RequestPath {
  path: string
  /** The query with its question mark; empty if there is none. */
  query: string
  /** False if the request target differs from the normalized path. */
  is_canonical: boolean
}

/** Parses a request target; null if it is not a valid path. */
export function parseTarget(target: string): RequestPath | null {
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

/** Returns the normalized path; null if it leads above the root. */
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

/** Percent-encodes a path. */
export function encodePath(path: string): string {
  return encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')
}
