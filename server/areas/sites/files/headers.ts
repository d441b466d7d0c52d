/**
 * The file _headers of a site, in the grammar of Netlify and Cloudflare: a line with a path,
 * followed by lines `Name: value`, or `! Name` to remove a header. Headers that break the transport
 * or affect other sites of the shared domain are refused with a reason. Pure, like redirects.ts.
 */
import { MIMEType } from 'node:util'
import { limits } from '../../../contract/limits.ts'
import { compilePattern, summarizeWarnings, LINES_MAX, findPatternFault } from './path-pattern.ts'

export interface HeaderRule {
  path: string
  set: [name: string, value: string][]
  unset: string[]
}

const transport = 'It belongs to how answers are sent, which the server decides.'
const shared = 'It would reach other sites of the same domain.'

const refused = new Map<string, string>([
  ['set-cookie', 'Sites here set no cookies.'],
  ['strict-transport-security', shared],
  ['public-key-pins', shared],
  ['clear-site-data', shared],
  ['alt-svc', shared],
  ['x-content-type-options', 'It is always nosniff.'],
  ['basic-auth', 'Use the visibility password of the site instead.'],
  ['location', 'Use the file _redirects instead.'],
  ['refresh', 'Use the file _redirects instead.'],
  ...[
    'accept-ranges',
    'age',
    'connection',
    'content-encoding',
    'content-length',
    'content-range',
    'date',
    'etag',
    'keep-alive',
    'last-modified',
    'proxy-authenticate',
    'proxy-authorization',
    'proxy-connection',
    'retry-after',
    'server',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'vary',
    'via',
  ].map((name): [string, string] => [name, transport]),
])

const activeTypes = new Set([
  'text/html',
  'text/xml',
  'text/xsl',
  'text/cache-manifest',
  'application/xml',
  'application/x-shockwave-flash',
])

const nameCharacters = /^[\w!#$%&'*+.^`|~-]{1,100}$/
const valueCharacters = /^[\t\u0020-\u007E]+$/

export function parseHeaders(text: string): { headers: HeaderRule[]; warnings: string[] } {
  const headers: HeaderRule[] = []
  const warnings: string[] = []
  // The rule of the current lines. Headers below an invalid rule are parsed too, so that they are
  // not added to another rule.
  let rule: HeaderRule | null = null
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (index >= LINES_MAX) {
      warnings.unshift(`_headers: The lines after the first ${LINES_MAX} are left out.`)
      break
    }
    const said = line.replace(/^\uFEFF/, '').trim()
    if (said === '' || said.startsWith('#')) continue
    let fault: string | null = null
    if (line.length > limits.site_rule_characters_max)
      fault = `A line can have ${limits.site_rule_characters_max} characters.`
    else if (/^(?:\/|[a-z]+:\/\/)/i.test(said)) {
      rule = { path: said, set: [], unset: [] }
      fault = pathFault(said, headers.length)
      if (fault === null) headers.push(rule)
    } else if (rule === null) fault = 'A header needs a path on a line above it.'
    else fault = addTo(rule, said)
    if (fault !== null) warnings.push(`_headers, line ${index + 1}: ${fault}`)
  }
  const useful = headers.filter(({ set, unset }) => set.length + unset.length > 0)
  return { headers: useful, warnings: summarizeWarnings(warnings) }
}

function pathFault(path: string, count: number): string | null {
  if (count >= limits.site_header_rules_max)
    return `There can be ${limits.site_header_rules_max} paths; this one and its headers are left out.`
  return findPatternFault(path)
}

/** Adds a header line to its rule, or returns the fault. */
function addTo(rule: HeaderRule, line: string): string | null {
  const away = /^!\s*(\S+)$/.exec(line)?.[1]
  if (away !== undefined) return takeAway(rule, away)
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(colon, 0)).trim()
  const value = line.slice(colon + 1).trim()
  if (!nameCharacters.test(name)) return `"${line}" is no header. Write it as Name: value.`
  const reason = refused.get(name.toLowerCase())
  if (reason !== undefined) return `${name} cannot be set. ${reason}`
  if (!valueCharacters.test(value))
    return `The value of ${name} must be there and have only plain characters.`
  if (name.toLowerCase() === 'content-type') {
    const fault = typeFault(value)
    if (fault !== null) return fault
    rule.set = rule.set.filter(([one]) => one.toLowerCase() !== 'content-type')
  }
  const known = rule.set.find(([one]) => one.toLowerCase() === name.toLowerCase())
  // Repeated headers of one name in one rule form a list.
  if (known) known[1] += `, ${value}`
  else rule.set.push([name, value])
  return null
}

/** Whether a browser may run a file of the type or show it as a page. */
export function isActiveType(content_type: string): boolean {
  const { essence, type } = new MIMEType(content_type)
  return (
    activeTypes.has(essence) ||
    essence.includes('script') ||
    essence.endsWith('+xml') ||
    type === 'multipart' ||
    type === 'message'
  )
}

function typeFault(value: string): string | null {
  try {
    if (!isActiveType(value)) return null
  } catch {
    return `"${value}" is no content type. Write it as text/plain.`
  }
  return `Content-Type cannot be ${value}, which browsers run or show as a page. Name the file by its type, such as page.html.`
}

function takeAway(rule: HeaderRule, name: string): string | null {
  const lower = name.toLowerCase()
  const reason = lower === 'content-type' ? 'Every file has one.' : refused.get(lower)
  if (reason !== undefined) return `${name} cannot be taken away. ${reason}`
  if (!nameCharacters.test(name)) return `"${name}" is no name of a header.`
  rule.unset.push(lower)
  return null
}

/** The header changes for one path by lower-case name; null removes the header. */
export type HeaderChanges = ReadonlyMap<string, { name: string; value: string } | null>

/**
 * Returns the header changes of the rules for a decoded path without query. A later rule replaces
 * an earlier one.
 */
export function createHeaderFinder(rules: readonly HeaderRule[]): (path: string) => HeaderChanges {
  const compiled = rules.map((rule) => ({ ...rule, pattern: compilePattern(rule.path) }))
  return (path) => {
    const wishes = new Map<string, { name: string; value: string } | null>()
    for (const { pattern, set, unset } of compiled) {
      if (pattern.match(path) === null) continue
      for (const name of unset) wishes.set(name, null)
      for (const [name, value] of set) wishes.set(name.toLowerCase(), { name, value })
    }
    return withinBounds(wishes)
  }
}

/** Limits the number and size of headers, because browsers refuse larger responses. */
function withinBounds(wishes: Map<string, { name: string; value: string } | null>): HeaderChanges {
  let left: number = limits.site_headers_characters_max
  for (const [name, wish] of wishes) {
    if (wish === null) continue
    left -= wish.name.length + wish.value.length
    if (left < 0) wishes.delete(name)
  }
  return wishes
}
