/** The SQL of sites. Their versions are in version-store.ts. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { SitesTable, SiteVersionsTable } from '../../kernel/database/tables.ts'

export type SiteRow = Selectable<SitesTable>
type VersionRow = Selectable<SiteVersionsTable>

export interface SiteKey {
  project_id: string
  id: string
}

/** A site with the public fields of its live and newest versions. */
export type ShownSite = SiteRow &
  Pick<VersionRow, 'files_count' | 'bytes' | 'preview_label' | 'warnings'>

function shownSites(db: Reader, project_id: string) {
  return db
    .selectFrom('sites as s')
    .innerJoin('site_versions as live', (join) =>
      join
        .onRef('live.project_id', '=', 's.project_id')
        .onRef('live.site_id', '=', 's.id')
        .onRef('live.number', '=', 's.live_version'),
    )
    .innerJoin('site_versions as newest', (join) =>
      join
        .onRef('newest.project_id', '=', 's.project_id')
        .onRef('newest.site_id', '=', 's.id')
        .onRef('newest.number', '=', 's.last_version'),
    )
    .selectAll('s')
    .select(['live.files_count', 'live.bytes', 'live.warnings', 'newest.preview_label'])
    .where('s.project_id', '=', project_id)
}

export function findSite(db: Reader, { project_id, id }: SiteKey): Promise<ShownSite | undefined> {
  return shownSites(db, project_id).where('s.id', '=', id).executeTakeFirst()
}

/** Lists sites. `ids` limits the list to these sites, for a limited key. */
export function listSites(
  db: Reader,
  page: { project_id: string; ids: readonly string[] | null; count: number; after: string | null },
): Promise<ShownSite[]> {
  const { project_id, ids, count, after } = page
  return shownSites(db, project_id)
    .$if(ids !== null, (query) => query.where(sql<boolean>`s.id = any(${ids ?? []}::uuid[])`))
    .$if(after !== null, (query) => query.where('s.id', '<', after ?? ''))
    .orderBy('s.id', 'desc')
    .limit(count)
    .execute()
}

/** A project has few of them: an owner cannot deploy to a site that is offline. */
const OFFLINE_SITES_MAX = 100

/** Lists the sites that were taken offline, newest first. `ids` limits the list to these sites. */
export function listOfflineSites(
  db: Reader,
  { project_id, ids }: { project_id: string; ids: readonly string[] | null },
): Promise<ShownSite[]> {
  return shownSites(db, project_id)
    .$if(ids !== null, (query) => query.where(sql<boolean>`s.id = any(${ids ?? []}::uuid[])`))
    .where('s.status', '<>', 'live')
    .orderBy('s.id', 'desc')
    .limit(OFFLINE_SITES_MAX)
    .execute()
}

/** Returns the collections that forms of the live versions of these sites post to. */
export async function listFormCollections(
  db: Reader,
  { project_id, ids }: { project_id: string; ids: readonly string[] },
): Promise<string[]> {
  const rows = await db
    .selectFrom('sites')
    .select('collections')
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id::text = any(${ids}::text[])`)
    .execute()
  return rows.flatMap(({ collections }) => collections)
}

/** Returns the slugs of these sites, newest first. */
export async function listSlugs(
  db: Reader,
  { project_id, ids }: { project_id: string; ids: readonly string[] },
): Promise<string[]> {
  const rows = await db
    .selectFrom('sites')
    .select('slug')
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id::text = any(${ids}::text[])`)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ slug }) => slug)
}

export function lockSite(
  tx: Transaction,
  { project_id, id }: SiteKey,
): Promise<SiteRow | undefined> {
  return tx
    .selectFrom('sites')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function countSites(db: Reader, project_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('sites')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Finds the sites at a slug in all projects, because slugs are global. A deleted project keeps its
 * slugs until it is removed.
 */
export function findHolders(db: Reader, slug: string): Promise<SiteKey[]> {
  return db
    .selectFrom('sites as s')
    .select(['s.project_id', 's.id'])
    .where((either) => either.or([either('s.slug', '=', slug), either('s.label', '=', slug)]))
    .execute()
}

/** Finds the site by its own label or that of one of its versions, in all projects. */
export function findByAnyLabel(
  db: Reader,
  label: string,
): Promise<(SiteKey & { label: string }) | undefined> {
  return db
    .selectFrom('sites as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select(['s.project_id', 's.id', 's.label'])
    .where('p.deleted_at', 'is', null)
    .where((either) =>
      either.or([
        either('s.label', '=', label),
        either.exists(
          either
            .selectFrom('site_versions as v')
            .select('v.number')
            .where('v.preview_label', '=', label)
            .whereRef('v.project_id', '=', 's.project_id')
            .whereRef('v.site_id', '=', 's.id'),
        ),
      ]),
    )
    .executeTakeFirst()
}

/** Locks a slug until the transaction ends, so that no other transaction takes it. */
export async function lockSlug(tx: Transaction, slug: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${slug}, 0))`.execute(tx)
}

export function insertSite(tx: Transaction, row: Insertable<SitesTable>): Promise<SiteRow> {
  return tx.insertInto('sites').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Applies changes and gives the site its next revision. */
export function updateSite(
  tx: Transaction,
  { project_id, id }: SiteKey,
  changes: Omit<Updateable<SitesTable>, 'revision'>,
): Promise<SiteRow> {
  return tx
    .updateTable('sites')
    .set({ ...changes, revision: sql`revision + 1` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a site with its versions. */
export async function deleteSite(tx: Transaction, { project_id, id }: SiteKey): Promise<void> {
  await tx.deleteFrom('sites').where('project_id', '=', project_id).where('id', '=', id).execute()
}

/** Returns the times of the newest deploys of a project since a time, at most `count`. */
export async function listDeployTimes(
  db: Reader,
  { project_id, since, count }: { project_id: string; since: Date; count: number },
): Promise<Date[]> {
  const rows = await db
    .selectFrom('site_deploys')
    .select('created_at')
    .where('project_id', '=', project_id)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .limit(count)
    .execute()
  return rows.map(({ created_at }) => created_at)
}

export async function insertDeploy(
  tx: Transaction,
  row: { project_id: string; id: string; created_at: Date },
): Promise<void> {
  await tx.insertInto('site_deploys').values(row).execute()
}

export async function deleteDeploy(
  tx: Transaction,
  { project_id, id }: { project_id: string; id: string },
): Promise<void> {
  await tx
    .deleteFrom('site_deploys')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** Deletes deploys of all projects that no longer count. */
export async function deleteDeploys(
  tx: Transaction,
  { until, limit }: { until: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    delete from site_deploys where (project_id, id) in (
      select project_id, id from site_deploys where created_at <= ${until}
      order by created_at limit ${limit} for update skip locked)
    returning 1`.execute(tx)
  return rows.length
}
