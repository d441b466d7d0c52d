/**
 * An entry of the table of limits. A name ends with the unit, then max, first or default; durations
 * are in seconds. A kB is 1,024 bytes and a MB 1,048,576 bytes.
 */
export interface LimitEntry {
  readonly value: number | string | readonly number[]
  readonly unit: string
  readonly about: string
  readonly applies_to: string
}

export const MB = 1_048_576
export const HOUR_S = 3_600
