/**
 * The file _redirects of a site, in the grammar of Netlify: one `/from /to [status][!]` per line;
 * the first match applies. Invalid lines are skipped with a warning, so that a mistake does not
 * block a deploy. Pure.
 */
import { limits } from '../../../contract/limits.ts'
import { localPath } from '../../../kernel/values/local-path.ts'
import {
  compilePattern,
  fillTarget,
  summarizeWarnings,
  LINES_MAX,
  findPatternFault,
  withoutEndSlash,
  type PathPattern,
} from './path-pattern.ts'

export interface Redirect {
  from: string
  to: string
  /**
   * 200 serves another page at the same address, 404 serves it as not found; other statuses
   * redirect.
   */
  status: number
  /** Whether the rule applies even if a file exists at the path. */
  force: boolean
}

const DEFAULT_STATUS = 301
const shown = new Set([200, 404])
const statuses = new Set([...shown, 301, 302, 303, 307, 308])

type Read = { rule: Redirect } | { fault: string } | null

export function parseRedirects(text: string): { redirects: Redirect[]; warnings: string[] } {
  const redirects: Redirect[] = []
  const warnings: string[] = []
  const left = {
    static: limits.site_static_redirects_max as number,
    dynamic: limits.site_dynamic_redirects_max as number,
  }
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (index >= LINES_MAX) {
      warnings.unshift(`_redirects: The lines after the first ${LINES_MAX} are left out.`)
      break
    }
    const read = readLine(line)
    if (read === null) continue
    if ('fault' in read) {
      warnings.push(`_redirects, line ${index + 1}: ${read.fault}`)
      continue
    }
    const kind = compilePattern(read.rule.from).is_static ? 'static' : 'dynamic'
    left[kind] -= 1
    if (left[kind] >= 0) redirects.push(read.rule)
    if (left[kind] === -1) warnings.push(`_redirects, line ${index + 1}: ${tooMany[kind]}`)
  }
  return { redirects, warnings: summarizeWarnings(warnings) }
}

const tooMany = {
  static: `There can be ${limits.site_static_redirects_max} redirects without * and :placeholders; the rest of them is left out.`,
  dynamic: `There can be ${limits.site_dynamic_redirects_max} redirects with * or :placeholders; the rest of them is left out.`,
}

function readLine(line: string): Read {
  const words = line
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\s+/)
  const comment = words.findIndex((word) => word.startsWith('#'))
  const said = comment < 0 ? words : words.slice(0, comment)
  const [from = '', to, status, ...rest] = said
  if (from === '') return null
  if (line.length > limits.site_rule_characters_max)
    return { fault: `A line can have ${limits.site_rule_characters_max} characters.` }
  if (to === undefined) return { fault: 'A redirect needs a path and where it leads.' }
  const isTarget = /^(?:\/|[a-z]+:)/i.test(to)
  const stray = isTarget ? [status, ...rest].find((word, at) => at > 0 || notStatus(word)) : to
  if (stray !== undefined)
    return {
      fault:
        `"${stray}" cannot be used here. Write the path, where it leads, and perhaps a status; ` +
        'conditions on the query, the country, the language or a role are not offered.',
    }
  return readRule({ from, to, status: status ?? String(DEFAULT_STATUS) })
}

function notStatus(word: string | undefined): boolean {
  return word !== undefined && !/^\d+!?$/.test(word)
}

function readRule(given: { from: string; to: string; status: string }): Read {
  const { from } = given
  const force = given.status.endsWith('!')
  const status = Number(given.status.replace('!', ''))
  if (!statuses.has(status))
    return { fault: `The status can be ${[...statuses].toSorted().join(', ')}; not ${status}.` }
  if (/^[a-z]+:/i.test(from))
    return { fault: 'The path must begin with /: rules are for this site, not for others.' }
  const fault = findPatternFault(from)
  if (fault !== null) return { fault }
  const to = targetOf(given.to)
  if (to === null)
    return { fault: `"${given.to}" is no address: use a path on this site, or https://….` }
  if (shown.has(status) && !to.startsWith('/'))
    return { fault: `With the status ${status} the target must be a path on this site.` }
  if (!shown.has(status) && samePath(from, to))
    return { fault: 'It leads to itself, and a slash at the end makes no difference.' }
  return { rule: { from, to, status, force } }
}

/** Returns the normalized path on this site or http(s) URL; null if the text is neither. */
function targetOf(text: string): string | null {
  if (text.startsWith('/') && !text.startsWith('//')) return localPath(text)
  const url = URL.parse(text)
  if (url === null || url.username + url.password !== '') return null
  return /^https?:\/\//i.test(text) && /^https?:$/.test(url.protocol) ? url.href : null
}

function samePath(from: string, to: string): boolean {
  return withoutEndSlash(from) === withoutEndSlash(to)
}

export interface RedirectHit {
  status: number
  force: boolean
  /** The target with inserted values; a path of this site begins with exactly one slash. */
  to: string
}

/**
 * Finds the first rule for a path (decoded, without query). Fixed paths are looked up; at most 100
 * patterns are tried.
 */
export function createRedirectFinder(
  rules: readonly Redirect[],
): (path: string) => RedirectHit | null {
  const fixed = new Map<string, number>()
  const patterns: { place: number; pattern: PathPattern }[] = []
  for (const [place, { from }] of rules.entries()) {
    const pattern = compilePattern(from)
    if (!pattern.is_static) patterns.push({ place, pattern })
    else {
      const path = withoutEndSlash(decodeURIComponent(from).normalize('NFC'))
      if (!fixed.has(path)) fixed.set(path, place)
    }
  }
  return (path) => {
    const end = fixed.get(withoutEndSlash(path)) ?? rules.length
    for (const { place, pattern } of patterns) {
      if (place > end) break
      const matched = pattern.match(path)
      const hit = matched && hitOf(rules[place]!, matched, path)
      if (hit) return hit
    }
    return end < rules.length ? hitOf(rules[end]!, {}, path) : null
  }
}

/** Returns the target of a rule for a path; null if the rule would redirect the path to itself. */
function hitOf(rule: Redirect, matched: Record<string, string>, path: string): RedirectHit | null {
  const filled = fillTarget(rule.to, matched)
  const { status, force } = rule
  if (!rule.to.startsWith('/')) return { status, force, to: filled }
  // An empty placeholder can leave two leading slashes, which would name another host.
  const to = filled.replace(/^\/{2,}/, '/')
  if (localPath(to) === null) return null
  const is_loop = !shown.has(status) && samePath(pathOf(to), path)
  return is_loop ? null : { status, force, to }
}

function pathOf(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1)
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch {
    return path
  }
}
