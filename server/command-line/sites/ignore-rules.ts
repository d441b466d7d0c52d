/**
 * The common subset of .gitignore rules: names, `*`, `?`, `**`, leading and trailing slashes, `!`
 * exceptions and `#` comments. Pure. As in git, nothing below an ignored folder is included, and
 * the last matching rule decides.
 */
export interface IgnoreRule {
  pattern: RegExp
  folders_only: boolean
  /** An exception (`!`): matching paths are not ignored. */
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
  // A rule with a slash inside is relative to the root; without one it matches a name at any depth.
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

export function isIgnored(rules: readonly IgnoreRule[], path: string, is_folder: boolean): boolean {
  const last = rules.findLast(
    ({ pattern, folders_only }) => (is_folder || !folders_only) && pattern.test(path),
  )
  return last !== undefined && !last.keeps
}
