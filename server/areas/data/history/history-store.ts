/** The SQL of earlier versions of documents. */
import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { planNames, plans } from '../../../contract/plans.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { CollectionScope } from '../documents/document-store.ts'
import type { JsonObject } from '../schema.ts'
import type { Author } from './author.ts'

export interface EndedVersion {
  /** Id of the row, greater than those of the earlier versions. */
  id: string
  document_id: string
  ended_by: 'changed' | 'deleted'
}

interface Ending extends CollectionScope {
  ended: readonly EndedVersion[]
  author: Author
  now: Date
}

/**
 * Copies stored documents to the history before the same transaction updates or deletes them, and
 * deletes versions beyond the maximum. The data are copied within PostgreSQL. The caller holds the
 * lock of the collection.
 */
export async function keepVersions(
  tx: Transaction,
  { project_id, collection_id, ended, author, now }: Ending,
): Promise<void> {
  await sql`
    with given as (
      select * from unnest(${ended.map(({ id }) => id)}::uuid[],
        ${ended.map(({ document_id }) => document_id)}::uuid[],
        ${ended.map(({ ended_by }) => ended_by)}::text[]) as g (id, document_id, ended_by)
    ), kept as (
      insert into document_versions (project_id, collection_id, document_id, id, version, data,
        bytes, written_at, ended_at, ended_by, actor_kind, actor_id, door)
      select d.project_id, d.collection_id, d.id, g.id, d.version, d.data, d.bytes, d.updated_at,
        ${now}, g.ended_by, ${author.actor_kind}, ${author.actor_id}::uuid, ${author.door}
      from given as g join documents as d on d.id = g.document_id
        and d.project_id = ${project_id} and d.collection_id = ${collection_id}
      returning bytes
    ), deleted as (
      delete from document_versions where ctid = any(array(
        select old.ctid from given as g cross join lateral (
          select ctid from document_versions
          where project_id = ${project_id} and collection_id = ${collection_id}
            and document_id = g.document_id
          order by id desc offset ${limits.document_versions_kept_max - 1}
        ) as old
      )) returning bytes
    )
    update data_usage set versions_bytes = versions_bytes
      + (select coalesce(sum(bytes), 0) from kept) - (select coalesce(sum(bytes), 0) from deleted)
    where project_id = ${project_id}
  `.execute(tx)
}

export interface HistoryRow {
  id: string
  version: number
  data: JsonObject
  bytes: number
  written_at: Date
  ended_at: Date | null
  ended_by: 'changed' | 'deleted' | null
  author_kind: Author['actor_kind'] | null
  author_id: string | null
  author_name: string | null
  door: Author['door'] | null
  ender_kind: Author['actor_kind'] | null
  ender_id: string | null
  ender_name: string | null
}

/** Sorts after every id of a record. */
const CURRENT_ID = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

/** The name of the actor whose kind and id are in two columns; null if it was deleted. */
function actorName(project_id: string, kind: string, id: string) {
  return sql`coalesce(
    (select o.email from people as o where ${sql.raw(kind)} = 'person' and o.id = ${sql.raw(id)}),
    (select k.name from api_keys as k where ${sql.raw(kind)} = 'api_key'
      and k.project_id = ${project_id} and k.id = ${sql.raw(id)}),
    (select c.client_name from connections as c where ${sql.raw(kind)} = 'connection'
      and c.project_id = ${project_id} and c.id = ${sql.raw(id)}),
    (select a.name from agents as a where ${sql.raw(kind)} = 'agent'
      and a.project_id = ${project_id} and a.id = ${sql.raw(id)}))`
}

interface OneDocument extends CollectionScope {
  document_id: string
}

/**
 * The versions of a document, newest first; the current one is a row without an end. The author of a
 * version is the one who ended the version before it.
 */
export async function listVersions(
  db: Reader,
  { project_id, collection_id, document_id }: OneDocument,
  { after, count }: { after: string | null; count: number },
): Promise<HistoryRow[]> {
  const name = (kind: string, id: string) => actorName(project_id, kind, id)
  const { rows } = await sql<HistoryRow>`
    with kept as (
      select id, version, written_at, ended_at, ended_by, actor_kind, actor_id, door
      from document_versions
      where project_id = ${project_id} and collection_id = ${collection_id}
        and document_id = ${document_id}
      union all
      select ${CURRENT_ID}::uuid, version, updated_at, null, null, null, null, null
      from documents
      where project_id = ${project_id} and collection_id = ${collection_id} and id = ${document_id}
    ), placed as (
      select k.*, lag(ended_by) over w as before, lag(actor_kind) over w as author_kind,
        lag(actor_id) over w as author_id, lag(door) over w as author_door
      from kept as k window w as (order by id)
    ), page as (
      select * from placed
      where ${after}::uuid is null or id < ${after}::uuid
      order by id desc limit ${count}
    )
    select p.id, p.version, p.written_at, p.ended_at, p.ended_by,
      coalesce(v.data, d.data) as data, coalesce(v.bytes, d.bytes) as bytes,
      p.author_kind, p.author_id, ${name('p.author_kind', 'p.author_id')} as author_name,
      p.author_door as door,
      p.actor_kind as ender_kind, p.actor_id as ender_id,
      ${name('p.actor_kind', 'p.actor_id')} as ender_name
    from page as p
    left join document_versions as v on v.project_id = ${project_id}
      and v.collection_id = ${collection_id} and v.document_id = ${document_id} and v.id = p.id
    left join documents as d on p.ended_at is null and d.project_id = ${project_id}
      and d.collection_id = ${collection_id} and d.id = ${document_id}
    order by p.id desc
  `.execute(db)
  return rows
}

