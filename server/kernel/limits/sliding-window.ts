/**
 * At most `limit` events in any window of time, exactly: a ring buffer per key keeps the times of its
 * last `limit` events, so that no window boundary lets twice as many pass. Lives in the memory of one
 * process. Memory grows with the keys in use and the events of each: a ring has at most twice as many
 * places as its key passed events in a window, and a key that passed nothing for two windows is evicted.
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

/** Places of a new ring. A ring doubles when it is full, up to the limit. */
const PLACES_MIN = 8

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
      let free_at_ms = ring.times_ms[ring.next]! + window_ms
      if (now_ms < free_at_ms && ring.times_ms.length < limit) {
        grow(ring, limit)
        free_at_ms = -Infinity
      }
      if (now_ms < free_at_ms) {
        return {
          allowed: false,
          remaining: 0,
          retry_after_s: Math.max(1, Math.ceil((free_at_ms - now_ms) / 1000)),
        }
      }
      ring.times_ms[ring.next] = now_ms
      ring.next = (ring.next + 1) % ring.times_ms.length
      const unmade = limit - ring.times_ms.length
      const remaining = freeIn(ring, now_ms - window_ms) + unmade
      return { allowed: true, remaining, retry_after_s: 0 }
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
    const ring = old.get(key) ?? { times_ms: emptyPlaces(Math.min(limit, PLACES_MIN)), next: 0 }
    young.set(key, ring)
    return ring
  }
}

function emptyPlaces(count: number): Float64Array {
  return new Float64Array(count).fill(-Infinity)
}

/** Doubles a full ring. Its times stay in order, and the next event takes the first new place. */
function grow(ring: Ring, limit: number): void {
  const { times_ms, next } = ring
  const grown = emptyPlaces(Math.min(limit, times_ms.length * 2))
  grown.set(times_ms.subarray(next))
  grown.set(times_ms.subarray(0, next), times_ms.length - next)
  ring.next = times_ms.length
  ring.times_ms = grown
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
