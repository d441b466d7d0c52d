/**
 * Tests that every job and reconciler is listed in the manifest of its area, or in assemble.ts for
 * the kernel. Otherwise it would never run, and no other check would notice. A manifest counts only
 * if app.ts lists it.
 */
import { importsOf, withoutComments } from '../code.ts'
import { filesOf, findIn, architectureRule, isTest, type Tree } from '../tree.ts'

const declared = /\bexport const (\w+) = (?:job|reconciler)\(/g

/** The file that must list the jobs of a file. */
function listOf(path: string): string {
  const [area] = /^server\/areas\/[^/]+\//.exec(path) ?? []
  return area === undefined ? 'server/assemble.ts' : `${area}area.ts`
}

function unlistedFaults(tree: Tree): string[] {
  return filesOf(tree, /^server\/.*\.ts$/)
    .filter(([path]) => !isTest(path))
    .flatMap(([path, text]) =>
      findIn(withoutComments(text), declared).flatMap(({ line, match: [, name = ''] }) => {
        const list = listOf(path)
        const code = tree[list] ?? ''
        const imports = importsOf(list, code).some(({ file }) => file === path)
        if (imports && new RegExp(`\\b${name}\\b`).test(withoutComments(code))) return []
        return [`${path}:${line}: ${list} does not list ${name}, so it never runs. Add it there.`]
      }),
    )
}

const work = "export const sweep = reconciler({ name: 'a.sweep' })"

architectureRule('every job and every reconciler is in a manifest', unlistedFaults, {
  refuses: [
    { 'server/areas/a/jobs.ts': work },
    {
      'server/areas/a/jobs.ts': work,
      'server/areas/a/area.ts': "// sweep\nimport { other } from './jobs.ts'",
    },
    {
      'server/areas/a/jobs.ts': work,
      'server/areas/b/area.ts': "import { sweep } from '../a/jobs.ts'",
    },
    { 'server/kernel/a.ts': work, 'server/assemble.ts': 'const reconcilers = [sweep]' },
  ],
  accepts: {
    'server/areas/a/jobs.ts': work,
    'server/areas/a/area.ts': "import { sweep } from './jobs.ts'",
    'server/areas/c/jobs.test.ts': work,
    'server/kernel/a.ts': work,
    'server/assemble.ts': "import { sweep } from './kernel/a.ts'",
  },
})

function manifestFaults(tree: Tree): string[] {
  const listed = new Set(
    importsOf('server/app.ts', tree['server/app.ts'] ?? '').map((one) => one.file),
  )
  return filesOf(tree, /^server\/areas\/[^/]+\/area\.ts$/).flatMap(([path, text]) => {
    const folder = path.split('/')[2] ?? ''
    return [
      ...(listed.has(path) ? [] : [`${path}:1: app.ts does not list it. Add the area there.`]),
      ...(text.includes(`name: '${folder}'`)
        ? []
        : [`${path}:1: It is not named ${folder}. Name it so.`]),
    ]
  })
}

architectureRule('every manifest is named like its folder and is in app.ts', manifestFaults, {
  refuses: [
    { 'server/areas/a/area.ts': "name: 'a'", 'server/app.ts': '' },
    {
      'server/areas/a/area.ts': "name: 'b'",
      'server/app.ts': "import { a } from './areas/a/area.ts'",
    },
  ],
  accepts: {
    'server/areas/a/area.ts': "name: 'a'",
    'server/app.ts': "import { a } from './areas/a/area.ts'",
  },
})
