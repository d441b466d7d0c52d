/** The SQL of the pages of a source, which are also the queue of a crawl. */
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { PageRow, SourceKey } from './source-store.ts'

export function listPages(
  db: Reader,
  { project_id, id }: SourceKey,
  { waiting = false, count }: { waiting?: boolean; count: number },
): Promise<PageRow[]> {
  return db
    .selectFrom('assistant_source_pages')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('source_id', '=', id)
    .$if(waiting, (query) => query.where('state', '=', 'waiting'))
    .orderBy('position')
    .orderBy('url')
    .limit(count)
    .execute()
}

/**
 * Queues the pages of a crawl in this order, followed by the other pages of the previous crawl.
 * Pages beyond `pages_max` are deleted with their passages.
 */
export async function queuePages(
  tx: Transaction,
  { project_id, id }: SourceKey,
  { urls, pages_max }: { urls: readonly string[]; pages_max: number },
): Promise<void> {
  await sql`update assistant_source_pages set state = 'waiting', position = position + ${pages_max}
    where project_id = ${project_id} and source_id = ${id}`.execute(tx)
  await sql`
    insert into assistant_source_pages (project_id, source_id, url, position, state, title)
    select ${project_id}, ${id}, url, n, 'waiting', ''
    from unnest(${urls}::text[]) with ordinality as listed (url, n)
    on conflict (project_id, source_id, url) do update set position = excluded.position`.execute(tx)
  await sql`
    delete from assistant_source_pages where project_id = ${project_id} and source_id = ${id}
      and url in (
        select url from assistant_source_pages
        where project_id = ${project_id} and source_id = ${id}
        order by position, url offset ${pages_max}
      )`.execute(tx)
  await deleteOrphans(tx, { project_id, id })
  // Numbered anew, because each crawl increases the positions.
  await sql`
    update assistant_source_pages as page set position = numbered.n
    from (select url, row_number() over (order by position, url) as n
      from assistant_source_pages where project_id = ${project_id} and source_id = ${id}) as numbered
    where page.project_id = ${project_id} and page.source_id = ${id} and page.url = numbered.url`.execute(
    tx,
  )
}

/** Appends linked pages to the queue, up to `pages_max` pages of the source. */
export async function appendPages(
  tx: Transaction,
  { project_id, id }: SourceKey,
  { urls, pages_max }: { urls: readonly string[]; pages_max: number },
): Promise<void> {
  if (urls.length === 0) return
  await sql`
    with known as (
      select count(*) as count, coalesce(max(position), 0) as last from assistant_source_pages
      where project_id = ${project_id} and source_id = ${id}
    ), fresh as (
      select url, row_number() over (order by n) as n
      from unnest(${urls}::text[]) with ordinality as listed (url, n)
      where not exists (
        select from assistant_source_pages as page
        where page.project_id = ${project_id} and page.source_id = ${id} and page.url = listed.url
      )
    )
    insert into assistant_source_pages (project_id, source_id, url, position, state, title)
    select ${project_id}, ${id}, url, known.last + n, 'waiting', '' from fresh cross join known
    where known.count + n <= ${pages_max}
    on conflict do nothing`.execute(tx)
}

export type ReadPage = Pick<
  PageRow,
  'url' | 'state' | 'title' | 'etag' | 'last_modified' | 'error' | 'read_at'
>

export async function changePage(
  tx: Transaction,
  { project_id, id }: SourceKey,
  { url, ...change }: Partial<ReadPage> & { url: string },
): Promise<void> {
  await tx
    .updateTable('assistant_source_pages')
    .set(change)
    .where('project_id', '=', project_id)
    .where('source_id', '=', id)
    .where('url', '=', url)
    .execute()
}

export async function deletePage(
  tx: Transaction,
  { project_id, id }: SourceKey,
  url: string,
): Promise<void> {
  await tx
    .deleteFrom('assistant_source_pages')
    .where('project_id', '=', project_id)
    .where('source_id', '=', id)
    .where('url', '=', url)
    .execute()
  await tx
    .deleteFrom('assistant_passages')
    .where('project_id', '=', project_id)
    .where('source_id', '=', id)
    .where('url', '=', url)
    .execute()
}

/** Replaces all pages of a source that is read in one step. */
export async function replacePages(
  tx: Transaction,
  { project_id, id }: SourceKey,
  pages: readonly { url: string; title: string; read_at: Date }[],
): Promise<void> {
  await tx
    .deleteFrom('assistant_source_pages')
    .where('project_id', '=', project_id)
    .where('source_id', '=', id)
    .execute()
  if (pages.length === 0) return
  const rows = pages.map((page, at) => ({ ...page, project_id, source_id: id, position: at + 1 }))
  await tx
    .insertInto('assistant_source_pages')
    .values(rows.map((row) => ({ ...row, state: 'read' as const })))
    .execute()
}

/** Deletes the pages that were not reached. */
export async function dropWaitingPages(
  tx: Transaction,
  { project_id, id }: SourceKey,
): Promise<void> {
  await sql`delete from assistant_source_pages
    where project_id = ${project_id} and source_id = ${id} and state = 'waiting'`.execute(tx)
  await deleteOrphans(tx, { project_id, id })
}

export interface PageCounts {
  read: number
  failed: number
  waiting: number
}

export async function countPages(
  tx: Transaction,
  { project_id, id }: SourceKey,
): Promise<PageCounts> {
  const { rows } = await sql<PageCounts>`
    select (count(*) filter (where state = 'read'))::int as read,
      (count(*) filter (where state = 'failed'))::int as failed,
      (count(*) filter (where state = 'waiting'))::int as waiting
    from assistant_source_pages
    where project_id = ${project_id} and source_id = ${id}`.execute(tx)
  return rows[0] ?? { read: 0, failed: 0, waiting: 0 }
}

/** Deletes passages whose page was deleted. */
async function deleteOrphans(tx: Transaction, { project_id, id }: SourceKey): Promise<void> {
  await sql`delete from assistant_passages as p
    where project_id = ${project_id} and source_id = ${id} and not exists (
      select from assistant_source_pages as page where page.project_id = ${project_id}
        and page.source_id = ${id} and page.url = p.url)`.execute(tx)
}
