/**
 * The rules of a .gitignore file, as far as they are commonly used: names, `*`, `?` and `**`, a
 * slash at the beginning or the end, `!` for exceptions, `#` for remarks. Pure. As with git, nothing
 * below an ignored folder comes back, and the last rule that fits decides.
 */
export interface IgnoreRule {
  pattern: RegExp
  folders_only: boolean
  /** An exception: what fits is not ignored. */
  keeps: boolean
}

export function readIgnoreRules(text: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.trim()
    return trimmed === '' || trimmed.startsWith('#') ? [] : [ruleOf(trimmed)]
  })
}

function ruleOf(line: string): IgnoreRule {
  const keeps = line.startsWith('!')
  const bare = keeps ? line.slice(1) : line
  const folders_only = bare.endsWith('/')
  const glob = bare.replace(/\/$/, '')
  // With a slash within, a rule is about a place; without one, about a name anywhere.
  const placed = glob.includes('/')
  const words = glob.replace(/^\//, '').split('/').map(segment).join('/')
  const start = placed ? '^' : '^(?:.*/)?'
  const pattern = new RegExp(
    `${start}${words.replaceAll('<any>/', '(?:[^/]+/)*').replaceAll('/<any>', '/.+')}$`,
    'u',
  )
  return { pattern, folders_only, keeps }
}

function segment(text: string): string {
  if (text === '**') return '<any>'
  return text
    .replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, '[^/]*')
    .replaceAll('?', '[^/]')
}

export function ignoredBy(rules: readonly IgnoreRule[], path: string, is_folder: boolean): boolean {
  const last = rules.findLast(
    ({ pattern, folders_only }) => (is_folder || !folders_only) && pattern.test(path),
  )
  return last !== undefined && !last.keeps
}
