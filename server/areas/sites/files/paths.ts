/**
 * The paths of the files of a site. A path is stored in one normalized form and refused if a file
 * system, a browser or a reader could interpret it differently.
 */
import { limits } from '../../../contract/limits.ts'
import { Problem } from '../../../contract/errors.ts'
import { formatSize } from '../../../kernel/values/size.ts'

const SEGMENT_BYTES_MAX = 255
const controls = /[\p{Cc}\p{Zl}\p{Zp}]/u
/** Characters that change the text direction or are invisible. */
const hidden = /[\p{DI}\p{Bidi_C}\p{Cf}\p{NChar}]/u
/** Percent-encoded dots, slashes and NUL: a client that decodes twice would read another path. */
const encoded = /%(?:2e|2f|5c|00|25)/i
const reservedFolders = new Map([
  ['_homeport', 'is kept for the service itself'],
  ['api', 'is kept for the code of apps'],
])
const WELL_KNOWN = '.well-known'

export interface FileFault {
  path: string
  message: string
}

/** Returns the normalized path, or the fault. */
export function normalizePath(given: string): { path: string } | { message: string } {
  if (!given.isWellFormed()) return { message: 'must be whole Unicode characters' }
  if (controls.test(given)) return { message: 'must have no control characters' }
  if (hidden.test(given)) return { message: 'must have no invisible or direction characters' }
  if (given.includes('\\')) return { message: 'must use / between folders, not \\' }
  if (encoded.test(given)) return { message: 'must be written as it is, not percent-encoded' }
  const path = given.normalize('NFC').replace(/^\//, '')
  const message = faultOf(path)
  return message === null ? { path } : { message }
}

function faultOf(path: string): string | null {
  if (path === '') return 'must name a file'
  if (Buffer.byteLength(path) > limits.site_path_bytes_max) {
    return `must be at most ${formatSize(limits.site_path_bytes_max)} long`
  }
  const segments = path.split('/')
  const [first = ''] = segments
  const kept = reservedFolders.get(foldCase(first))
  if (kept !== undefined) return `must not be in the folder ${first}/, which ${kept}`
  for (const [index, segment] of segments.entries()) {
    const message = faultOfSegment(segment, index === 0 && segments.length > 1)
    if (message !== null) return message
  }
  return null
}

function faultOfSegment(segment: string, is_outer_folder: boolean): string | null {
  if (segment === '') return 'must have no empty folder name and no / at its end'
  if (segment === '.' || segment === '..') return 'must not have . or .. as a folder'
  if (segment.startsWith('.') && !(is_outer_folder && segment === WELL_KNOWN)) {
    return 'must have no name that begins with a dot, except .well-known/'
  }
  if (segment !== segment.trim()) return 'must have no space at either end of a name'
  if (segment.endsWith('.')) return 'must have no name that ends with a dot'
  if (Buffer.byteLength(segment) > SEGMENT_BYTES_MAX) {
    return `must have no name longer than ${formatSize(SEGMENT_BYTES_MAX)}`
  }
  return null
}

/** Folds case for comparison. */
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().normalize('NFC')
}

/** Two conflicting paths, and the fault of the first. */
export interface PathClash {
  path: string
  other: string
  message: string
}

/**
 * Returns the first conflict: paths that differ only in case, or a file that is also a folder.
 * Exact duplicates are checked by the caller.
 */
export function findClash(paths: readonly string[]): PathClash | null {
  const files = new Map(paths.map((path) => [foldCase(path), path]))
  for (const path of paths) {
    const same = files.get(foldCase(path))
    if (same !== undefined && same !== path) {
      const message = `differs from ${quotePath(same)} in upper and lower case alone`
      return { path, other: same, message }
    }
    const file = files.get(foldersOf(path).find((folder) => files.has(folder)) ?? '')
    if (file !== undefined) {
      return { path, other: file, message: `is in a folder that is a file: ${quotePath(file)}` }
    }
  }
  return null
}

function foldersOf(path: string): string[] {
  const segments = foldCase(path).split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}

export function quotePath(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}

export function createFilesProblem(errors: readonly FileFault[]): Problem {
  const [first] = errors
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  return new Problem('validation_failed', `${first?.path} ${first?.message}${more}.`, { errors })
}
