/**
 * Warnings about broken links between the pages of a site. A link is resolved like a visitor's
 * request: through the redirects of the site, to one of its files.
 */
import { limits } from '../../../contract/limits.ts'
import type { LinkedPage } from './pages.ts'
import { quotePath } from './paths.ts'
import type { Redirect, RedirectHit } from './redirects.ts'

const LINKS_TOLD_MAX = 10
/** After this many redirects a link counts as a loop. */
const REDIRECTS_MAX = 5
/**
 * Maximum number of paths that are matched against the redirects, because each match can take time.
 */
const FOLLOWED_MAX = 500
/**
 * Maximum number of links that are checked in all pages. The next constant is the number between
 * two yields.
 */
const LINKS_MAX = 20_000
const STEP = 100
const OK = 200
const NOT_FOUND = 404

/** The paths and redirects of a site. */
export interface ReachablePaths {
  paths: readonly string[]
  /** Finds the redirect of a path; null if the site has no redirects. */
  redirectFor: ((path: string) => RedirectHit | null) | null
}

/**
 * Returns a sentence for each link within the site without a target file. Yields between its steps.
 */
export function* findBrokenLinks(
  pages: readonly LinkedPage[],
  { paths, redirectFor }: ReachablePaths,
): Generator<void, string[]> {
  const answers = answerer(new Set(paths), redirectFor)
  const warnings = new Set<string>()
  let left = LINKS_MAX
  for (const { path, links } of pages) {
    for (const value of links.slice(0, left)) {
      left -= 1
      if (left % STEP === 0) yield
      const target = targetOf(value, path)
      if (target === null || answers(target)) continue
      warnings.add(`${path} links to ${quotePath(value)}, and there is no such file.`)
    }
  }
  const all = [...warnings]
  const more = all.length - LINKS_TOLD_MAX
  return more > 0 ? [...all.slice(0, LINKS_TOLD_MAX), `${more} more links lead nowhere.`] : all
}

const PLACEHOLDER = /:[a-z]|\*/i

/** Returns a sentence for each rule that shows a page of the site that does not exist. */
export function findBrokenRewrites(
  redirects: readonly Redirect[],
  paths: readonly string[],
): string[] {
  const there = new Set(paths)
  const broken = redirects.filter(({ status, to }) => {
    if ((status !== OK && status !== NOT_FOUND) || PLACEHOLDER.test(to)) return false
    const target = targetOf(to, '')
    return target !== null && !isOurs(target) && !leadsToFile(there, target)
  })
  return broken.map(
    ({ from, to, status }) =>
      `_redirects: ${quotePath(from)} shows ${quotePath(to)} with the status ${status}, and there is no such file.`,
  )
}

const ORIGIN = 'http://site.invalid'

/** Returns the path of a link within the site; null for all other links. */
function targetOf(value: string, from: string): string | null {
  if (value === '' || value.startsWith('#')) return null
  const url = URL.parse(value, `${ORIGIN}/${from.split('/').map(encodeURIComponent).join('/')}`)
  if (url?.origin !== ORIGIN) return null
  try {
    return decodeURIComponent(url.pathname).slice(1).normalize('NFC')
  } catch {
    return null
  }
}

/**
 * Returns a function that tells whether the site answers a path. Results are cached per path, and
 * the number of paths is limited.
 */
function answerer(there: ReadonlySet<string>, redirectFor: ReachablePaths['redirectFor']) {
  const known = new Map<string, boolean>()
  let left = FOLLOWED_MAX
  const follow = (target: string, redirects: number): boolean => {
    if (isOurs(target) || leadsToFile(there, target)) return true
    if (redirectFor === null) return false
    if (left-- <= 0 || target.length > limits.site_path_bytes_max) return true
    const hit = redirectFor(`/${target}`)
    if (hit === null || hit.status === NOT_FOUND) return false
    const to = targetOf(hit.to, '')
    if (to === null) return true
    if (hit.status === OK) return leadsToFile(there, to)
    return redirects < REDIRECTS_MAX && follow(to, redirects + 1)
  }
  return (target: string): boolean => {
    const answered = known.get(target) ?? follow(target, 0)
    known.set(target, answered)
    return answered
  }
}

function isOurs(target: string): boolean {
  return /^(?:_homeport|api)(?:\/|$)/.test(target)
}

/**
 * Whether a path leads to a file, like in the site server: the file, the page without its
 * extension, or the index page of a folder.
 */
function leadsToFile(there: ReadonlySet<string>, target: string): boolean {
  const bare = target.replace(/\/$/, '')
  const index = bare === '' ? 'index.html' : `${bare}/index.html`
  return there.has(target) || there.has(`${bare}.html`) || there.has(index)
}
