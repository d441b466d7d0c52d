/**
 * The rows of projects, kept from one request to the next for as long as PostgreSQL says that they
 * are the same. Every request needs the whole row, and its thirty columns cost more to write, send
 * and read than all else that settles who asks. So whatever tells whose a key is also tells which
 * transaction wrote the row of its project last, PostgreSQL's `xmin`: that is a number of eight
 * digits, and where it is that of a row already here, the row is what would have been read.
 * https://www.postgresql.org/docs/current/ddl-system-columns.html
 */
import { LRUCache } from 'lru-cache'
import type { ProjectRow } from '../../contract/caller.ts'
import type { Database } from '../../kernel/database/database.ts'
import { findWritten } from './store.ts'

/** A row takes about two kilobytes. */
const ROWS_MAX = 10_000
/** The numbers of transactions begin again after four thousand million, which takes far longer. */
const KEPT_MS_MAX = 3_600_000

export interface Version {
  project_id: string
  /** The number of the transaction that wrote the row last, read since the request came in. */
  written_by: string
}

interface Kept {
  written_by: string
  row: ProjectRow
}

const keptIn = new WeakMap<Database, LRUCache<string, Kept>>()

function rowsOf(db: Database): LRUCache<string, Kept> {
  const known = keptIn.get(db)
  if (known) return known
  const rows = new LRUCache<string, Kept>({ max: ROWS_MAX, ttl: KEPT_MS_MAX })
  keptIn.set(db, rows)
  return rows
}

/** The row as of a version or, where that is not here, as it is now; deleted projects as well. */
export async function findVersion(
  db: Database,
  { project_id, written_by }: Version,
): Promise<ProjectRow | undefined> {
  const rows = rowsOf(db)
  const kept = rows.get(project_id)
  if (kept?.written_by === written_by) return kept.row
  const found = await findWritten(db, project_id)
  if (!found) return undefined
  const { written_by: last, ...row } = found
  // Many requests share it.
  Object.freeze(row.rails)
  rows.set(project_id, { written_by: last, row: Object.freeze(row) })
  return row
}
