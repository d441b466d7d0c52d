/** robots.txt rules (RFC 9309) that apply to our crawler. */
interface Rule {
  allow: boolean
  path: string
}

const agent = 'homeport'
const RULES_MAX = 500

/** Whether robots.txt allows a path. The longest matching rule decides. */
export function isAllowedByRobots(robots: string, path: string): boolean {
  const groups = readGroups(robots)
  const rules = groups.get(agent) ?? groups.get('*') ?? []
  const fitting = rules.filter((rule) => fits(rule.path, path))
  const best = fitting.toSorted((a, b) => b.path.length - a.path.length || (a.allow ? -1 : 1))[0]
  return best?.allow ?? true
}

function readGroups(robots: string): Map<string, Rule[]> {
  const groups = new Map<string, Rule[]>()
  let names: string[] = []
  let in_rules = false
  for (const line of robots.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? []
    const key = field.toLowerCase()
    if (key === 'user-agent') {
      names = in_rules ? [value.trim().toLowerCase()] : [...names, value.trim().toLowerCase()]
      in_rules = false
      continue
    }
    if (key !== 'allow' && key !== 'disallow') continue
    in_rules = true
    const path = value.trim()
    for (const name of names) {
      const rules = groups.get(name) ?? []
      groups.set(name, rules)
      // "Disallow:" without a path forbids nothing.
      if (path !== '' && rules.length < RULES_MAX) rules.push({ allow: key === 'allow', path })
    }
  }
  return groups
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
