/**
 * The SQL of documents. Writers hold the row lock of the collection, so the rows that they read
 * stay current.
 */
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { planNames, plans } from '../../../contract/plans.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import { lookup } from '../../../kernel/database/lookup.ts'
import type { DocumentChangesTable, DocumentsTable } from '../../../kernel/database/tables.ts'
import type { JsonObject } from '../schema.ts'

export type DocumentRow = Selectable<DocumentsTable>

/** A document for a reply. The data stay JSON text, because most replies only copy them. */
export interface FoundDocument extends Pick<
  DocumentRow,
  'id' | 'version' | 'source' | 'bytes' | 'test'
> {
  data_json: string
  /** Seconds since the epoch; PostgreSQL formats a number faster than a timestamp. */
  created_s: number
  /** Null if the document was never updated. */
  updated_s: number | null
}

export function createdMs({ created_s }: FoundDocument): number {
  return Math.round(created_s * 1000)
}

export function updatedMs(row: FoundDocument): number {
  return row.updated_s === null ? createdMs(row) : Math.round(row.updated_s * 1000)
}

export function dataOf({ data_json }: FoundDocument): JsonObject {
  return JSON.parse(data_json)
}

/** The columns of a FoundDocument. Statements use the alias `d` for documents. */
export const foundColumns = `d.id, d.data as data_json, d.version, d.source, d.bytes, d.test,
  date_part('epoch', d.created_at) as created_s,
  date_part('epoch', nullif(d.updated_at, d.created_at)) as updated_s`

/** The project and the collection of documents. */
export interface CollectionScope {
  project_id: string
  collection_id: string
}

export function scopeOf({ project_id, id }: { project_id: string; id: string }): CollectionScope {
  return { project_id, collection_id: id }
}

