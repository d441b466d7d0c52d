/**
 * The entry. It lets Node keep what it compiled (stripping types off some hundred files costs
 * time and leaves garbage at every start), and hands over to main.ts.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'homeport'))
await import('./main.ts')
