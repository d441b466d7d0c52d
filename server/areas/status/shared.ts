/**
 * Results that many requests share: GET /status is public, so not every request to it may cause a
 * request to a provider.
 */
import type { Runtime } from '../../kernel/runtime.ts'

const KEPT_MS = 30_000

/**
 * Returns a function that runs `look` at most once in 30 seconds for each runtime; requests
 * meanwhile get its result.
 */
export function shareResult<T>(look: (runtime: Runtime) => Promise<T>) {
  const kept = new WeakMap<Runtime, { until_ms: number; result: Promise<T> }>()
  return (runtime: Runtime): Promise<T> => {
    const now_ms = runtime.clock.now_ms()
    const known = kept.get(runtime)
    if (known && known.until_ms > now_ms) return known.result
    const result = look(runtime)
    kept.set(runtime, { until_ms: now_ms + KEPT_MS, result })
    result.catch(() => kept.delete(runtime))
    return result
  }
}
