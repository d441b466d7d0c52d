/**
 * Cooperative scheduling of long computations: they call `pause` often, which yields to the event loop
 * after each slice of time. A request that computes for seconds delays others by milliseconds.
 */
const SLICE_MS = 5

/** Returns a function to await between steps. It yields only if the slice of time is used up. */
export function createPause(): () => Promise<void> | undefined {
  let began_ms = performance.now()
  return () => {
    if (performance.now() - began_ms < SLICE_MS) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        began_ms = performance.now()
        resolve()
      })
    })
  }
}

/** Runs a generator to its end, with a pause after each slice of time. */
export async function inSlices<Result>(work: Iterator<void, Result>): Promise<Result> {
  const pause = createPause()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const paused = pause()
    if (paused) await paused
  }
}

/** Runs a short generator to its end without pauses. */
export function runAtOnce<Result>(work: Iterator<void, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
