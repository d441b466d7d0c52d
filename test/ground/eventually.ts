/**
 * For what comes true without anybody saying so: it is looked for again and again. The limit only
 * makes a test fail instead of hanging; no machine is so slow that it decides anything else.
 */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

const LIMIT_MS = 120_000

type Found<T> = T | null | undefined | false

/** Looks after every turn of the event loop, so that whoever works for it in here can. */
export async function eventually<T>(look: () => Promise<Found<T>> | Found<T>): Promise<T> {
  const deadline_ms = performance.now() + LIMIT_MS
  for (;;) {
    const found = await look()
    if (found) return found
    assert(performance.now() < deadline_ms, `It never came true: ${look}`)
    await new Promise(setImmediate)
  }
}

/** Waits until it is enough, or until the work has ended, so that its failure ends the test. */
export async function untilEnough(isEnough: () => boolean, work: Promise<unknown>): Promise<void> {
  let is_working = true
  const end = () => (is_working = false)
  work.then(end, end)
  while (is_working && !isEnough()) await delay(1)
}
