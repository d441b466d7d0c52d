/** Removes the types of TypeScript modules in a thread, because a large module takes long. */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Module } from '../schema.ts'

export type Stripped = { modules: Module[] } | { path: string; fault: string }

const STRIP_MS_MAX = 10_000

/** Lines and columns stay as they were. Returns the first fault with its path. */
export async function stripTypes(modules: readonly Module[]): Promise<Stripped> {
  if (!modules.some(({ path }) => isTypeScript(path))) return { modules: [...modules] }
  const worker = new Worker(join(import.meta.dirname, 'strip-thread.ts'), {
    workerData: modules,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    stderr: true,
  })
  try {
    const signal = AbortSignal.timeout(STRIP_MS_MAX)
    const [stripped] = await once(worker, 'message', { signal })
    return stripped
  } catch {
    const [first] = modules.filter(({ path }) => isTypeScript(path))
    return { path: first!.path, fault: 'The TypeScript of this app could not be read.' }
  } finally {
    await worker.terminate()
  }
}

export function isTypeScript(path: string): boolean {
  return path.endsWith('.ts')
}