export function findDocument(
  db: Reader,
  { project_id, collection_id, id }: CollectionScope & { id: string },
): Promise<DocumentRow | undefined> {
  return db
    .selectFrom('documents')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('collection_id', '=', collection_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

interface Named {
  project_id: string
  name: string
  id: string
}

/**
 * Finds a document by collection name and id; undefined if either does not exist. Concurrent
 * lookups share a statement because this is the most frequent query.
 */
export const findDocumentIn = lookup<Named, FoundDocument>({
  text: `select w.place::integer, d.*
    from unnest((select $1::uuid[]), (select $2::text[]), (select $3::uuid[]))
      with ordinality as w (project_id, name, id, place)
    cross join lateral (
      select ${foundColumns}
      from collections as c
      join documents as d on d.project_id = c.project_id and d.collection_id = c.id
      where c.project_id = w.project_id and c.name = w.name and d.id = w.id offset 0
    ) as d`,
  parameters: (all) => [
    all.map(({ project_id }) => project_id),
    all.map(({ name }) => name),
    all.map(({ id }) => id),
  ],
  nameOf: ({ project_id, name, id }) => `${project_id} ${id} ${name}`,
})

export function findDocuments(
  db: Reader,
  { project_id, collection_id, ids }: CollectionScope & { ids: readonly string[] },
): Promise<DocumentRow[]> {
  return db
    .selectFrom('documents')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('collection_id', '=', collection_id)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
}

/** Returns who wrote the documents, without their data, oldest first. */
export function findSources(
  db: Reader,
  { project_id, collection_id, ids }: CollectionScope & { ids: readonly string[] },
): Promise<Pick<DocumentRow, 'id' | 'source'>[]> {
  return db
    .selectFrom('documents')
    .select(['id', 'source'])
    .where('project_id', '=', project_id)
    .where('collection_id', '=', collection_id)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute()
}

/** Returns the next documents after an id, oldest first, to iterate over a collection. */
export function readDocuments(
  db: Reader,
  {
    project_id,
    collection_id,
    after,
    count,
  }: CollectionScope & { after: string | null; count: number },
): Promise<Pick<DocumentRow, 'id' | 'data'>[]> {
  return db
    .selectFrom('documents')
    .select(['id', 'data'])
    .where('project_id', '=', project_id)
    .where('collection_id', '=', collection_id)
    .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(count)
    .execute()
}

export interface UniqueValueHolder {
  field: string
  digest: Buffer
  document_id: string
}

/**
 * Returns the documents that have these values in unique fields. Lateral lookups force an index
 * scan per value: with outdated statistics, a plain join reads all keys of the collection.
 */
export async function findHolders(
  db: Reader,
  {
    project_id,
    collection_id,
    wanted,
  }: CollectionScope & { wanted: readonly Omit<UniqueValueHolder, 'document_id'>[] },
): Promise<UniqueValueHolder[]> {
  const fields = wanted.map(({ field }) => field)
  const digests = wanted.map(({ digest }) => digest)
  const { rows } = await sql<UniqueValueHolder>`
    select w.field, w.digest, k.document_id
    from unnest(${fields}::text[], ${digests}::bytea[]) as w (field, digest)
      cross join lateral (
        select document_id from document_keys
        where project_id = ${project_id} and collection_id = ${collection_id}
          and field = w.field and digest = w.digest and digest is not null
        limit 1
      ) as k
  `.execute(db)
  return rows
}

export interface ChangeEntry extends Pick<
  Selectable<DocumentChangesTable>,
  'kind' | 'version' | 'created_at'
> {
  document_id: string
}

export interface WriteCounts extends CollectionScope {
  documents: number
  bytes: number
  /** The quota for the data of all collections of the project; null reads that of its plan. */
  bytes_max: number | null
  entries: readonly ChangeEntry[]
  /** Index keys to delete. */
  removed: readonly Omit<IndexKey, 'digest'>[]
}

/**
 * Updates the counts and the plan usage, logs the changes, and deletes old index keys first, so
 * that documents of the same set can use freed unique values. Returns false, writing nothing, if
 * the plan quota would be exceeded.
 */
export async function recordWrite(tx: Transaction, counts: WriteCounts): Promise<boolean> {
  const { project_id, collection_id, documents, bytes, bytes_max, entries, removed } = counts
  const kinds = entries.map(({ kind }) => kind)
  const ids = entries.map(({ document_id }) => document_id)
  const versions = entries.map(({ version }) => version)
  const times = entries.map(({ created_at }) => created_at)
  const quota = bytes_max === null ? planQuota(project_id) : sql`${bytes_max}::bigint`
  const result = await sql`
    with quota as (select ${quota} as bytes_max), charged as (
      insert into data_usage as u (project_id, bytes)
      select ${project_id}::uuid, greatest(${bytes}::bigint, 0) from quota
      where ${bytes}::bigint <= bytes_max
      on conflict (project_id) do update set bytes = u.bytes + ${bytes}::bigint
      where ${bytes}::bigint <= 0
        or u.bytes + ${bytes}::bigint <= (select bytes_max from quota)
      returning 1
    ), counted as (
      update collections
      set document_count = document_count + ${documents}::integer,
        bytes = bytes + ${bytes}::bigint,
        change_number = change_number + ${entries.length}::bigint
      where project_id = ${project_id} and id = ${collection_id} and exists (select from charged)
      returning change_number - ${entries.length}::bigint as before
    ), removed as (
      delete from document_keys where exists (select from counted) and ctid = any(array(
        select k.ctid
        from unnest(${removed.map(({ field }) => field)}::text[],
          ${removed.map(({ key }) => key)}::bytea[],
          ${removed.map(({ document_id }) => document_id)}::uuid[]) as o (field, key, document_id)
        cross join lateral (
          select ctid from document_keys
          where project_id = ${project_id} and collection_id = ${collection_id}
            and field = o.field and key = o.key and document_id = o.document_id
          offset 0
        ) as k
      ))
    )
    insert into document_changes (project_id, collection_id, number, kind, document_ids, version,
      created_at)
    select ${project_id}, ${collection_id}, counted.before + e.place, e.kind,
      array[e.document_id], e.version, e.created_at
    from counted, unnest(${kinds}::text[], ${ids}::uuid[], ${versions}::integer[],
      ${times}::timestamptz[]) with ordinality as e (kind, document_id, version, created_at, place)
  `.execute(tx)
  return result.numAffectedRows === BigInt(entries.length)
}

/** The quota of the current plan of a project for the data of all its collections. */
function planQuota(project_id: string): RawBuilder<bigint> {
  const quotas = planNames.map((plan) => BigInt(plans[plan].data_bytes_max))
  return sql`(
    select m.bytes_max from projects as p
      join unnest(${planNames}::text[], ${quotas}::bigint[]) as m (plan, bytes_max)
        on m.plan = p.plan
    where p.id = ${project_id}::uuid)`
}

/**
 * Returns the bytes of all documents of a project and the quota of its plan. The row of the bytes
 * stays locked after recordWrite returned false.
 */
export async function findUsage(
  db: Reader,
  project_id: string,
): Promise<{ bytes: number; bytes_max: number }> {
  const { rows } = await sql<{ bytes: bigint; bytes_max: bigint }>`
    select coalesce((select bytes from data_usage where project_id = ${project_id}::uuid), 0)
      as bytes, ${planQuota(project_id)} as bytes_max
  `.execute(db)
  return { bytes: Number(rows[0]?.bytes), bytes_max: Number(rows[0]?.bytes_max) }
}

/**
 * The bytes of all documents that came from forms, or of all documents (`is_exact` is false) where those
 * are not more than `enough`, because they need no sum.
 */
export async function sumFormBytes(
  db: Reader,
  { project_id, enough }: { project_id: string; enough: number },
): Promise<{ bytes: number; is_exact: boolean }> {
  const { rows } = await sql<{ bytes: bigint | null; is_exact: boolean }>`
    select case when u.bytes <= ${enough} then u.bytes else (
      select sum(bytes)::bigint from documents
      where project_id = ${project_id} and source = 'form') end as bytes,
      u.bytes > ${enough} as is_exact
    from data_usage as u where u.project_id = ${project_id}`.execute(db)
  return { bytes: Number(rows[0]?.bytes ?? 0), is_exact: rows[0]?.is_exact ?? false }
}

interface DeletedCollection {
  project_id: string
  bytes: bigint
  change_number: bigint
}

/** Subtracts a deleted collection from the plan usage, and keeps its last change number. */
export async function lowerUsage(
  tx: Transaction,
  { project_id, bytes, change_number }: DeletedCollection,
): Promise<void> {
  await sql`
    update data_usage
    set bytes = bytes - ${bytes}::bigint,
      deleted_change_number = greatest(deleted_change_number, ${change_number}::bigint)
    where project_id = ${project_id}
  `.execute(tx)
}

export interface IndexKey {
  document_id: string
  field: string
  key: Buffer
  digest: Buffer | null
}

/** A row to write; `text` is its data as JSON. */
export interface NewRow extends Omit<DocumentRow, 'project_id' | 'collection_id' | 'data'> {
  text: string
}

export interface RowsToWrite extends CollectionScope {
  rows: readonly NewRow[]
  keys: readonly IndexKey[]
}

export async function insertRows(
  tx: Transaction,
  { rows, keys, ...place }: RowsToWrite,
): Promise<void> {
  await sql`
    with written as (
      insert into documents (project_id, collection_id, id, data, version, source, bytes, test,
        created_at, updated_at)
      select ${place.project_id}::uuid, ${place.collection_id}::uuid, d.id, d.data::jsonb,
        d.version, d.source, d.bytes, d.test, d.created_at, d.updated_at
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ text }) => text)}::text[],
        ${rows.map(({ version }) => version)}::integer[],
        ${rows.map(({ source }) => source)}::text[], ${rows.map(({ bytes }) => bytes)}::integer[],
        ${rows.map(({ test }) => test)}::boolean[],
        ${rows.map(({ created_at }) => created_at)}::timestamptz[],
        ${rows.map(({ updated_at }) => updated_at)}::timestamptz[])
        as d (id, data, version, source, bytes, test, created_at, updated_at)
    )
    ${insertingKeys(place, keys)}
  `.execute(tx)
}

/** `keys` contains only new keys; recordWrite has deleted the old ones. */
export async function updateRows(
  tx: Transaction,
  { rows, keys, ...place }: RowsToWrite,
): Promise<void> {
  await sql`
    with written as (
      update documents as d
      set data = u.data::jsonb, version = u.version, bytes = u.bytes, updated_at = u.updated_at
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ text }) => text)}::text[],
        ${rows.map(({ version }) => version)}::integer[],
        ${rows.map(({ bytes }) => bytes)}::integer[],
        ${rows.map(({ updated_at }) => updated_at)}::timestamptz[])
        as u (id, data, version, bytes, updated_at)
      where d.project_id = ${place.project_id} and d.collection_id = ${place.collection_id}
        and d.id = u.id and d.id = any(${rows.map(({ id }) => id)}::uuid[])
    )
    ${insertingKeys(place, keys)}
  `.execute(tx)
}

export async function insertKeys(
  tx: Transaction,
  { keys, ...place }: CollectionScope & { keys: readonly IndexKey[] },
): Promise<void> {
  await insertingKeys(place, keys).execute(tx)
}

function insertingKeys({ project_id, collection_id }: CollectionScope, keys: readonly IndexKey[]) {
  return sql`
    insert into document_keys (project_id, collection_id, document_id, field, key, digest)
    select ${project_id}::uuid, ${collection_id}::uuid, n.document_id, n.field, n.key, n.digest
    from unnest(${keys.map(({ document_id }) => document_id)}::uuid[],
      ${keys.map(({ field }) => field)}::text[], ${keys.map(({ key }) => key)}::bytea[],
      ${keys.map(({ digest }) => digest)}::bytea[]) as n (document_id, field, key, digest)`
}

export async function deleteKeys(
  tx: Transaction,
  { project_id, collection_id }: CollectionScope,
): Promise<void> {
  await tx
    .deleteFrom('document_keys')
    .where('project_id', '=', project_id)
    .where('collection_id', '=', collection_id)
    .execute()
}

export async function deleteRows(
  tx: Transaction,
  { project_id, collection_id, ids }: CollectionScope & { ids: readonly string[] },
): Promise<void> {
  await tx
    .deleteFrom('documents')
    .where('project_id', '=', project_id)
    .where('collection_id', '=', collection_id)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
}
