/** The SQL of sources and their pages. Passages are in ../store.ts. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type {
  AssistantSourcePagesTable,
  AssistantSourcesTable,
} from '../../../kernel/database/tables.ts'

export type SourceRow = Selectable<AssistantSourcesTable>
export type SourceChange = Updateable<AssistantSourcesTable>
export type PageRow = Selectable<AssistantSourcePagesTable>

export interface SourceKey {
  project_id: string
  id: string
}

/** A source in replies: a row of this area, or a collection with assistant_facts. */
export interface ListedSource extends Pick<
  SourceRow,
  | 'id'
  | 'title'
  | 'url'
  | 'site_id'
  | 'media_id'
  | 'status'
  | 'error'
  | 'due_at'
  | 'pages'
  | 'pages_done'
  | 'pages_total'
  | 'indexed_at'
  | 'test'
  | 'created_at'
> {
  kind: SourceRow['kind'] | 'collection'
  managed_by: SourceRow['managed_by'] | 'collection'
  text: string | null
  collection: string | null
  chunks: number
  /** Size of the text of the chunks. */
  bytes: number
}

/** Lists sources and collections, newest first; with an `id`, only that one. */
export async function listSources(
  db: Reader,
  wanted: { project_id: string; id: string | null; count: number; after: string | null },
): Promise<ListedSource[]> {
  const { project_id, id, count, after } = wanted
  const { rows } = await sql<ListedSource>`
    select listed.*, size.chunks, size.bytes
    from (
      select id, kind, managed_by, title, url, site_id, media_id, status, error, due_at, pages,
        pages_done, pages_total, indexed_at, test, created_at, text, null as collection
      from assistant_sources where project_id = ${project_id}
      union all
      select id, 'collection', 'collection', title, null, null, null, 'indexed', null, null,
        document_count, document_count, document_count, updated_at, test, created_at, null, name
      from collections where project_id = ${project_id} and assistant_facts
    ) as listed
    cross join lateral (
      select count(*)::int as chunks, coalesce(sum(octet_length(body)), 0)::int as bytes
      from assistant_passages as p
      where p.project_id = ${project_id} and p.source_id = listed.id
    ) as size
    where (${id}::uuid is null or id = ${id}) and (${after}::uuid is null or id < ${after})
    order by id desc limit ${count}`.execute(db)
  return rows
}

export function insertSource(
  tx: Transaction,
  row: Insertable<AssistantSourcesTable>,
): Promise<SourceRow> {
  return tx.insertInto('assistant_sources').values(row).returningAll().executeTakeFirstOrThrow()
}

/**
 * Counts the sources with `managed_by` "sources", and finds any source of the same website, site or
 * file.
 */
export async function countSources(
  tx: Transaction,
  same: Pick<SourceRow, 'project_id' | 'url' | 'site_id' | 'media_id'>,
): Promise<{ count: number; same_id: string | null }> {
  const { project_id, url, site_id, media_id } = same
  const { rows } = await sql<{ count: number; same_id: string | null }>`
    select (count(*) filter (where managed_by = 'sources'))::int as count,
      min(id::text) filter (where url = ${url} or site_id = ${site_id} or media_id = ${media_id})
        as same_id
    from assistant_sources where project_id = ${project_id}`.execute(tx)
  return rows[0] ?? { count: 0, same_id: null }
}

