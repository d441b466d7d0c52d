/**
 * Cache of project rows. Every request needs the whole row, and its thirty columns are the most
 * expensive part of authentication. The query that authenticates a key also returns `xmin` of the
 * project row (the id of the transaction that wrote it). If it equals the cached one, the cached
 * row is current. https://www.postgresql.org/docs/current/ddl-system-columns.html
 */
import { LRUCache } from 'lru-cache'
import type { ProjectRow } from '../../contract/caller.ts'
import type { Database } from '../../kernel/database/database.ts'
import { findWithVersion } from './store.ts'

/** A row takes about 2 kB. */
const ROWS_MAX = 10_000
/** Far shorter than a wraparound of transaction ids (4 billion). */
const KEPT_MS_MAX = 3_600_000

export interface ProjectVersion {
  project_id: string
  /** `xmin` of the row, read during this request. */
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

/**
 * Returns the cached row if its version matches, else reads the current one. Includes deleted
 * projects.
 */
export async function findProjectVersion(
  db: Database,
  { project_id, written_by }: ProjectVersion,
): Promise<ProjectRow | undefined> {
  const rows = rowsOf(db)
  const kept = rows.get(project_id)
  if (kept?.written_by === written_by) return kept.row
  const found = await findWithVersion(db, project_id)
  if (!found) return undefined
  const { written_by: last, ...row } = found
  // Frozen, because many requests share it.
  Object.freeze(row.rails)
  rows.set(project_id, { written_by: last, row: Object.freeze(row) })
  return row
}
