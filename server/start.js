/**
 * The entry point: enables Node's compile cache, then imports main.ts. Without the cache, each
 * start strips the types of several hundred files. This file is JavaScript because Node reads it
 * before the cache is enabled: reading one TypeScript file would load the type stripper, which
 * keeps 10 MB in memory.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'homeport'))
await import('./main.ts')
