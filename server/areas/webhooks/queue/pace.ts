/**
 * The pacing of a failing endpoint. Fifty failures in a row disable it, and a refused connection
 * takes a millisecond: without pauses, one second of downtime with fifty pending events would
 * disable it.
 */
import { limits } from '../../../contract/limits.ts'

/** Concurrent attempts at one host, of all projects, from which a process claims no more for it. */
export const HOST_CAP = 24

/** Maximum numbers of concurrent attempts across all processes. */
export const deliveryCaps = {
  project_cap: 20,
  endpoint_cap: 10,
  /**
   * From this number of failures in a row on, an endpoint gets one attempt at a time, with pauses.
   */
  doubtful_failures: limits.webhook_failures_before_pauses,
} as const

/**
 * Number of failures that concurrent attempts can cause together. Only a later failure shows that
 * the receiver is still down, so the pause grows from there.
 */
const burst_failures = deliveryCaps.doubtful_failures - 1 + deliveryCaps.endpoint_cap

/** Returns the pause in seconds after the last failure, by the number of failures in a row. */
export function findPause(failures: number): number {
  if (failures < deliveryCaps.doubtful_failures) return 0
  const doublings = Math.max(failures - burst_failures, 0)
  return Math.min(limits.webhook_pause_s_first * 2 ** doublings, limits.webhook_pause_s_max)
}

/** The pauses for 1, 2, 3 … failures in a row. */
export const pauses_s: readonly number[] = Array.from(
  { length: limits.webhook_failures_in_a_row_max },
  (_, index) => findPause(index + 1),
)
