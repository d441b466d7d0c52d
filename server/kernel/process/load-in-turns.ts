/**
 * Loads a large library part by part, each part in its own turn of the event loop. Loaded at once, a
 * library blocks the event loop for up to hundreds of milliseconds.
 */
import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'

export type LoadPart = () => unknown

export async function loadInTurns(parts: readonly LoadPart[]): Promise<void> {
  for (const load of parts) {
    await load()
    await nextTurn()
  }
}

/** CommonJS modules as the file at `url` resolves them. */
export function requiredFrom(url: string, names: readonly string[]): LoadPart[] {
  const require = createRequire(url)
  return names.map((name) => () => require(name))
}
