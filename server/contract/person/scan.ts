/** Reads all records of a project in pages, and yields those about a person. */
import { createPause } from '../../kernel/limits/slices.ts'
import type { PersonRecord } from './person.ts'

interface Scan<Row, Found extends PersonRecord> {
  /**
   * Returns the candidates of the next page. The last row is the last one of the page, candidate or
   * not, because the next page starts after it; an empty result ends the scan.
   */
  read(after: Row | null): Promise<Row[]>
  /** Reads what the records of a page need besides their rows. */
  prepare?(rows: Row[]): Promise<void>
  /** Returns null for a row that is not about the person. */
  toRecord(row: Row): Found | null
}

export async function* scanPages<Row, Found extends PersonRecord>({
  read,
  prepare,
  toRecord,
}: Scan<Row, Found>): AsyncGenerator<Found[]> {
  const pause = createPause()
  for (let after: Row | null = null; ;) {
    const rows: Row[] = await read(after)
    const last = rows.at(-1)
    if (last === undefined) return
    await prepare?.(rows)
    const found: Found[] = []
    for (const row of rows) {
      const record = toRecord(row)
      if (record !== null) found.push(record)
      // Rows of a page have several megabytes of text together.
      await pause()
    }
    if (found.length > 0) yield found
    after = last
  }
}
