/**
 * Production never loads a simulator of an outside provider. Only assemble.ts imports them, dynamically
 * and in development alone; types and tests are free.
 */
import { importsOf } from '../code.ts'
import { filesOf, findIn, architectureRule, isTest, type Tree } from '../tree.ts'

const folder = 'server/edges/dev/simulators/'
const door = `${folder}simulators.ts`

function simulatorFaults(tree: Tree): string[] {
  return filesOf(tree, /^server\/.*\.ts$/)
    .filter(([path]) => !path.startsWith(folder) && !isTest(path))
    .flatMap(([path, text]) => {
      const dynamic = new Set(findIn(text, /\bimport\(/g).map(({ line }) => line))
      return importsOf(path, text)
        .filter(({ file, is_type }) => !is_type && file?.startsWith(folder))
        .filter(
          ({ file, line }) => path !== 'server/assemble.ts' || file !== door || !dynamic.has(line),
        )
        .map(
          ({ line, file }) =>
            `${path}:${line}: It loads the simulator ${file}. Only assemble.ts may, with a dynamic import of ${door}.`,
        )
    })
}

const loading = "const { addSimulators } = await import('./edges/dev/simulators/simulators.ts')"

architectureRule('production never loads a simulator', simulatorFaults, {
  refuses: [
    {
      'server/assemble.ts': "import { addSimulators } from './edges/dev/simulators/simulators.ts'",
    },
    { 'server/assemble.ts': "await import('./edges/dev/simulators/vies/vies-simulator.ts')" },
    { 'server/main.ts': loading },
    { 'server/edges/http/a.ts': "export { a } from '../dev/simulators/stripe/cards.ts'" },
  ],
  accepts: {
    'server/assemble.ts': `if (!production) {\n  ${loading}\n}`,
    'server/edges/dev/clock.ts': "import type { Simulator } from './simulators/simulator.ts'",
    'server/edges/dev/simulators/simulators.ts': "import { a } from './vies/a.ts'",
    'server/edges/http/a.test.ts': "import { a } from '../dev/simulators/stripe/cards.ts'",
  },
})
