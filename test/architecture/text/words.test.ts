/**
 * Tests that names use standard terms. Each forbidden word is a metaphor for something with a
 * standard name; STYLE.md lists the terms.
 */
import { codeOf } from '../code.ts'
import { architectureRule, filesOf, findIn, type Tree } from '../tree.ts'

const terms: ReadonlyMap<string, string> = new Map([
  ['house', 'runtime or server'],
  ['crew', 'cluster, workers or team'],
  ['ground', 'fixture or database'],
  ['desk', 'context or service'],
  ['bell', 'wakeups'],
])
// `house_number` is a field name in the specification.
const identifier = /(?<![\w$])(?!house_number\b)[A-Za-z_$][\w$]*/g

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')

function termFaults(tree: Tree): string[] {
  return filesOf(tree, /\.ts$/).flatMap(([path, text]) =>
    findIn(codeOf(text), identifier).flatMap(({ line, match: [name] }) => {
      const word = wordsOf(name).find((one) => terms.has(one))
      return word === undefined
        ? []
        : [`${path}:${line}: "${name}" is a picture. Call it ${terms.get(word)}.`]
    }),
  )
}

architectureRule('identifiers use standard terms', termFaults, {
  refuses: [
    { 'server/kernel/a.ts': 'export interface House {}' },
    { 'server/kernel/a.ts': 'const test_ground = 1' },
    { 'server/kernel/a.ts': 'function joinCrew() {}' },
    { 'server/kernel/a.ts': 'const desk = 1' },
  ],
  accepts: {
    'server/kernel/a.ts': "const house_number = 'house'\nconst background = household // house",
  },
})
