/** The SQL of upload links. A link is found by the hash of its token, which names its project. */
import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database.ts'
import type { UploadsTable } from '../../kernel/tables.ts'
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

/** Links that were made for these digests and have taken nothing as far as we know. */
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

/** False: it had taken its bytes before. */
export async function markReceived(
  tx: Transaction,
  { project_id, id }: FileName,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set({ received_at: now })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('received_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False: there is no such link, or its file was put to use before. */
export async function markCompleted(
  tx: Transaction,
  { project_id, id }: FileName,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set({ completed_at: now })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export function findEnded(
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
