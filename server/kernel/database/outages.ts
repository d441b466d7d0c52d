/**
 * Records since when this process cannot reach the database; in memory, because nothing can be
 * stored.
 */
import type { Runtime } from '../runtime.ts'

type Noting = Pick<Runtime, 'clock' | 'metrics'>

const since = new WeakMap<Runtime['metrics'], Date>()

/** Keeps the time of the first failure until it is taken. */
export function noteOutage({ clock, metrics }: Noting): void {
  if (!since.has(metrics)) since.set(metrics, clock.now())
}

/** The start of the outage that ended; null if there was none. */
export function takeOutage({ metrics }: Noting): Date | null {
  const start = since.get(metrics) ?? null
  since.delete(metrics)
  return start
}
