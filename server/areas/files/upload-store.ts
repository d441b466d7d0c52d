/**
 * The SQL of upload links. A link is found by the hash of its token, which contains the project.
 */
import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { UploadsTable } from '../../kernel/database/tables.ts'
import type { FileName } from './stored.ts'

export type UploadRow = Selectable<UploadsTable>

export async function insert(
  tx: Transaction,
  rows: readonly Insertable<UploadsTable>[],
): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('uploads')
      .values([...rows])
      .execute()
}

export function find(db: Reader, project_id: string, id: string): Promise<UploadRow | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findByToken(db: Reader, token_hash: Buffer): Promise<UploadRow | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
}

/** Finds links for these digests that have not received bytes. */
export function findOpen(
  db: Reader,
  project_id: string,
  digests: readonly Buffer[],
): Promise<UploadRow[]> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('sha256', '=', sql<Buffer>`any(${digests})`)
    .where('received_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}

/** Returns false if the link had received its bytes before. */
export function markReceived(tx: Transaction, upload: FileName, now: Date): Promise<boolean> {
  return markOnce(tx, upload, { received_at: now })
}

/** Returns false if the link does not exist or its file was used before. */
export function markCompleted(tx: Transaction, upload: FileName, now: Date): Promise<boolean> {
  return markOnce(tx, upload, { completed_at: now })
}

/** Sets a timestamp of a link if it is null. Returns whether it was set. */
async function markOnce(
  tx: Transaction,
  { project_id, id }: FileName,
  mark: { received_at: Date } | { completed_at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set(mark)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('received_at' in mark ? 'received_at' : 'completed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export function findExpired(
  db: Reader,
  { until, limit }: { until: Date; limit: number },
): Promise<FileName[]> {
  return db
    .selectFrom('uploads')
    .select(['project_id', 'id'])
    .where('expires_at', '<', until)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

export async function remove(tx: Transaction, rows: readonly FileName[]): Promise<void> {
  for (const [project_id, uploads] of Map.groupBy(rows, (row) => row.project_id)) {
    await tx
      .deleteFrom('uploads')
      .where('project_id', '=', project_id)
      .where(
        'id',
        'in',
        uploads.map(({ id }) => id),
      )
      .execute()
  }
}
