/** Statistics over several rounds: median, minimum and maximum, and ratios by round. */

export interface Spread {
  median: number
  min: number
  max: number
}

/** Rounds to three digits, because more are not reproducible. */
export function rounded(value: number): number {
  if (!Number.isFinite(value)) return 0
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3))
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

export function spread(values: readonly number[]): Spread {
  return {
    median: rounded(median(values)),
    min: rounded(Math.min(...values)),
    max: rounded(Math.max(...values)),
  }
}

/** Ratios of values of the same round; null without values. */
export function ratios(ours: readonly number[], theirs: readonly number[]): Spread | null {
  const pairs = ours.flatMap((value, round) => {
    const other = theirs[round]
    return other ? [value / other] : []
  })
  return pairs.length > 0 ? spread(pairs) : null
}
