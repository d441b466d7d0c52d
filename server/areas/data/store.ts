/** The SQL of collections. Their documents are in document-store.ts. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import { lookup } from '../../kernel/database/lookup.ts'
import type { CollectionsTable } from '../../kernel/database/tables.ts'

export type CollectionRow = Selectable<CollectionsTable>

export interface CollectionKey {
  project_id: string
  id: string
}

/** Reads a collection within a transaction, without the shared lookup. */
export function findCollectionIn(
  tx: Transaction,
  project_id: string,
  name: string,
): Promise<CollectionRow | undefined> {
  return tx
    .selectFrom('collections')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('name', '=', name)
    .executeTakeFirst()
}

interface Named {
  project_id: string
  name: string
}

/**
 * Finds a collection by name. Concurrent lookups share a statement because nearly every request
 * needs it.
 */
export const findCollection = lookup<Named, CollectionRow>({
  text: `select w.place::integer, c.*
    from unnest((select $1::uuid[]), (select $2::text[])) with ordinality as w (project_id, name, place)
    cross join lateral (
      select * from collections where project_id = w.project_id and name = w.name offset 0
    ) as c`,
  parameters: (all) => [all.map(({ project_id }) => project_id), all.map(({ name }) => name)],
  nameOf: ({ project_id, name }) => `${project_id} ${name}`,
})

export function findCollectionById(
  db: Reader,
  { project_id, id }: CollectionKey,
): Promise<CollectionRow | undefined> {
  return db
    .selectFrom('collections')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** `names` restricts the result, for limited keys. */
export function listCollections(
  db: Reader,
  page: {
    project_id: string
    names: readonly string[] | null
    count: number
    after: string | null
  },
): Promise<CollectionRow[]> {
  const { project_id, names, count, after } = page
  return db
    .selectFrom('collections')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(names !== null, (query) => query.where(sql<boolean>`name = any(${names ?? []}::text[])`))
    .$if(after !== null, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

/** Lists the collections of a project that accept forms. The plan limits their number. */
export function listFormTargets(
  db: Reader,
  project_id: string,
): Promise<Pick<CollectionRow, 'name' | 'public_write'>[]> {
  return db
    .selectFrom('collections')
    .select(['name', 'public_write'])
    .where('project_id', '=', project_id)
    .execute()
}

export async function countCollections(db: Reader, project_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('collections')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Inserts a collection, and a row for the usage of its project, which creates of documents lock. Its
 * change numbers start after those of deleted collections, with a gap of
 * one, so that no old number is valid in the new feed.
 */
export function insertCollection(
  tx: Transaction,
  row: Omit<Insertable<CollectionsTable>, 'change_number'>,
): Promise<CollectionRow> {
  const change_number = sql<bigint>`coalesce((
    select deleted_change_number + 1 from data_usage
    where project_id = ${row.project_id} and deleted_change_number > 0
  ), 0)`
  return tx
    .with('usage', (cte) =>
      cte
        .insertInto('data_usage')
        .values({ project_id: row.project_id, bytes: 0n })
        .onConflict((conflict) => conflict.doNothing()),
    )
    .insertInto('collections')
    .values({ ...row, change_number })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Locks the row of the collection and returns its current state. */
export function lockCollection(
  tx: Transaction,
  { project_id, id }: CollectionKey,
): Promise<CollectionRow | undefined> {
  return tx
    .selectFrom('collections')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function changeCollection(
  tx: Transaction,
  { project_id, id }: CollectionKey,
  changes: Updateable<CollectionsTable>,
): Promise<CollectionRow> {
  return tx
    .updateTable('collections')
    .set({ ...changes, settings_version: sql`settings_version + 1` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes the collection; foreign keys delete documents, keys and changes. */
export async function deleteCollection(
  tx: Transaction,
  { project_id, id }: CollectionKey,
): Promise<void> {
  for (const table of ['document_keys', 'document_changes', 'documents'] as const) {
    await tx
      .deleteFrom(table)
      .where('project_id', '=', project_id)
      .where('collection_id', '=', id)
      .execute()
  }
  await tx
    .deleteFrom('collections')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** Column values of the settings; lists and objects as JSON. */
export interface CollectionSettings {
  title?: string
  schema?: string
  public_write?: boolean
  public_read?: boolean
  readable_fields?: string
  webhook_on_insert?: boolean
  indexes?: string
  unique_fields?: string
  assistant_facts?: boolean
  form?: string
  catalogue?: boolean
}

/** Returns the row with the settings applied, without writing. */
export function withSettings(row: CollectionRow, settings: CollectionSettings): CollectionRow {
  const { readable_fields, indexes, unique_fields, form, ...plain } = settings
  return {
    ...row,
    ...plain,
    ...(readable_fields === undefined ? {} : { readable_fields: JSON.parse(readable_fields) }),
    ...(indexes === undefined ? {} : { indexes: JSON.parse(indexes) }),
    ...(unique_fields === undefined ? {} : { unique_fields: JSON.parse(unique_fields) }),
    ...(form === undefined ? {} : { form: JSON.parse(form) }),
  }
}

/** Returns the distinct top-level field names of the documents, in code point order. */
export async function findFieldNames(
  db: Reader,
  { project_id, id }: CollectionKey,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct k.name collate "C" as name
    from documents as d, jsonb_object_keys(d.data) as k (name)
    where d.project_id = ${project_id} and d.collection_id = ${id}
    order by 1 limit ${limit}
  `.execute(db)
  return rows.map(({ name }) => name)
}

/** The collections of a project without webhook_on_insert: up to `limit` names, and how many. */
export async function listSilent(
  db: Reader,
  { project_id, limit, only }: SilentCollections,
): Promise<{ names: string[]; count: number; all: number; forms: boolean }> {
  const { rows } = await sql<{
    names: string[] | null
    count: number
    all: number
    forms: boolean
  }>`
    select (array_agg(name order by name) filter (where not webhook_on_insert))[:${sql.lit(limit)}]
        as names,
      (count(*) filter (where not webhook_on_insert))::int as count, count(*)::int as "all",
      coalesce(bool_or(public_write), false) as forms
    from collections where project_id = ${project_id}
      and (${only}::text[] is null or name = any (${only}::text[]))`.execute(db)
  const { names = null, count = 0, all = 0, forms = false } = rows[0] ?? {}
  return { names: names ?? [], count, all, forms }
}

interface SilentCollections {
  project_id: string
  limit: number
  /** Only these names; null for all. */
  only: readonly string[] | null
}

/** The names of up to `limit` collections. */
export async function listNames(
  db: Reader,
  { project_id, limit }: { project_id: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('collections')
    .select('name')
    .where('project_id', '=', project_id)
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}
