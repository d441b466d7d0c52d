/**
 * At most `limit` events in any window of time, exactly: a ring buffer per key keeps the times of its
 * last `limit` events, so that no window boundary lets twice as many pass. Lives in the memory of one
 * process. Memory grows with the keys in use: a key that passed nothing for two windows is evicted.
 */
import type { Clock } from '../clock.ts'

const KEYS_MAX = 50_000

export interface RateDecision {
  allowed: boolean
  /** How many more events may pass now. */
  remaining: number
  /** Whole seconds until the next event may pass; 0 if it may pass now. */
  retry_after_s: number
}

interface Ring {
  times_ms: Float64Array
  /** Index of the oldest time, which the next event overwrites. */
  next: number
}

export interface SlidingWindow {
  pass(key: string): RateDecision
}

export function createSlidingWindow(
  clock: Clock,
  { limit, window_ms }: { limit: number; window_ms: number },
): SlidingWindow {
  const ringOf = createRings(limit, window_ms)
  return {
    pass(key) {
      const now_ms = clock.now_ms()
      const ring = ringOf(key, now_ms)
      const free_at_ms = ring.times_ms[ring.next]! + window_ms
      if (now_ms < free_at_ms) {
        return {
          allowed: false,
          remaining: 0,
          retry_after_s: Math.max(1, Math.ceil((free_at_ms - now_ms) / 1000)),
        }
      }
      ring.times_ms[ring.next] = now_ms
      ring.next = (ring.next + 1) % limit
      return { allowed: true, remaining: freeIn(ring, now_ms - window_ms), retry_after_s: 0 }
    },
  }
}

/**
 * Finds or creates the ring of a key. Rings are in two generations. At the end of a window the older
 * generation is dropped: its keys were last used before the window began. That costs one map lookup
 * per event and reserves no memory, unlike an LRU cache, which allocates all places when it is made.
 */
function createRings(limit: number, window_ms: number): (key: string, now_ms: number) => Ring {
  let young = new Map<string, Ring>()
  let old = new Map<string, Ring>()
  let young_since_ms = -Infinity
  return (key, now_ms) => {
    if (now_ms - young_since_ms > window_ms || young.size >= KEYS_MAX / 2) {
      old = young
      young = new Map()
      young_since_ms = now_ms
    }
    const known = young.get(key)
    if (known) return known
    const ring = old.get(key) ?? { times_ms: new Float64Array(limit).fill(-Infinity), next: 0 }
    young.set(key, ring)
    return ring
  }
}

/** Counts the times that have left the window, by binary search in the ring, which is ordered. */
function freeIn({ times_ms, next }: Ring, left_before_ms: number): number {
  let low = 0
  let high = times_ms.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times_ms[(next + middle) % times_ms.length]! <= left_before_ms) low = middle + 1
    else high = middle
  }
  return low
}
