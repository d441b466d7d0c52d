/** The SQL of page views. */
import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'

export interface CountedViews {
  project_id: string
  site_id: string
  day: string
  kind: 'page' | 'referrer'
  name: string
  views: number
}

/**
 * Adds counts by one statement. A name is a path or a referring host; names beyond the maximum of a
 * site and day are counted together under an empty name. Skips sites that were deleted meanwhile.
 */
export async function addViews(tx: Transaction, rows: readonly CountedViews[]): Promise<void> {
  await sql`
    with given as (
      select g.project_id, g.site_id, g.day, g.kind, g.name, g.views, k.name is not null as is_known
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as g (project_id uuid, site_id uuid, day date, kind text, name text, views bigint)
      join sites as s on s.project_id = g.project_id and s.id = g.site_id
      left join site_visits as k on k.project_id = g.project_id and k.site_id = g.site_id
        and k.day = g.day and k.kind = g.kind and k.name = g.name
    ), sizes as (
      select v.project_id, v.site_id, v.day, v.kind, count(*) as names
      from site_visits as v
      where (v.project_id, v.site_id, v.day) in (select project_id, site_id, day from given)
      group by v.project_id, v.site_id, v.day, v.kind
    ), placed as (
      select g.*, coalesce(z.names, 0) + row_number() over (
        partition by g.project_id, g.site_id, g.day, g.kind, g.is_known order by g.views desc
      ) as place
      from given as g left join sizes as z using (project_id, site_id, day, kind)
    )
    insert into site_visits (project_id, site_id, day, kind, name, views)
    select project_id, site_id, day, kind, shown, sum(views) from (
      select *, case
        when is_known then name
        when place <= case kind when 'page' then ${limits.visits_pages_max}::int
          else ${limits.visits_referrers_max}::int end then name
        else '' end as shown
      from placed
    ) as named
    group by project_id, site_id, day, kind, shown
    -- Processes that write at the same time lock rows in the same order.
    order by project_id, site_id, day, kind, shown
    on conflict (project_id, site_id, day, kind, name)
    do update set views = site_visits.views + excluded.views`.execute(tx)
}

interface Span {
  project_id: string
  site_id: string
  /** First and last UTC day. */
  from: string
  to: string
}

function inSpan(db: Reader, { project_id, site_id, from, to }: Span) {
  return db
    .selectFrom('site_visits')
    .select(sql<bigint>`sum(views)::bigint`.as('views'))
    .where('project_id', '=', project_id)
    .where('site_id', '=', site_id)
    .where('day', '>=', from)
    .where('day', '<=', to)
}

export function sumByDay(db: Reader, span: Span): Promise<{ day: string; views: bigint }[]> {
  return inSpan(db, span)
    .select('day')
    .where('kind', '=', 'page')
    .groupBy('day')
    .orderBy('day')
    .execute()
}

/** The names with most views, most first. */
export function sumByName(
  db: Reader,
  { kind, count, ...span }: Span & { kind: 'page' | 'referrer'; count: number },
): Promise<{ name: string; views: bigint }[]> {
  return inSpan(db, span)
    .select('name')
    .where('kind', '=', kind)
    .groupBy('name')
    .orderBy('views', 'desc')
    .orderBy('name')
    .limit(count)
    .execute()
}

/** Deletes rows of all projects before this day, at most `limit`. Returns their number. */
export async function deleteBefore(
  tx: Transaction,
  { day, limit }: { day: string; limit: number },
): Promise<number> {
  const { rows } = await sql`
    delete from site_visits where ctid in (
      select ctid from site_visits where day < ${day} limit ${limit} for update skip locked)
    returning 1`.execute(tx)
  return rows.length
}
