/**
 * The entry: enables Node's compile cache, then imports main.ts. Without the cache, each start strips
 * the types of several hundred files. It is JavaScript because Node reads the entry before the cache
 * is enabled: one TypeScript file read then loads the type stripper, 10 MB that stay in memory.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'homeport'))
await import('./main.ts')
