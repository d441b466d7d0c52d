/** The SQL that finds documents and earlier versions about one person, and deletes versions. */
import { sql, type RawBuilder } from 'kysely'
import type { Matcher } from '../../contract/person/match.ts'
import { mayContain } from '../../kernel/database/contact-filter.ts'
import type { PersonRecord, PersonQuery } from '../../contract/person/person.ts'
import { readCostly } from '../../kernel/database/costly-read.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { CollectionScope } from './documents/document-store.ts'

const PAGE = 2000
/** A page ends before the document with which it would be larger. */
const PAGE_BYTES = 8 * 1_048_576
const TIMEOUT_MS = 10_000
/** Before all ids. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

interface Candidate {
  id: string
  collection_id: string
  /** The name of the collection. */
  collection: string
  data: unknown
  /** Whether it names a call or conversation of the person, as messages that the assistant took do. */
  is_related: boolean
}

export interface CandidateDocument extends Candidate {
  created_at: Date
}

export interface CandidateVersion extends Candidate {
  document_id: string
  written_at: Date
}

interface Page<Row> {
  search: PersonQuery
  matcher: Matcher
  /** The last row of the previous page. */
  after: Row | null
}

const namesRelated = ({ related }: PersonQuery): RawBuilder<boolean> =>
  sql<boolean>`coalesce(page.data ->> 'conversation_id' = any(${[...related]}::text[]), false)`

export function readDocuments(
  db: Reader,
  { search, matcher, after }: Page<CandidateDocument>,
): Promise<CandidateDocument[]> {
  const { project_id } = search
  const query = sql<CandidateDocument>`
    with listed as (
      select id, collection_id, data, created_at,
        sum(bytes) over (order by collection_id, id) - bytes as bytes_before
      from documents
      where project_id = ${project_id} and (collection_id, id) >
        (${after?.collection_id ?? FIRST_ID}::uuid, ${after?.id ?? FIRST_ID}::uuid)
      order by collection_id, id limit ${PAGE}
    ), page as materialized (
      select id, collection_id, data, data::text as text, created_at
      from listed where bytes_before < ${PAGE_BYTES}
    ), marked as (
      select page.*, ${namesRelated(search)} as is_related,
        ${mayContain(sql`page.text`, matcher)} as is_candidate,
        row_number() over (order by collection_id desc, id desc) = 1 as is_last
      from page
    )
    select m.id, m.collection_id, m.created_at, m.data, m.is_related,
      coalesce(c.name, '') as collection
    from marked as m
    left join collections as c on c.project_id = ${project_id} and c.id = m.collection_id
    where m.is_related or m.is_candidate or m.is_last
    order by m.collection_id, m.id`.compile(db)
  return readCostly(db, { project_id, query, timeout_ms: TIMEOUT_MS })
}

export function readVersions(
  db: Reader,
  { search, matcher, after }: Page<CandidateVersion>,
): Promise<CandidateVersion[]> {
  const { project_id } = search
  const query = sql<CandidateVersion>`
    with listed as (
      select id, collection_id, document_id, data, written_at,
        sum(bytes) over (order by collection_id, document_id, id) - bytes as bytes_before
      from document_versions
      where project_id = ${project_id} and (collection_id, document_id, id) >
        (${after?.collection_id ?? FIRST_ID}::uuid, ${after?.document_id ?? FIRST_ID}::uuid,
          ${after?.id ?? FIRST_ID}::uuid)
      order by collection_id, document_id, id limit ${PAGE}
    ), page as materialized (
      select id, collection_id, document_id, data, data::text as text, written_at
      from listed where bytes_before < ${PAGE_BYTES}
    ), marked as (
      select page.*, ${namesRelated(search)} as is_related,
        ${mayContain(sql`page.text`, matcher)} as is_candidate,
        row_number() over (order by collection_id desc, document_id desc, id desc) = 1 as is_last
      from page
    )
    select m.id, m.collection_id, m.document_id, m.written_at, m.data, m.is_related,
      coalesce(c.name, '') as collection
    from marked as m
    left join collections as c on c.project_id = ${project_id} and c.id = m.collection_id
    where m.is_related or m.is_candidate or m.is_last
    order by m.collection_id, m.document_id, m.id`.compile(db)
  return readCostly(db, { project_id, query, timeout_ms: TIMEOUT_MS })
}

/** The ids of the documents by their collection, in the order in which writers lock collections. */
export function groupByCollection(records: readonly PersonRecord[]): [string, string[]][] {
  const groups = Map.groupBy(records, ({ path }) => path[0] ?? '')
  return [...groups]
    .map(([id, found]): [string, string[]] => [id, found.map((record) => record.id)])
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}

export async function isCollection(
  tx: Transaction,
  { project_id, collection_id }: CollectionScope,
): Promise<boolean> {
  const found = await tx
    .selectFrom('collections')
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', '=', collection_id)
    .executeTakeFirst()
  return found !== undefined
}

/** Deletes all versions of documents. The caller holds the lock of the collection. */
export async function deleteVersionsOf(
  tx: Transaction,
  {
    project_id,
    collection_id,
    document_ids,
  }: CollectionScope & { document_ids: readonly string[] },
): Promise<void> {
  await sql`
    with deleted as (
      delete from document_versions
      where project_id = ${project_id} and collection_id = ${collection_id}
        and document_id = any(${document_ids}::uuid[]) returning bytes
    )
    update data_usage
    set versions_bytes = versions_bytes - (select coalesce(sum(bytes), 0) from deleted)
    where project_id = ${project_id}`.execute(tx)
}

/** Deletes single versions. Returns how many there still were. */
export async function deleteVersions(
  tx: Transaction,
  project_id: string,
  records: readonly PersonRecord[],
): Promise<number> {
  // Writers lock this row before those of versions.
  await sql`select 1 from data_usage where project_id = ${project_id} for update`.execute(tx)
  const { rows } = await sql<{ count: bigint }>`
    with deleted as (
      delete from document_versions where project_id = ${project_id}
        and (collection_id, document_id, id) in (select * from unnest(
          ${records.map(({ path }) => path[0] ?? '')}::uuid[],
          ${records.map(({ path }) => path[1] ?? '')}::uuid[],
          ${records.map(({ id }) => id)}::uuid[]))
      returning bytes
    ), lowered as (
      update data_usage
      set versions_bytes = versions_bytes - (select coalesce(sum(bytes), 0) from deleted)
      where project_id = ${project_id}
    )
    select count(*) as count from deleted`.execute(tx)
  return Number(rows[0]?.count ?? 0)
}
