/**
 * Five rings and two files: kernel → contract → providers → areas → edges → app.ts → main.ts. A
 * file imports its own ring and those before it. assemble.ts, the demo and the command line share a
 * ring with app.ts. The demo and the command line use the services of areas, and only main.ts imports
 * the demo. The command line may import a provider, because the doctor does. The server imports no
 * tests and no tools; a test may import the test fixtures.
 */
import { importsOf } from '../code.ts'
import { filesOf, architectureRule, isTest, type Tree } from '../tree.ts'

const rings = [
  /^server\/kernel\//,
  /^server\/contract\//,
  /^server\/providers\//,
  /^server\/areas\//,
  /^server\/edges\//,
  /^server\/(?:app|assemble|demo)\.ts$|^server\/command-line\//,
  /^server\/(?:main|start)\.ts$/,
]
const names = 'kernel, contract, providers, areas, edges, app.ts, main.ts'
const beside = /^server\/(?:demo\.ts$|command-line\/)/
const ringOf = (path: string): number => rings.findIndex((ring) => ring.test(path))

function backwards(path: string, file: string): string | null {
  const from = ringOf(path)
  const to = ringOf(file)
  if (from < 0) return 'stands in no ring. Move it into one'
  if (to < 0 && isTest(path)) return null
  if (to < 0)
    return `imports ${file}, which is not part of the server. Move what it needs into a ring`
  if (to > from)
    return `imports ${file}, a later ring. The order is ${names}; hand in what it needs`
  if (!beside.test(path) && beside.test(file) && !/^server\/main\.ts$/.test(path)) {
    return `imports ${file}, which only main.ts may. Move what it needs into an area`
  }
  const open = path.startsWith('server/command-line/')
    ? /^server\/(?:kernel|contract|providers)\/|^server\/areas\/[^/]+\/service\.ts$|^server\/app\.ts$/
    : /^server\/(?:kernel|contract)\/|^server\/areas\/[^/]+\/service\.ts$/
  if (!isTest(path) && beside.test(path) && !beside.test(file) && !open.test(file)) {
    return `imports ${file}. The demo and the command line use kernel, contract and services only`
  }
  return null
}

function ringFaults(tree: Tree): string[] {
  return filesOf(tree, /^server\/.*\.ts$/).flatMap(([path, text]) => {
    const strays = [{ line: 1, file: path }, ...importsOf(path, text)]
    return strays.flatMap(({ line, file }) => {
      const wrong = file === null ? null : backwards(path, file)
      return wrong === null ? [] : [`${path}:${line}: ${path} ${wrong}.`]
    })
  })
}

architectureRule('no file imports from a later ring', ringFaults, {
  refuses: [
    { 'server/kernel/a.ts': "import type { Caller } from '../contract/caller.ts'" },
    { 'server/areas/a/b.ts': "import { c } from '../../edges/http/c.ts'" },
    { 'server/contract/a.ts': "import { c } from '../areas/a/schema.ts'" },
    { 'server/providers/a/b.ts': "const late = await import('../../areas/a/service.ts')" },
    { 'server/edges/a.ts': "import { demo } from '../demo.ts'" },
    { 'server/app.ts': "import { demo } from './demo.ts'" },
    { 'server/command-line/main.ts': "import { list } from '../areas/keys/store.ts'" },
    { 'server/demo.ts': "import { buildApp } from './app.ts'" },
    { 'server/kernel/a.ts': "import { open } from '../../test/fixtures/runtime.ts'" },
    { 'server/extra/a.ts': 'export {}' },
  ],
  accepts: {
    'server/kernel/a.ts': "// import '../areas/keys/service.ts'\nimport { b } from './b.ts'",
    'server/areas/a/service.ts': "import { c } from '../../providers/c/d.ts'",
    'server/areas/a/a.test.ts': "import { open } from '../../../test/fixtures/runtime.ts'",
    'server/app.ts': "import * as a from './areas/a/operations.ts'",
    'server/assemble.ts': "import { c } from './edges/http/c.ts'",
    'server/main.ts': "import { demo } from './demo.ts'",
    'server/command-line/commands/keys.ts':
      "import { a } from '../areas/a/service.ts'\nimport { b } from './b.ts'",
  },
})
