/** robots.txt (RFC 9309): what applies to our crawler. */
interface Rule {
  allow: boolean
  path: string
}

interface Group {
  rules: Rule[]
  delay_s: number
}

const agent = 'homeport'
const RULES_MAX = 500
const SITEMAPS_MAX = 5
/** A longer pause would let the crawl of a few pages take hours. */
const DELAY_S_MAX = 10

/** Returns whether robots.txt allows a path. The longest matching rule decides. */
export function createRobotsFilter(robots: string): (path: string) => boolean {
  const rules = groupOf(robots).rules.toSorted(
    (a, b) => b.path.length - a.path.length || Number(b.allow) - Number(a.allow),
  )
  return (path) => rules.find((rule) => fits(rule.path, path))?.allow ?? true
}

/** The pause between two requests that the site asks for, within limits. */
export function readCrawlDelay(robots: string): number {
  return groupOf(robots).delay_s
}

/** The addresses of sitemaps that robots.txt names. */
export function readSitemapLines(robots: string): string[] {
  const lines = robots.split(/\r?\n/).flatMap((line) => {
    const { key, value } = readLine(line)
    return key === 'sitemap' ? [value] : []
  })
  return lines.slice(0, SITEMAPS_MAX)
}

function groupOf(robots: string): Group {
  const groups = readGroups(robots)
  return groups.get(agent) ?? groups.get('*') ?? { rules: [], delay_s: 0 }
}

function readLine(line: string): { key: string; value: string } {
  const [, field = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? []
  return { key: field.toLowerCase(), value: value.trim() }
}

function readGroups(robots: string): Map<string, Group> {
  const groups = new Map<string, Group>()
  let names: string[] = []
  let in_rules = false
  for (const line of robots.split(/\r?\n/)) {
    const { key, value } = readLine(line)
    if (key === 'user-agent') {
      names = in_rules ? [value.toLowerCase()] : [...names, value.toLowerCase()]
      in_rules = false
      continue
    }
    if (key !== 'allow' && key !== 'disallow' && key !== 'crawl-delay') continue
    in_rules = true
    for (const name of names) {
      const group = groups.get(name) ?? { rules: [], delay_s: 0 }
      groups.set(name, group)
      if (key === 'crawl-delay') group.delay_s = boundedDelay(value)
      // "Disallow:" without a path forbids nothing.
      else if (value !== '' && group.rules.length < RULES_MAX)
        group.rules.push({ allow: key === 'allow', path: value })
    }
  }
  return groups
}

function boundedDelay(value: string): number {
  const seconds = Number(value)
  return seconds > 0 ? Math.min(seconds, DELAY_S_MAX) : 0
}

/**
 * Whether a rule matches a path: `*` matches anything and `$` the end. No regular expression,
 * because the website controls the rule.
 */
function fits(rule: string, path: string): boolean {
  const to_end = rule.endsWith('$')
  const [first = '', ...parts] = (to_end ? rule.slice(0, -1) : rule).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  const last = parts.at(-1)
  return !to_end || at === path.length || (last !== undefined && path.endsWith(last))
}
