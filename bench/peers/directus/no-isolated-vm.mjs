/**
 * Replaces isolated-vm by an empty module: it is compiled at its installation and does not compile
 * for this version of Node. Only operations with scripts of users need it, and the benchmark makes
 * none.
 */
import { registerHooks } from 'node:module'

const NAME = 'isolated-vm'

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === NAME ? { url: `stub:${NAME}`, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === `stub:${NAME}`
      ? { format: 'module', source: 'export default {}', shortCircuit: true }
      : next(url, context),
})
