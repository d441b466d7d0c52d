/**
 * At most `limit` events in any window of time, exactly: the times of the last `limit` events
 * are kept in a ring per key, so there is no boundary at which twice as many pass. Lives in the
 * memory of one process; keys that were quiet for a window are forgotten.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'

const KEYS_MAX = 50_000

export interface Passage {
  allowed: boolean
  /** How many more may pass now. */
  remaining: number
  /** Whole seconds until one more may pass; 0 when one may pass now. */
  retry_after_s: number
}

interface Ring {
  times_ms: Float64Array
  /** Where the oldest time stands, and the next one goes. */
  next: number
}

export interface SlidingWindow {
  pass(key: string): Passage
}

export function createSlidingWindow(
  clock: Clock,
  { limit, window_ms }: { limit: number; window_ms: number },
): SlidingWindow {
  const rings = new LRUCache<string, Ring>({ max: KEYS_MAX })
  return {
    pass(key) {
      const now_ms = clock.now_ms()
      const ring = rings.get(key) ?? { times_ms: new Float64Array(limit).fill(-Infinity), next: 0 }
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
      rings.set(key, ring)
      return { allowed: true, remaining: freeIn(ring, now_ms - window_ms), retry_after_s: 0 }
    },
  }
}

/** How many places hold a time that has left the window: the ring is ordered, so halve it. */
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
