/** Durable work runs only if app.ts lists it, and nothing else would notice that it is missing. */
import { importsOf, withoutComments } from './code.ts'
import { filesOf, findIn, architectureRule, isTest, type Tree } from './tree.ts'

const declared = /\bexport const (\w+) = (?:job|reconciler)\(/g

function unlistedFaults(tree: Tree): string[] {
  const app = tree['server/app.ts'] ?? ''
  const code = withoutComments(app)
  const imported = importsOf('server/app.ts', app).map(({ file }) => file)
  return filesOf(tree, /^server\/.*\.ts$/)
    .filter(([path]) => !isTest(path))
    .flatMap(([path, text]) =>
      findIn(withoutComments(text), declared).flatMap(({ line, match: [, name = ''] }) => {
        const whole = new RegExp(`\\* as \\w+ from '\\./${RegExp.escape(path.slice(7))}'`)
        const named = imported.includes(path) && new RegExp(`\\b${name}\\b`).test(code)
        if (named || whole.test(code)) return []
        return [`${path}:${line}: app.ts does not list ${name}, so it never runs. Add it there.`]
      }),
    )
}

const work = "export const sweep = reconciler({ name: 'a.sweep' })"

architectureRule('every job and every reconciler is listed in app.ts', unlistedFaults, {
  refuses: [
    { 'server/areas/a/jobs.ts': work, 'server/app.ts': '' },
    {
      'server/areas/a/jobs.ts': work,
      'server/app.ts': "// sweep\nimport { other } from './areas/a/jobs.ts'",
    },
    { 'server/kernel/a.ts': work, 'server/app.ts': 'const reconcilers = [sweep]' },
  ],
  accepts: {
    'server/areas/a/jobs.ts': work,
    'server/areas/b/jobs.ts': 'export const send = job({})',
    'server/areas/c/jobs.test.ts': work,
    'server/app.ts':
      "import { sweep } from './areas/a/jobs.ts'\nimport * as b from './areas/b/jobs.ts'",
  },
})
