/**
 * The patterns of _redirects and _headers: a path with :placeholders, each a whole segment, and at
 * most one `*`. Matching is linear in the path, because a placeholder ends at a slash and there is
 * only one star. A trailing slash makes no difference.
 */

export interface PathPattern {
  /** Whether the path has no placeholder and no star. */
  is_static: boolean
  /**
   * Returns the values of the placeholders and of the star (`splat`); null if the path does not
   * match.
   */
  match(path: string): Record<string, string> | null
}

const placeholder = /:([a-zA-Z]\w*)/g
const wholeSegment = /^:[a-zA-Z]\w*$/
const special = /[$()*+.?[\\\]^{|}]/g

/** Returns the fault of a pattern as a sentence; null if the pattern is valid. */
export function findPatternFault(text: string): string | null {
  if (!text.startsWith('/')) return 'The path must begin with /.'
  if (/[?#]/.test(text)) return 'The path cannot have a query or a fragment.'
  if (/[\p{Cc}\\]/u.test(text)) return 'The path has characters that no path has.'
  if (decoded(text) === null) return 'The path has a % that begins no escape.'
  if (text.indexOf('*') !== text.lastIndexOf('*')) return 'The path can have one * only.'
  if (text.includes('*') && text.slice(text.indexOf('*')).includes(':'))
    return 'A :placeholder cannot stand after the *.'
  const names = [...text.matchAll(placeholder)].map(([, name]) => name)
  if (new Set(names).size < names.length) return 'A :placeholder stands there twice.'
  if (names.includes('splat')) return ':splat is what the * stands for; choose another name.'
  const segments = text.split('/')
  const stray = segments.some((part) => hasPlaceholder(part) && !wholeSegment.test(part))
  return stray ? 'A :placeholder must be a whole part between slashes.' : null
}

function hasPlaceholder(text: string): boolean {
  return text.search(placeholder) >= 0
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text).normalize('NFC')
  } catch {
    return null
  }
}

/** Compiles a pattern without faults. */
export function compilePattern(text: string): PathPattern {
  if (!text.includes('*') && !hasPlaceholder(text)) {
    const wanted = withoutEndSlash(decoded(text) ?? text)
    return { is_static: true, match: (path) => (withoutEndSlash(path) === wanted ? {} : null) }
  }
  const pattern = new RegExp(sourceOf(text), 'su')
  const match = (path: string) => {
    const found = pattern.exec(path)
    const groups = Object.entries({ splat: '', ...found?.groups })
    return found && Object.fromEntries(groups.map(([name, value]) => [name, value ?? '']))
  }
  return { is_static: false, match }
}

function sourceOf(text: string): string {
  const star = text.indexOf('*')
  if (star < 0) return `^${literal(withoutEndSlash(text))}/?$`
  const [before, after] = [text.slice(0, star), text.slice(star + 1)]
  // `/news/*` also matches `/news`, as users who move a folder expect.
  if (after === '' && before.endsWith('/'))
    return `^${literal(before.slice(0, -1))}(?:/(?<splat>.*))?$`
  return `^${literal(before)}(?<splat>.*)${literal(after)}$`
}

function literal(text: string): string {
  return text
    .split('/')
    .map((part) => {
      if (wholeSegment.test(part)) return `(?<${part.slice(1)}>[^/]+)`
      return (decoded(part) ?? part).replaceAll(special, String.raw`\$&`)
    })
    .join('/')
}

export function withoutEndSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Maximum number of lines read in a settings file, including comments. */
export const LINES_MAX = 10_000
const WARNINGS_MAX = 50

/** Returns the first warnings of a file, and a sentence with the number of further ones. */
export function summarizeWarnings(warnings: readonly string[]): string[] {
  const left = warnings.length - WARNINGS_MAX
  if (left <= 0) return [...warnings]
  return [...warnings.slice(0, WARNINGS_MAX), `${left} more lines are faulty.`]
}

/** Inserts the matched values into a target, URL-encoded except for slashes. */
export function fillTarget(target: string, matched: Record<string, string>): string {
  return target.replaceAll(placeholder, (whole, name: string) => {
    const value = Object.hasOwn(matched, name) ? matched[name] : undefined
    return value === undefined ? whole : value.split('/').map(encodeURIComponent).join('/')
  })
}
