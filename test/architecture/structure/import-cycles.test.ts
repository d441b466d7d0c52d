/**
 * Files do not import each other in a cycle, because the file loaded first would see uninitialized
 * values; nor do the folders of kernel, providers and edges, so that each can be read and moved
 * without the others. Type imports are excluded, because they do not exist at run time.
 */
import { importsOf, type Import } from '../code.ts'
import { filesOf, architectureRule, isTest, type Tree } from '../tree.ts'

type Graph = ReadonlyMap<string, readonly Import[]>

function importGraph(tree: Tree): Graph {
  return new Map(
    filesOf(tree, /\.ts$/).map(([path, text]) => [
      path,
      importsOf(path, text).filter(({ is_type }) => !is_type),
    ]),
  )
}

/** The shortest chain of imports from a file back to itself, as `[file, ..., file]`; null if none. */
function cycleFrom(start: string, graph: Graph): string[] | null {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const path of queue) {
    for (const { file } of graph.get(path) ?? []) {
      if (file === start) return chainTo(path, cameFrom).concat(start)
      if (file === null || cameFrom.has(file)) continue
      cameFrom.set(file, path)
      queue.push(file)
    }
  }
  return null
}

function chainTo(path: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const before = cameFrom.get(path)
  return before === undefined ? [path] : [...chainTo(before, cameFrom), path]
}

function cycleFaults(tree: Tree): string[] {
  const graph = importGraph(tree)
  return [...graph].flatMap(([path, imports]) => {
    const cycle = cycleFrom(path, graph)
    if (!cycle) return []
    const line = imports.find(({ file }) => file === cycle[1])?.line ?? 1
    const way = cycle.join(' → ')
    return [`${path}:${line}: It imports itself: ${way}. Move what both need into a third file.`]
  })
}

architectureRule('files have no import cycles', cycleFaults, {
  refuses: [
    { 'server/a.ts': "import { b } from './b.ts'", 'server/b.ts': "import { a } from './a.ts'" },
    { 'test/a.ts': "import './a.ts'" },
    {
      'server/a.ts': "import { b } from './deep/b.ts'",
      'server/deep/b.ts': "export { c } from './c.ts'",
      'server/deep/c.ts': "const a = await import('../a.ts')",
    },
  ],
  accepts: {
    'server/a.ts': "import { b } from './b.ts'\nimport { c } from './c.ts'",
    'server/b.ts': "import { c, type D } from './c.ts'\nimport type { A } from './a.ts'",
    'server/c.ts': "import { type B } from './b.ts'",
  },
})

/** The folder of the kernel, of the providers or an edge, or a file beside these; null elsewhere. */
const folderOf = (path: string): string | null =>
  /^server\/(?:kernel|providers|edges)\/[^/]+/.exec(path)?.[0] ?? null

function folderFaults(tree: Tree): string[] {
  const links = [...importGraph(tree)].flatMap(([path, imports]) =>
    isTest(path)
      ? []
      : imports.flatMap(({ file, line }) => {
          const from = folderOf(path)
          const to = file === null ? null : folderOf(file)
          return from === null || to === null || from === to ? [] : [{ path, line, from, to }]
        }),
  )
  const reach = (from: string, seen: Set<string>): Set<string> => {
    for (const { to } of links.filter((link) => link.from === from)) {
      if (!seen.has(to)) reach(to, seen.add(to))
    }
    return seen
  }
  const reached = new Map(links.map(({ from }) => [from, reach(from, new Set())]))
  return links.flatMap(({ path, line, from, to }) =>
    reached.get(to)?.has(from)
      ? [`${path}:${line}: ${from} and ${to} need each other. Move what both need into a third.`]
      : [],
  )
}

architectureRule('folders of kernel, providers and edges have no import cycles', folderFaults, {
  refuses: [
    {
      'server/edges/a/one.ts': "import { b } from '../b/b.ts'",
      'server/edges/b/b.ts': "import { two } from '../a/two.ts'",
    },
  ],
  accepts: {
    'server/edges/a/one.ts': "import { b } from '../b/b.ts'",
    'server/edges/b/b.ts': "import type { Two } from '../a/two.ts'",
    'server/edges/b/b.test.ts': "import { one } from '../a/one.ts'",
  },
})
