/**
 * Tests that every dependency is pinned to one version, because with a range its publisher would
 * choose the code that runs, and that docs/decisions/dependencies.md gives its reason.
 */
import { filesOf, architectureRule, lineAt, type Tree } from '../tree.ts'

const reasons = 'docs/decisions/dependencies.md'
const exact = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
const lists = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
]

function dependencyFaults(tree: Tree): string[] {
  const named = tree[reasons] ?? ''
  return filesOf(tree, /(?:^|\/)package\.json$/).flatMap(([path, text]) => {
    const content: Record<string, Record<string, unknown> | undefined> = JSON.parse(text)
    const wanted = lists.flatMap((list) => Object.entries(content[list] ?? {}))
    return wanted.flatMap(([name, version]) => {
      const at = `${path}:${lineAt(text, text.indexOf(`"${name}":`))}:`
      const ranges = typeof version !== 'string' || !exact.test(version)
      return [
        ...(ranges ? [`${at} ${name} is not pinned. Write one version, without ^ or ~.`] : []),
        ...(named.includes(`\`${name}\``)
          ? []
          : [`${at} ${name} has no reason. Add a line to ${reasons}.`]),
      ]
    })
  })
}

/** Reasons for dependencies that are no longer used. */
function leftoverFaults(tree: Tree): string[] {
  const used = filesOf(tree, /(?:^|\/)package\.json$/)
    .map(([, text]) => text)
    .join('\n')
  const rows = (tree[reasons] ?? '').split('\n')
  return rows.flatMap((row, index) => {
    const name = /^\| `([^`]+)` \|/.exec(row)?.[1]
    if (name === undefined || used.includes(`"${name}":`)) return []
    return [`${reasons}:${index + 1}: No package.json has ${name}. Take the line out.`]
  })
}

architectureRule(
  'every dependency is pinned and has a reason',
  (tree) => [...dependencyFaults(tree), ...leftoverFaults(tree)],
  {
    refuses: [
      {
        'package.json': '{\n"dependencies": {\n"a": "^1.2.3" } }',
        [reasons]: '| `a` | MIT | why |',
      },
      { 'server/package.json': '{"devDependencies": {"a": "1.2.3"} }', [reasons]: '' },
      { 'package.json': '{"dependencies": {"a": "latest"} }', [reasons]: '`a`' },
      { 'package.json': '{}', [reasons]: '| `a` | MIT | why |' },
    ],
    accepts: {
      'package.json': '{"dependencies": {"@b/a": "1.2.3-beta.1"}, "engines": {"node": ">=20"} }',
      [reasons]: '| `@b/a` | MIT | why |',
    },
  },
)
