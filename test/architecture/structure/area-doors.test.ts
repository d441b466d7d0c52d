/**
 * Other areas, edges, the demo and the command line import only service.ts and schema.ts of an
 * area: schemas are public, and an operation may include a schema of another area, as a number
 * includes its call plan. app.ts imports the manifests. Tests of edges
 * may import any file. Areas have no import cycles. webhooks imports no other area;
 * assemble.ts injects its dependencies.
 */
import { importsOf } from '../code.ts'
import { filesOf, architectureRule, isTest, type Tree } from '../tree.ts'

const areaPattern = /^server\/areas\/([^/]+)\//
const areaOf = (path: string): string | null => areaPattern.exec(path)?.[1] ?? null

interface Link {
  path: string
  line: number
  file: string
  from: string | null
  to: string
}

/** Imports of an area's files from outside the area. */
function entriesOf(tree: Tree): Link[] {
  return filesOf(tree, /^server\/(?!app\.ts$).*\.ts$/).flatMap(([path, text]) =>
    importsOf(path, text).flatMap(({ line, file }) => {
      const from = areaOf(path)
      const to = file === null ? null : areaOf(file)
      const inside = to === null || from === to || (from === null && isTest(path))
      return file === null || inside ? [] : [{ path, line, file, from, to }]
    }),
  )
}

function doorFaults(tree: Tree): string[] {
  return entriesOf(tree).flatMap(({ path, line, file, from, to }) => {
    const at = `${path}:${line}:`
    if (from === 'webhooks' && !isTest(path)) {
      return [`${at} ${from} imports the area ${to}. Let assemble.ts hand it in.`]
    }
    if (/^server\/areas\/[^/]+\/(?:service|schema)\.ts$/.test(file)) return []
    return [`${at} It enters ${to} by ${file}. Use its door, server/areas/${to}/service.ts.`]
  })
}

architectureRule('areas are imported through their service.ts', doorFaults, {
  refuses: [
    { 'server/areas/a/service.ts': "import * as store from '../b/store.ts'" },
    { 'server/areas/a/deep/c.ts': "import type { B } from '../../b/heart.ts'" },
    { 'server/edges/http/a.ts': "import { b } from '../../areas/b/operations.ts'" },
    { 'server/assemble.ts': "import { start } from './areas/b/runner.ts'" },
    { 'server/areas/webhooks/a.ts': "import * as b from '../b/service.ts'" },
    { 'server/areas/webhooks/deep/a.ts': "import type { B } from '../../b/schema.ts'" },
  ],
  accepts: {
    'server/areas/a/service.ts': "import * as b from '../b/service.ts'\nimport './heart.ts'",
    'server/areas/a/operations.ts': "import { B } from '../b/schema.ts'",
    'server/areas/webhooks/queue/claim.ts': "import { s } from '../store.ts'",
    'server/app.ts': "import { b } from './areas/b/area.ts'",
    'server/edges/http/http.test.ts': "import { b } from '../../areas/b/heart.ts'",
  },
})

function circleFaults(tree: Tree): string[] {
  const links = entriesOf(tree).filter(({ path, from }) => from !== null && !isTest(path))
  const reach = (from: string, seen: readonly string[]): string[] => {
    const next = links.filter((link) => link.from === from)
    return next.flatMap(({ to }) => (seen.includes(to) ? [to] : [to, ...reach(to, [...seen, to])]))
  }
  return links.flatMap(({ path, line, from, to }) => {
    if (from === null || ![to, ...reach(to, [to])].includes(from)) return []
    return [`${path}:${line}: ${from} and ${to} need each other. Hand in what one of them needs.`]
  })
}

architectureRule('areas have no import cycles', circleFaults, {
  refuses: [
    {
      'server/areas/a/service.ts': "import * as b from '../b/service.ts'",
      'server/areas/b/heart.ts': "import type { C } from '../c/service.ts'",
      'server/areas/c/operations.ts': "import { A } from '../a/schema.ts'",
    },
  ],
  accepts: {
    'server/areas/a/service.ts':
      "import * as b from '../b/service.ts'\nimport * as c from '../c/service.ts'",
    'server/areas/b/service.ts': "import * as c from '../c/service.ts'",
    'server/areas/c/c.test.ts': "import * as a from '../a/service.ts'",
  },
})