/** Locks the row until the transaction ends. */
export function lockSource(
  tx: Transaction,
  { project_id, id }: SourceKey,
): Promise<SourceRow | undefined> {
  return tx
    .selectFrom('assistant_sources')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Locks and returns the website of the settings. */
export function lockSettingSource(
  tx: Transaction,
  project_id: string,
): Promise<SourceRow | undefined> {
  return tx
    .selectFrom('assistant_sources')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('managed_by', '=', 'assistant')
    .forUpdate()
    .executeTakeFirst()
}

export async function changeSource(
  tx: Transaction,
  { project_id, id }: SourceKey,
  change: SourceChange,
): Promise<void> {
  await tx
    .updateTable('assistant_sources')
    .set(change)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** Deletes a source with its pages and passages. */
export async function deleteSource(tx: Transaction, { project_id, id }: SourceKey): Promise<void> {
  await tx
    .deleteFrom('assistant_passages')
    .where('project_id', '=', project_id)
    .where('source_id', '=', id)
    .execute()
  await tx
    .deleteFrom('assistant_sources')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** Returns the source of a project with the earliest `due_at` that has passed. */
export function findDueSource(
  db: Reader,
  project_id: string,
  now: Date,
): Promise<SourceRow | undefined> {
  return db
    .selectFrom('assistant_sources')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** When the next step of a project is due; null if no source is being indexed or due. */
export async function findNextStep(
  tx: Transaction,
  project_id: string,
  now: Date,
): Promise<Date | null> {
  const row = await tx
    .selectFrom('assistant_sources')
    .select('due_at')
    .where('project_id', '=', project_id)
    .where((at) => at.or([at('status', '=', 'pending'), at('due_at', '<=', now)]))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? null
}

/** Projects in which a source is due, the longest waiting first. */
export async function listDueProjects(db: Reader, now: Date, count: number): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select s.project_id from assistant_sources as s
    join projects as p on p.id = s.project_id
    where s.due_at <= ${now} and p.deleted_at is null
    group by s.project_id order by min(s.due_at) limit ${count}`.execute(db)
  return rows.map(({ project_id }) => project_id)
}

/**
 * Makes sources due whose site has another live version or state than the indexed one, or whose
 * file changed or was deleted.
 */
export async function markChangedSources(tx: Transaction, now: Date): Promise<void> {
  await sql`
    update assistant_sources as source set due_at = ${now}
    where source.kind in ('site', 'media') and source.due_at is null
      and source.content_mark is distinct from coalesce(
        (select ${siteMark} from sites as s
          where s.project_id = source.project_id and s.id = source.site_id),
        (select ${mediaMark} from media as m
          where m.project_id = source.project_id and m.id = source.media_id), 'deleted')`.execute(
    tx,
  )
}

const siteMark = sql<string>`concat_ws(' ', s.live_version, s.status, s.label)`
const mediaMark = sql<string>`concat_ws(' ', m.status, encode(m.sha256, 'hex'))`

export interface SiteToIndex {
  mark: string
  label: string
  status: 'live' | 'offline' | 'blocked'
  title: string
  files: { path: string; file_id: string; content_type: string; bytes: number }[]
}

/** A site of the project with the files of its live version. */
export async function findSite(
  db: Reader,
  { project_id, id }: SourceKey,
): Promise<SiteToIndex | null> {
  const { rows } = await sql<SiteToIndex>`
    select ${siteMark} as mark, s.label, s.status, s.title, v.files from sites as s
    join site_versions as v
      on v.project_id = s.project_id and v.site_id = s.id and v.number = s.live_version
    where s.project_id = ${project_id} and s.id = ${id}`.execute(db)
  return rows[0] ?? null
}

export interface MediaToIndex {
  mark: string
  file_id: string
  filename: string
  title: string | null
  content_type: string
  bytes: bigint
  status: string
}

export async function findMedia(
  db: Reader,
  { project_id, id }: SourceKey,
): Promise<MediaToIndex | null> {
  const { rows } = await sql<MediaToIndex>`
    select ${mediaMark} as mark, file_id, filename, title, content_type, bytes, status
    from media as m where project_id = ${project_id} and id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** The change that starts indexing a source again. */
export function restarted({ run }: Pick<SourceRow, 'run'>, now: Date): SourceChange {
  const begin = { status: 'pending' as const, run: run + 1, started_at: null, due_at: now }
  return { ...begin, pages_done: 0, pages_total: 0, error: null, updated_at: now }
}
