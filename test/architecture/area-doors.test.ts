/**
 * An area has one door, its service.ts. Its schema.ts may be looked at too: a shape that is
 * promised outside is no secret, and an operation takes a value of another area in that area's
 * own shape, as a number does its call plan. Edges, the demo and the command line use the same
 * door, though their tests may look behind it; app.ts alone lists operations, events, jobs and
 * whatever else an area offers to run. Areas never stand in a circle, and webhooks and agents know no other area at all: app.ts hands
 * them what they need.
 */
import { importsOf } from './code.ts'
import { filesOf, architectureRule, isTest, type Tree } from './tree.ts'

const areaPattern = /^server\/areas\/([^/]+)\//
const areaOf = (path: string): string | null => areaPattern.exec(path)?.[1] ?? null

interface Link {
  path: string
  line: number
  file: string
  from: string | null
  to: string
}

/** Imports that enter an area from outside of it. */
function entriesOf(tree: Tree): Link[] {
  return filesOf(tree, /^server\/(?!app\.ts).*\.ts$/).flatMap(([path, text]) =>
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
    if (from !== null && ['webhooks', 'agents'].includes(from) && !isTest(path)) {
      return [`${at} ${from} imports the area ${to}. It knows no area: let app.ts hand it in.`]
    }
    if (/^server\/areas\/[^/]+\/(?:service|schema)\.ts$/.test(file)) return []
    return [`${at} It enters ${to} by ${file}. Use its door, server/areas/${to}/service.ts.`]
  })
}

architectureRule('an area is entered through its service.ts', doorFaults, {
  refuses: [
    { 'server/areas/a/service.ts': "import * as store from '../b/store.ts'" },
    { 'server/areas/a/deep/c.ts': "import type { B } from '../../b/heart.ts'" },
    { 'server/edges/http/a.ts': "import { b } from '../../areas/b/operations.ts'" },
    { 'server/areas/webhooks/a.ts': "import * as b from '../b/service.ts'" },
    { 'server/areas/agents/a.ts': "import type { B } from '../b/schema.ts'" },
  ],
  accepts: {
    'server/areas/a/service.ts': "import * as b from '../b/service.ts'\nimport './heart.ts'",
    'server/areas/a/operations.ts': "import { B } from '../b/schema.ts'",
    'server/areas/webhooks/queue/claim.ts': "import { s } from '../store.ts'",
    'server/app.ts': "import * as b from './areas/b/operations.ts'",
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

architectureRule('areas do not stand in a circle', circleFaults, {
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
