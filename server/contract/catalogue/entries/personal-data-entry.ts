/** An entry of the kinds of personal data that areas store. */
export interface PersonalDataEntry {
  readonly title: string
  /** What it contains, in one sentence. */
  readonly about: string
  /** The tables that hold it. A test requires every table in one kind, or in the list of others. */
  readonly tables: readonly string[]
  /** Days until it is deleted, where the project chose nothing; null: until somebody deletes it. */
  readonly days: number | null
  /** Whether a project chooses the days. */
  readonly chosen: boolean
  /** The longest time that a project can choose, in days; null: as long as it likes. */
  readonly days_max: number | null
  /**
   * Why the search for one person leaves it out; null: it is searched, so `personalRecords` of the
   * area finds and erases it.
   */
  readonly not_searched: string | null
}

const DAY_S = 24 * 3_600

/** Converts a limit in seconds. */
export function daysOf(seconds: number): number {
  return Math.round(seconds / DAY_S)
}
