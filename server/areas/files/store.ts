/**
 * The SQL of files and of the plan usage. Lock order: first the usage row of the project, then
 * files by id, which prevents deadlocks.
 */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { FilesTable } from '../../kernel/database/tables.ts'

export type FileRow = Selectable<FilesTable>

/** Finds files by digest, stored or only announced. */
export function findByDigest(
  db: Reader,
  project_id: string,
  digests: readonly Buffer[],
): Promise<FileRow[]> {
  return ofDigests(db, project_id, digests).execute()
}

/** Finds a file by digest and locks its row, so no upload can complete meanwhile. */
export function lockByDigest(
  tx: Transaction,
  project_id: string,
  digest: Buffer,
): Promise<FileRow | undefined> {
  return ofDigests(tx, project_id, [digest]).forNoKeyUpdate().executeTakeFirst()
}

function ofDigests(db: Reader, project_id: string, digests: readonly Buffer[]) {
  return db
    .selectFrom('files')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('sha256', '=', sql<Buffer>`any(${digests})`)
    .where('doomed_at', 'is', null)
}

export function findByIds(
  db: Reader,
  project_id: string,
  ids: readonly string[],
): Promise<FileRow[]> {
  return db
    .selectFrom('files')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', 'in', [...ids])
    .where('doomed_at', 'is', null)
    .execute()
}

/** Locks the storage usage of a project and returns it. */
export async function lockUsage(tx: Transaction, project_id: string): Promise<number> {
  const { bytes } = await tx
    .insertInto('file_usage')
    .values({ project_id, bytes: 0n })
    .onConflict((on) =>
      on.column('project_id').doUpdateSet({ bytes: sql<bigint>`file_usage.bytes` }),
    )
    .returning('bytes')
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

export async function addUsage(
  tx: Transaction,
  { project_id, bytes }: { project_id: string; bytes: number },
): Promise<void> {
  if (bytes === 0) return
  await tx
    .updateTable('file_usage')
    .set({ bytes: sql<bigint>`bytes + ${BigInt(bytes)}::bigint` })
    .where('project_id', '=', project_id)
    .execute()
}

export async function readUsage(db: Reader, project_id: string): Promise<number> {
  const row = await db
    .selectFrom('file_usage')
    .select('bytes')
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return Number(row?.bytes ?? 0n)
}

export async function insert(
  tx: Transaction,
  rows: readonly Insertable<FilesTable>[],
): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('files')
      .values([...rows])
      .execute()
}

/** Updates a file that is not stored yet. Returns false if it no longer exists. */
export async function change(
  tx: Transaction,
  { project_id, id }: { project_id: string; id: string },
  changes: { bytes: bigint; sha256?: Buffer; stored_at?: Date; unused_since?: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('files')
    .set(changes)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('doomed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function markStored(
  tx: Transaction,
  { project_id, ids, now }: { project_id: string; ids: readonly string[]; now: Date },
): Promise<void> {
  await tx
    .updateTable('files')
    .set({ stored_at: now, unused_since: now })
    .where('project_id', '=', project_id)
    .where('id', 'in', lockedIds(tx, project_id, ids))
    .where('stored_at', 'is', null)
    .where('doomed_at', 'is', null)
    .execute()
}

/** Sets `unused_since` of unused files to `now`. */
export async function touch(
  tx: Transaction,
  { project_id, ids, now }: { project_id: string; ids: readonly string[]; now: Date },
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('files')
    .set({ unused_since: now })
    .where('project_id', '=', project_id)
    .where('id', 'in', lockedIds(tx, project_id, ids))
    .where('uses', '=', 0)
    .where('doomed_at', 'is', null)
    .execute()
}

export interface UsesChange {
  project_id: string
  /** Change of the use count by file id. */
  by: ReadonlyMap<string, number>
  /** The time for files without remaining uses. */
  unused_since: Date | null
}

/** Changes the use counts. Returns the number of files found. */
export async function changeUses(
  tx: Transaction,
  { project_id, by, unused_since }: UsesChange,
): Promise<number> {
  const ids = [...by.keys()]
  const { numUpdatedRows } = await tx
    .updateTable('files')
    .from(
      sql<{ id: string; count: number }>`
        (select unnest(${ids}::uuid[]) as id, unnest(${[...by.values()]}::integer[]) as count)
      `.as('change'),
    )
    .set({
      uses: sql<number>`files.uses + change.count`,
      unused_since: sql<Date | null>`
        case when files.uses + change.count = 0 then ${unused_since}::timestamptz end`,
    })
    .where('project_id', '=', project_id)
    .where('files.id', 'in', lockedIds(tx, project_id, ids))
    .whereRef('files.id', '=', sql.ref('change.id'))
    .where('stored_at', 'is not', null)
    .where('doomed_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

function lockedIds(tx: Transaction, project_id: string, ids: readonly string[]) {
  return tx
    .selectFrom('files as locked')
    .select('locked.id')
    .where('locked.project_id', '=', project_id)
    .where('locked.id', 'in', [...ids])
    .orderBy('locked.id')
    .forNoKeyUpdate()
}

/** Records the compressed copies of each file in one statement. */
export async function setEncodings(
  tx: Transaction,
  { project_id, now }: { project_id: string; now: Date },
  made: ReadonlyMap<string, FileRow['encodings']>,
): Promise<void> {
  const ids = [...made.keys()]
  const texts = [...made.values()].map((encodings) => JSON.stringify(encodings))
  await tx
    .updateTable('files')
    .from(
      sql<{ id: string; encodings: string }>`
        (select unnest(${ids}::uuid[]) as id, unnest(${texts}::jsonb[]) as encodings)
      `.as('made'),
    )
    .set({ encodings: sql`made.encodings`, encoded_at: now })
    .where('project_id', '=', project_id)
    .where('files.id', 'in', lockedIds(tx, project_id, ids))
    .whereRef('files.id', '=', sql.ref('made.id'))
    .execute()
}

/**
 * Records a derived file before its bytes are stored. Returns false if the file no longer exists.
 */
export async function addDerived(
  tx: Transaction,
  { project_id, id }: { project_id: string; id: string },
  suffix: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('files')
    .set({
      beside: sql<string[]>`
        case when ${suffix} = any(beside) then beside else array_append(beside, ${suffix}) end`,
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('stored_at', 'is not', null)
    .where('doomed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
