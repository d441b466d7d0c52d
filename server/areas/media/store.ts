/** The SQL of the media library: its rows, and where sites show them. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { readCostly } from '../../kernel/database/costly-read.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { MediaTable } from '../../kernel/database/tables.ts'

export type MediaRow = Selectable<MediaTable>
export type MediaKind = MediaRow['kind']

export interface MediaKey {
  project_id: string
  id: string
}

export interface MediaUse {
  media_id: string
  site_id: string
  path: string
}

export function find(db: Reader, { project_id, id }: MediaKey): Promise<MediaRow | undefined> {
  return db
    .selectFrom('media')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Like `find`, for visitors: also undefined if the project is deleted. */
export function findPublic(
  db: Reader,
  { project_id, id }: MediaKey,
): Promise<MediaRow | undefined> {
  return db
    .selectFrom('media as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .selectAll('m')
    .where('m.project_id', '=', project_id)
    .where('m.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
}

export function findMany(
  db: Reader,
  project_id: string,
  ids: readonly string[],
): Promise<MediaRow[]> {
  return db
    .selectFrom('media')
    .selectAll()
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .execute()
}

/** Locks the row of a media file and returns it. */
export function lock(tx: Transaction, { project_id, id }: MediaKey): Promise<MediaRow | undefined> {
  return tx
    .selectFrom('media')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Locks those of the rows that exist, in the order of their ids, and returns them. */
export function lockMany(
  tx: Transaction,
  project_id: string,
  ids: readonly string[],
): Promise<MediaRow[]> {
  return tx
    .selectFrom('media')
    .selectAll()
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Locks the rows among the ids against deletion until the end of the transaction, and returns their
 * ids.
 */
export async function lockMedia(
  tx: Transaction,
  project_id: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .selectFrom('media')
    .select('id')
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map(({ id }) => id)
}

export interface MediaSearch {
  project_id: string
  /** Each word must occur in the name, title, description or a tag. */
  words: readonly string[]
  kind: MediaKind | null
  /** The folder, subfolders included; null for all folders. */
  folder: string | null
  tag: string | null
  count: number
  after: string | null
}

/** Newest first. With filters it throws `StatementTimeout` after `media_search_s_max`. */
export function search(db: Reader, wanted: MediaSearch): Promise<MediaRow[]> {
  const { project_id, words, kind, folder, tag, count, after } = wanted
  let query = db.selectFrom('media').selectAll().where('project_id', '=', project_id)
  if (after !== null) query = query.where('id', '<', after)
  if (kind !== null) query = query.where('kind', '=', kind)
  if (tag !== null) query = query.where(sql<boolean>`tags @> array[${tag}]::text[]`)
  if (folder !== null) {
    const below = `${escapeLike(folder)}/%`
    query = query.where(sql<boolean>`(folder = ${folder} or folder like ${below})`)
  }
  for (const word of words) {
    const pattern = `%${escapeLike(word)}%`
    query = query.where(
      sql<boolean>`concat_ws(' ', filename, title, alt, array_to_string(tags, ' ')) ilike ${pattern}`,
    )
  }
  const page = query.orderBy('id', 'desc').limit(count)
  const is_list = words.length === 0 && kind === null && folder === null && tag === null
  if (is_list) return page.execute()
  const timeout_ms = limits.media_search_s_max * 1000
  return readCostly(db, { project_id, query: page.compile(), timeout_ms })
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}

/** Inserts a row. Returns false if the id exists. */
export async function insert(tx: Transaction, row: Insertable<MediaTable>): Promise<boolean> {
  const inserted = await tx
    .insertInto('media')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export function change(
  tx: Transaction,
  { project_id, id }: MediaKey,
  changes: Updateable<MediaTable>,
): Promise<MediaRow | undefined> {
  return tx
    .updateTable('media')
    .set(changes)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export interface ManyChanges {
  folder?: string
  add_tags: readonly string[]
  remove_tags: readonly string[]
  updated_at: Date
}

/** Moves rows to a folder and changes their tags. Added tags are the last ones. */
export async function changeMany(
  tx: Transaction,
  { project_id, ids }: { project_id: string; ids: readonly string[] },
  { folder, add_tags, remove_tags, updated_at }: ManyChanges,
): Promise<void> {
  const replaced = [...add_tags, ...remove_tags]
  await tx
    .updateTable('media')
    .set({
      updated_at,
      ...(folder === undefined ? {} : { folder }),
      tags: sql<string[]>`array(
        select tag from unnest(tags) with ordinality as kept (tag, place)
        where tag <> all(${replaced}::text[]) order by place) || ${[...add_tags]}::text[]`,
    })
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .execute()
}

export async function removeMany(
  tx: Transaction,
  project_id: string,
  ids: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('media')
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .execute()
}

export async function remove(tx: Transaction, { project_id, id }: MediaKey): Promise<void> {
  await tx.deleteFrom('media').where('project_id', '=', project_id).where('id', '=', id).execute()
}

/** Returns media rows by the digests of their original bytes, one per digest. */
/** The bytes of all files that came with forms. */
export async function sumFormBytes(db: Reader, project_id: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.sum<string | null>('bytes').as('bytes'))
    .where('project_id', '=', project_id)
    .where('source', '=', sql.lit('form'))
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

export function findByOriginal(
  db: Reader,
  project_id: string,
  sha256s: readonly Buffer[],
): Promise<Pick<MediaRow, 'sent_sha256' | 'sha256' | 'bytes'>[]> {
  return db
    .selectFrom('media')
    .select(['sent_sha256', 'sha256', 'bytes'])
    .distinctOn('sent_sha256')
    .where('project_id', '=', project_id)
    .where('status', '=', 'ready')
    .where(sql<boolean>`sent_sha256 = any(${[...sha256s]}::bytea[])`)
    .execute()
}

/**
 * Returns the digest of the original bytes of another row with the same stored file; null if there
 * is none.
 */
export async function findOriginalDigest(
  db: Reader,
  project_id: string,
  file_id: string,
): Promise<Buffer | null> {
  const row = await db
    .selectFrom('media')
    .select('sent_sha256')
    .where('project_id', '=', project_id)
    .where('file_id', '=', file_id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.sent_sha256 ?? null
}

export function listUses(
  db: Reader,
  project_id: string,
  ids: readonly string[],
): Promise<MediaUse[]> {
  return db
    .selectFrom('media_uses')
    .select(['media_id', 'site_id', 'path'])
    .where('project_id', '=', project_id)
    .where(sql<boolean>`media_id = any(${[...ids]}::uuid[])`)
    .orderBy('site_id')
    .orderBy('path')
    .execute()
}

export async function replaceUses(
  tx: Transaction,
  { project_id, site_id }: { project_id: string; site_id: string },
  uses: readonly Omit<MediaUse, 'site_id'>[],
): Promise<void> {
  await tx
    .deleteFrom('media_uses')
    .where('project_id', '=', project_id)
    .where('site_id', '=', site_id)
    .execute()
  if (uses.length === 0) return
  await tx
    .insertInto('media_uses')
    .values(uses.map(({ media_id, path }) => ({ project_id, site_id, media_id, path })))
    .execute()
}
