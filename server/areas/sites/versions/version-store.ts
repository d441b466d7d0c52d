/** The SQL of versions, and the queries that find a site by its address. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { SiteVersionsTable } from '../../../kernel/database/tables.ts'
import type { SiteKey } from '../store.ts'

export type VersionRow = Selectable<SiteVersionsTable>
export type ManifestRow = Pick<VersionRow, 'files' | 'rules'>
export type VersionFile = VersionRow['files'][number]
/** A version without its list of files, which can be long. */
export type VersionHead = Omit<VersionRow, 'files' | 'rules'>

export async function insertVersion(
  tx: Transaction,
  row: Insertable<SiteVersionsTable>,
): Promise<void> {
  await tx.insertInto('site_versions').values(row).execute()
}

export function findVersion(
  db: Reader,
  { project_id, id }: SiteKey,
  number: number,
): Promise<VersionRow | undefined> {
  return db
    .selectFrom('site_versions')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('site_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
}

export function findManifest(
  db: Reader,
  { project_id, id }: SiteKey,
  number: number,
): Promise<ManifestRow | undefined> {
  return db
    .selectFrom('site_versions')
    .select(['files', 'rules'])
    .where('project_id', '=', project_id)
    .where('site_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
}

export function listVersions(db: Reader, { project_id, id }: SiteKey): Promise<VersionHead[]> {
  return db
    .selectFrom('site_versions')
    .select([
      'project_id',
      'site_id',
      'number',
      'preview_label',
      'files_count',
      'bytes',
      'collections',
      'warnings',
      'test',
      'created_at',
    ])
    .where('project_id', '=', project_id)
    .where('site_id', '=', id)
    .orderBy('number', 'desc')
    .execute()
}

/** Returns the newest kept version before another one. */
export async function findVersionBefore(
  db: Reader,
  { project_id, id }: SiteKey,
  number: number,
): Promise<number | null> {
  const row = await db
    .selectFrom('site_versions')
    .select('number')
    .where('project_id', '=', project_id)
    .where('site_id', '=', id)
    .where('number', '<', number)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.number ?? null
}

/** Returns the files of versions to delete: of all versions, or of old ones except the live one. */
export function listVersionFiles(
  tx: Transaction,
  { project_id, id }: SiteKey,
  old?: { until: number; live: number },
): Promise<{ number: number; files: VersionFile[] }[]> {
  return tx
    .selectFrom('site_versions')
    .select(['number', 'files'])
    .where('project_id', '=', project_id)
    .where('site_id', '=', id)
    .$if(old !== undefined, (query) =>
      query.where('number', '<=', old?.until ?? 0).where('number', '<>', old?.live ?? 0),
    )
    .execute()
}

export async function deleteVersions(
  tx: Transaction,
  { project_id, id }: SiteKey,
  numbers: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('site_versions')
    .where('project_id', '=', project_id)
    .where('site_id', '=', id)
    .where('number', 'in', numbers)
    .execute()
}

/** A site of a project that is offline is offline too. */
const servedStatus = sql<
  'live' | 'offline' | 'blocked'
>`case when p.offline_at is null then s.status else 'offline' end`

const servedColumns = [
  's.project_id',
  's.id',
  's.slug',
  's.title',
  servedStatus.as('status'),
  's.visibility',
  's.password_hash',
  's.password_version',
  's.spa',
] as const

/** Finds sites by label in all projects, because labels are global. */
export function findByLabels(db: Reader, labels: readonly string[]) {
  return db
    .selectFrom('sites as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select([...servedColumns, 's.label', 's.live_version as version', 's.collections'])
    .where('s.label', '=', anyOf(labels))
    .where('p.deleted_at', 'is', null)
    .execute()
}

/** Finds sites by the labels of their versions. */
export function findByPreviewLabels(db: Reader, labels: readonly string[]) {
  return db
    .selectFrom('site_versions as v')
    .innerJoin('sites as s', (join) =>
      join.onRef('s.project_id', '=', 'v.project_id').onRef('s.id', '=', 'v.site_id'),
    )
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select([...servedColumns, 'v.preview_label as label', 'v.number as version', 'v.collections'])
    .where('v.preview_label', '=', anyOf(labels))
    .where('p.deleted_at', 'is', null)
    .execute()
}

/** Uses one array parameter, so that the statement is the same for any number of labels. */
function anyOf(labels: readonly string[]) {
  return sql<string>`any(${labels}::text[])`
}