export interface DeletedRow {
  /** Id of the kept version, for the cursor. */
  id: string
  document_id: string
  version: number
  data: JsonObject
  bytes: number
  ended_at: Date
  actor_kind: Author['actor_kind']
  actor_id: string | null
  actor_name: string | null
  door: Author['door']
}

/** The last versions of deleted documents, last deleted first. Restored documents are left out. */
export async function listDeleted(
  db: Reader,
  { project_id, collection_id }: CollectionScope,
  { after, count }: { after: string | null; count: number },
): Promise<DeletedRow[]> {
  const { rows } = await sql<DeletedRow>`
    select v.id, v.document_id, v.version, v.data, v.bytes, v.ended_at, v.actor_kind, v.actor_id,
      ${actorName(project_id, 'v.actor_kind', 'v.actor_id')} as actor_name, v.door
    from document_versions as v
    where v.project_id = ${project_id} and v.collection_id = ${collection_id}
      and v.ended_by = 'deleted' and (${after}::uuid is null or v.id < ${after}::uuid)
      and not exists (select 1 from documents as d where d.project_id = ${project_id}
        and d.collection_id = ${collection_id} and d.id = v.document_id)
      and not exists (select 1 from document_versions as l where l.project_id = ${project_id}
        and l.collection_id = ${collection_id} and l.document_id = v.document_id and l.id > v.id)
    order by v.id desc limit ${count}
  `.execute(db)
  return rows
}

/**
 * Finds the data of the kept version with this number, and the highest number of the kept versions.
 */
export async function findVersion(
  db: Reader,
  { project_id, collection_id, document_id }: OneDocument,
  version: number,
): Promise<{ last: number | null; data: JsonObject | null }> {
  const kept = sql`from document_versions where project_id = ${project_id}
    and collection_id = ${collection_id} and document_id = ${document_id}`
  const { rows } = await sql<{ last: number | null; data: JsonObject | null }>`
    select (select max(version) ${kept}) as last,
      (select data ${kept} and version = ${version} order by id desc limit 1) as data
  `.execute(db)
  return rows[0] ?? { last: null, data: null }
}

/** Deletes the versions of a deleted collection. */
export async function deleteVersionsIn(
  tx: Transaction,
  { project_id, collection_id }: CollectionScope,
): Promise<void> {
  await sql`
    with deleted as (
      delete from document_versions
      where project_id = ${project_id} and collection_id = ${collection_id} returning bytes
    )
    update data_usage
    set versions_bytes = versions_bytes - (select coalesce(sum(bytes), 0) from deleted)
    where project_id = ${project_id}
  `.execute(tx)
}

/**
 * Projects that have versions, with the bytes beyond the quota of their plan. A project whose plan
 * was lowered after `lowered_since` keeps all of them for now.
 */
export async function findHistories(
  db: Reader,
  { after, count, lowered_since }: { after: string; count: number; lowered_since: Date },
): Promise<{ project_id: string; excess: number }[]> {
  const quotas = planNames.map((plan) => BigInt(plans[plan].data_bytes_max))
  const { rows } = await sql<{ project_id: string; excess: bigint }>`
    select u.project_id, case when p.plan_lowered_at > ${lowered_since} then 0
      else greatest(u.versions_bytes - coalesce(m.bytes_max, 0), 0)::bigint end as excess
    from data_usage as u join projects as p on p.id = u.project_id
      left join unnest(${planNames}::text[], ${quotas}::bigint[]) as m (plan, bytes_max)
        on m.plan = p.plan
    where u.project_id > ${after} and u.versions_bytes > 0
    order by u.project_id limit ${count}
  `.execute(db)
  return rows.map(({ project_id, excess }) => ({ project_id, excess: Number(excess) }))
}

/**
 * Deletes the oldest versions of a project: those that ended before `until`, and as many as have
 * `excess` bytes. Returns the number of deleted rows and their bytes.
 */
export async function trimVersions(
  tx: Transaction,
  { project_id, until, excess }: { project_id: string; until: Date; excess: number },
  limit: number,
): Promise<{ count: number; bytes: number }> {
  // Writers lock this row before those of versions.
  await sql`select 1 from data_usage where project_id = ${project_id} for update`.execute(tx)
  const { rows } = await sql<{ count: bigint; bytes: bigint }>`
    with oldest as (
      select ctid, ended_at, coalesce(sum(bytes) over (order by ended_at, id
        rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from document_versions where project_id = ${project_id}
      order by ended_at, id limit ${limit}
    ), deleted as (
      delete from document_versions where ctid = any(array(
        select ctid from oldest where ended_at < ${until} or bytes_before < ${excess}::bigint
      )) returning bytes
    ), lowered as (
      update data_usage
      set versions_bytes = versions_bytes - (select coalesce(sum(bytes), 0) from deleted)
      where project_id = ${project_id}
    )
    select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from deleted
  `.execute(tx)
  return { count: Number(rows[0]?.count), bytes: Number(rows[0]?.bytes) }
}
