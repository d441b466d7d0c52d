/** The common parts of event streams that have no end: their number, their waits and their end. */
import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseBusy, isDatabaseUnavailable } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { Problem } from '../errors.ts'
import type { StreamInput } from './streams.ts'

export type Following = Pick<StreamInput, 'signal' | 'last_event_id' | 'recheck'>

/** How often the rights of a follower are checked again. */
export const RECHECK_S = 30

/** A follower for whom streams are counted, such as a key or a project. */
export interface StreamPlace {
  place: string
  most: number
  /** The subject of the refusal, such as "This key". */
  whose: string
}

const counts = new WeakMap<Runtime['wakeups'], Map<string, number>>()

/**
 * Counts an open stream of this process; the returned function removes it. Throws rate_limited at a
 * maximum. `what` names the streams in the refusal.
 */
export function countStream(
  { wakeups }: Pick<Runtime, 'wakeups'>,
  what: string,
  places: readonly StreamPlace[],
): () => void {
  const ours = counts.get(wakeups) ?? new Map<string, number>()
  counts.set(wakeups, ours)
  for (const { place, most, whose } of places) {
    if ((ours.get(`${what} ${place}`) ?? 0) < most) continue
    const detail = `${whose} has ${most} ${what} open, and that is the most.`
    throw new Problem('rate_limited', detail, { retry_after_s: RECHECK_S })
  }
  const add = (by: number) => {
    for (const { place } of places) {
      const left = (ours.get(`${what} ${place}`) ?? 0) + by
      if (left > 0) ours.set(`${what} ${place}`, left)
      else ours.delete(`${what} ${place}`)
    }
  }
  add(1)
  return () => add(-1)
}

/** Waits, at most until the signal aborts or `wake` resolves. */
export async function pause(
  time_ms: number,
  { signal, wake }: { signal: AbortSignal; wake?: PromiseWithResolvers<void> },
): Promise<void> {
  const over = new AbortController()
  const waiting = delay(time_ms, undefined, { signal: AbortSignal.any([signal, over.signal]) })
  await Promise.race([waiting.catch(() => {}), ...(wake ? [wake.promise] : [])])
  over.abort()
}

/** Returns why the stream must end (access revoked), or null. */
export async function findRefusal(
  recheck: () => Promise<unknown>,
): Promise<{ type: string; detail: string } | null> {
  try {
    await recheck()
    return null
  } catch (error) {
    if (error instanceof Problem) return { type: error.slug, detail: error.detail }
    if (isDatabaseUnavailable(error) || isDatabaseBusy(error)) return null
    throw error
  }
}
