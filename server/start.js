/**
 * The entry point: enables Node's compile cache, then imports main.ts. Without the cache, each
 * start strips the types of several hundred files. This file is JavaScript because Node reads it
 * before the cache is enabled: reading one TypeScript file would load the type stripper, which
 * keeps 10 MB in memory.
 *
 * Node keeps what it read from the cache, 25 MB, until the cache is flushed. Each module flushes it
 * before it loads, so that the next entry takes the memory of the previous one.
 */
import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'homeport'))
registerHooks({
  load(url, context, next) {
    flushCompileCache()
    return next(url, context)
  },
})
await import('./main.ts')
