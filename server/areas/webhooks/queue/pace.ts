/**
 * How an endpoint that keeps failing is paced. Fifty failures in a row disable it, and a refused
 * connection takes a millisecond: without a pause between attempts, one second of being down
 * with fifty events waiting would be the end of it.
 */
import { limits } from '../../../contract/limits.ts'

/** How many attempts may be under way at once, in all processes together. */
export const caps = {
  project_cap: 20,
  endpoint_cap: 10,
  /** From so many failures in a row on, an endpoint gets one attempt at a time, and pauses. */
  doubtful_failures: limits.webhook_failures_before_pauses,
} as const

/**
 * As many failures as attempts that were under way together can bring. Only a failure after them
 * says that the receiver is still down, so the pause begins to grow there.
 */
const burst_failures = caps.doubtful_failures - 1 + caps.endpoint_cap

/** The pause after the last failure, by how many there have been in a row. */
export function pauseAfter(failures: number): number {
  if (failures < caps.doubtful_failures) return 0
  const doublings = Math.max(failures - burst_failures, 0)
  return Math.min(limits.webhook_pause_s_first * 2 ** doublings, limits.webhook_pause_s_max)
}

/** Of 1, 2, 3 … failures in a row, up to as many as disable. */
export const pauses_s: readonly number[] = Array.from(
  { length: limits.webhook_failures_in_a_row_max },
  (_, index) => pauseAfter(index + 1),
)
