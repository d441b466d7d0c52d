/** The SQL of resized copies of images. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { PictureCopiesTable } from '../../../kernel/database/tables.ts'

export type CopyRow = Selectable<PictureCopiesTable>
export type CopyKey = Pick<CopyRow, 'project_id' | 'file_id' | 'width' | 'format'>

export function listCopies(
  db: Reader,
  project_id: string,
  file_ids: readonly string[],
): Promise<CopyRow[]> {
  return db
    .selectFrom('picture_copies')
    .selectAll()
    .where('project_id', '=', project_id)
    .where(sql<boolean>`file_id = any(${[...file_ids]}::uuid[])`)
    .orderBy('width')
    .orderBy('format')
    .execute()
}

export function findCopy(db: Reader, key: CopyKey): Promise<CopyRow | undefined> {
  const { project_id, file_id, width, format } = key
  return db
    .selectFrom('picture_copies')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('file_id', '=', file_id)
    .where('width', '=', width)
    .where('format', '=', format)
    .executeTakeFirst()
}

/** Returns the total size in bytes of a project's copies. */
export async function sumCopyBytes(db: Reader, project_id: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('picture_copies')
    .select(sql<bigint>`coalesce(sum(bytes), 0)::bigint`.as('bytes'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

/** Inserts a copy. Does nothing if it exists, because it has the same bytes. */
export async function insertCopy(
  tx: Transaction,
  row: Insertable<PictureCopiesTable>,
): Promise<void> {
  await tx
    .insertInto('picture_copies')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
