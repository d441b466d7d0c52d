/** The SQL of deleting files. Lock order: first the usage row of the project, then files. */
import { sql, type SqlBool } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import { addUsage, type FileRow } from './store.ts'
import type { FileName } from './stored.ts'

/** Files are due for deletion if they have been unused since before these times. */
export interface UnusedSince {
  stored: Date
  announced: Date
}

function isDue({ stored, announced }: UnusedSince) {
  return sql<SqlBool>`
    unused_since < case when stored_at is null then ${announced}::timestamptz
                        else ${stored}::timestamptz end`
}

export function findUnused(
  db: Reader,
  { until, limit }: { until: UnusedSince; limit: number },
): Promise<FileName[]> {
  return db
    .selectFrom('files')
    .select(['project_id', 'id'])
    .where('uses', '=', 0)
    .where('doomed_at', 'is', null)
    .where(isDue(until))
    .orderBy('unused_since')
    .limit(limit)
    .execute()
}

export interface Deletion {
  project_id: string
  ids: readonly string[]
  now: Date
  /** Restricts the deletion to files that are still due. */
  until?: UnusedSince
}

/** Marks unused files as deleted: excludes them from lookups and from the usage. */
export async function markDeleted(
  tx: Transaction,
  { project_id, ids, now, until }: Deletion,
): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx
    .updateTable('files')
    .set({ doomed_at: now })
    .where('project_id', '=', project_id)
    .where('id', 'in', [...ids])
    .where('uses', '=', 0)
    .where('doomed_at', 'is', null)
    .$if(until !== undefined, (query) => query.where(until ? isDue(until) : sql<SqlBool>`true`))
    .returning('bytes')
    .execute()
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0)
  await addUsage(tx, { project_id, bytes: -bytes })
}

/**
 * Returns deleted files whose bytes can be removed: stored ones at once, and announced ones when no
 * upload can be in progress.
 */
export function findDeleted(
  db: Reader,
  { announced, limit }: { announced: Date; limit: number },
): Promise<FileRow[]> {
  return db
    .selectFrom('files')
    .selectAll()
    .where('doomed_at', 'is not', null)
    .where(
      sql<SqlBool>`stored_at is not null or sha256 is null or doomed_at < ${announced}::timestamptz`,
    )
    .orderBy('doomed_at')
    .limit(limit)
    .execute()
}

/** Records that the bytes are removed. Deletes rows for which no upload can be in progress. */
export async function clearDeleted(
  tx: Transaction,
  { rows, announced }: { rows: readonly FileName[]; announced: Date },
): Promise<void> {
  for (const [project_id, files] of Map.groupBy(rows, (row) => row.project_id)) {
    const ids = files.map(({ id }) => id)
    await tx
      .deleteFrom('files')
      .where('project_id', '=', project_id)
      .where('id', 'in', ids)
      .where('doomed_at', 'is not', null)
      .where(sql<SqlBool>`(sha256 is null or doomed_at < ${announced}::timestamptz)`)
      .execute()
    await tx
      .updateTable('files')
      .set({ stored_at: null })
      .where('project_id', '=', project_id)
      .where('id', 'in', ids)
      .where('doomed_at', 'is not', null)
      .execute()
  }
}
