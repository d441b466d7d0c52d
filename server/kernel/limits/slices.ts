/**
 * Long computations in slices: whoever computes calls `pause` often, and after each slice of time
 * other work of the event loop gets its turn. A request that computes for seconds so delays others
 * by some milliseconds.
 */
const SLICE_MS = 10

/** Returns a function to await between steps, which waits only if the slice of time is used up. */
export function newPause(): () => Promise<void> | undefined {
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

/** Runs a computation that yields between its steps, with pauses between slices. */
export async function inSlices<Result>(work: Iterator<void, Result>): Promise<Result> {
  const pause = newPause()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await pause()
  }
}

/** Runs the same computation without pauses, where it is known to be short. */
export function atOnce<Result>(work: Iterator<void, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
