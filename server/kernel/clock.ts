/**
 * The only clock of the server. Every rule, schedule, expiry and signature uses it, and SQL gets
 * `now` as a parameter, so that a test can pass forty-five hours of retries in a second. In
 * development the clock can be moved forward, never back.
 */
export interface Clock {
  now(): Date
  /** Milliseconds since the epoch, for arithmetic. */
  now_ms(): number
}

export interface MovableClock extends Clock {
  advance(seconds: number): void
  offset_ms(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  now_ms: () => Date.now(),
}

/** A clock that runs with real time plus an offset that can only grow. */
export function movableClock(start_offset_ms = 0, base: Clock = systemClock): MovableClock {
  let offset_ms = start_offset_ms
  const now_ms = () => base.now_ms() + offset_ms
  return {
    now_ms,
    now: () => new Date(now_ms()),
    offset_ms: () => offset_ms,
    advance(seconds) {
      if (!Number.isFinite(seconds) || seconds < 0) throw new RangeError('Time only goes forward.')
      offset_ms += Math.round(seconds * 1000)
    },
  }
}
