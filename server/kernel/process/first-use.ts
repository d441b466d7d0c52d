/**
 * Packages that are loaded at their first use. A loaded module keeps its source, its code and the
 * entry of the compile cache in memory, several times its size, also on servers that never use it.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Returns a function that loads the package synchronously when it is called for the first time. */
export function onFirstUse<Package>(name: string): () => Package {
  let loaded: Package | null = null
  return () => (loaded ??= require(name) as Package)
}
