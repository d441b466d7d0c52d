/** SQL of apps, their versions, secrets and schedules. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type {
  AppsTable,
  AppSchedulesTable,
  AppSecretsTable,
  AppVersionsTable,
} from '../../kernel/database/tables.ts'

export type VersionRow = Selectable<AppVersionsTable>
export type VersionHead = Omit<VersionRow, 'modules' | 'code'>
export type SecretRow = Selectable<AppSecretsTable>
export type ScheduleRow = Selectable<AppSchedulesTable>
/** An app with its live version, without the code, and the address of its site. */
export type AppRow = Selectable<AppsTable> &
  Pick<VersionRow, Fact> & {
    label: string
    slug: string
    site_title: string
    secrets: string[]
    version_test: boolean
  }

export interface AppKey {
  project_id: string
  id: string
}

/** What clients see of a version, besides its code. */
const facts = [
  'main',
  'allowed_hosts',
  'collections',
  'services',
  'schedules',
  'auth',
  'bytes',
] as const
export type Fact = (typeof facts)[number]

const secretNames = sql<string[]>`array(select s.name from app_secrets as s
  where s.project_id = a.project_id and s.app_id = a.id order by s.name)`

/** The apps of a project, with their live versions. */
function withLive(db: Reader, project_id: string) {
  return db
    .selectFrom('apps as a')
    .innerJoin('app_versions as v', (join) =>
      join
        .onRef('v.project_id', '=', 'a.project_id')
        .onRef('v.app_id', '=', 'a.id')
        .onRef('v.number', '=', 'a.live_version'),
    )
    .where('a.project_id', '=', project_id)
}

function appQuery(db: Reader, project_id: string) {
  return withLive(db, project_id)
    .innerJoin('sites as w', (join) =>
      join.onRef('w.project_id', '=', 'a.project_id').onRef('w.id', '=', 'a.site_id'),
    )
    .selectAll('a')
    .select(facts.map((one) => `v.${one}` as const))
    .select(['v.test as version_test', 'w.label', 'w.slug', 'w.title as site_title'])
    .select(secretNames.as('secrets'))
}

export function find(db: Reader, { project_id, id }: AppKey): Promise<AppRow | undefined> {
  return appQuery(db, project_id).where('a.id', '=', id).executeTakeFirst()
}

export function list(
  db: Reader,
  of: {
    project_id: string
    sites: string[] | null
    apps: string[]
    count: number
    after: string | null
  },
): Promise<AppRow[]> {
  const { sites, apps, after } = of
  return appQuery(db, of.project_id)
    .$if(sites !== null, (query) =>
      query.where(
        sql<boolean>`(a.site_id::text = any(${sites}::text[]) or a.id::text = any(${apps}::text[]))`,
      ),
    )
    .$if(after !== null, (query) => query.where('a.id', '<', after))
    .orderBy('a.id', 'desc')
    .limit(of.count)
    .execute()
}

/**
 * The apps of sites, and the collections of the named apps and of those, for limited keys. An imported app
 * grants none until its first deploy, which checks that its caller may use them.
 */
export async function listAlong(
  db: Reader,
  {
    project_id,
    sites,
    apps,
  }: { project_id: string; sites: readonly string[]; apps: readonly string[] },
): Promise<{ id: string; collections: string[] }[]> {
  return withLive(db, project_id)
    .select('a.id')
    .select(
      sql<string[]>`case when a.deployed_at is null then '[]'::jsonb else v.collections end`.as(
        'collections',
      ),
    )
    .where(
      sql<boolean>`(a.site_id::text = any(${sites}::text[]) or a.id::text = any(${apps}::text[]))`,
    )
    .execute()
}

export interface ServedApp {
  project_id: string
  id: string
  site_id: string
  name: string
  version: number
  revision: number
  /** How users sign in; null: not at all. */
  auth: VersionRow['auth']
}

/** The deployed app of a site; undefined if it has none. */
export function findOfSite(
  db: Reader,
  { project_id, site_id }: { project_id: string; site_id: string },
): Promise<ServedApp | undefined> {
  return servedQuery(db, project_id).where('a.site_id', '=', site_id).executeTakeFirst()
}

export function findServed(db: Reader, { project_id, id }: AppKey): Promise<ServedApp | undefined> {
  return servedQuery(db, project_id).where('a.id', '=', id).executeTakeFirst()
}

function servedQuery(db: Reader, project_id: string) {
  return withLive(db, project_id)
    .select(['a.project_id', 'a.id', 'a.site_id', 'a.name', 'a.live_version as version'])
    .select(['a.revision', 'v.auth'])
    .where('a.deployed_at', 'is not', null)
}

/** Locks the app until the transaction ends. */
export function lock(
  tx: Transaction,
  { project_id, id }: AppKey,
): Promise<Selectable<AppsTable> | undefined> {
  return tx
    .selectFrom('apps')
    .selectAll()
    .where((of) => of.and({ project_id, id }))
    .forUpdate()
    .executeTakeFirst()
}

/** Returns false if the site has an app. */
export async function insert(tx: Transaction, row: Insertable<AppsTable>): Promise<boolean> {
  const made = await tx
    .insertInto('apps')
    .values(row)
    .onConflict((conflict) => conflict.columns(['site_id', 'project_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

export async function update(
  tx: Transaction,
  { project_id, id }: AppKey,
  change: Updateable<AppsTable>,
): Promise<void> {
  await tx
    .updateTable('apps')
    .set(change)
    .where((of) => of.and({ project_id, id }))
    .execute()
}

export async function remove(tx: Transaction, { project_id, id }: AppKey): Promise<boolean> {
  const gone = await tx
    .deleteFrom('apps')
    .where((of) => of.and({ project_id, id }))
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

export async function insertVersion(
  tx: Transaction,
  row: Insertable<AppVersionsTable>,
): Promise<void> {
  await tx.insertInto('app_versions').values(row).execute()
}

export function findVersion(
  db: Reader,
  { project_id, id, number }: AppKey & { number: number },
): Promise<VersionRow | undefined> {
  return db
    .selectFrom('app_versions')
    .selectAll()
    .where((of) => of.and({ project_id, app_id: id, number }))
    .executeTakeFirst()
}

export function listVersions(db: Reader, { project_id, id }: AppKey): Promise<VersionHead[]> {
  return db
    .selectFrom('app_versions')
    .select(['project_id', 'app_id', 'number', 'test', 'created_at', ...facts])
    .where((of) => of.and({ project_id, app_id: id }))
    .orderBy('number', 'desc')
    .execute()
}

/** Deletes all versions but the newest and the live one. */
export async function deleteOldVersions(
  tx: Transaction,
  { project_id, id, live, last }: AppKey & { live: number; last: number },
): Promise<void> {
  await tx
    .deleteFrom('app_versions')
    .where((of) => of.and({ project_id, app_id: id }))
    .where('number', '<=', last - limits.app_versions_kept)
    .where('number', '<>', live)
    .execute()
}

export function listSecrets(db: Reader, { project_id, id }: AppKey): Promise<SecretRow[]> {
  return db
    .selectFrom('app_secrets')
    .selectAll()
    .where((of) => of.and({ project_id, app_id: id }))
    .orderBy('name')
    .execute()
}

export async function putSecret(tx: Transaction, row: SecretRow): Promise<void> {
  const { sealed_value, updated_at } = row
  await tx
    .insertInto('app_secrets')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'app_id', 'name']).doUpdateSet({ sealed_value, updated_at }),
    )
    .execute()
}

export async function deleteSecret(
  tx: Transaction,
  { project_id, id, name }: AppKey & { name: string },
): Promise<void> {
  await tx
    .deleteFrom('app_secrets')
    .where((of) => of.and({ project_id, app_id: id, name }))
    .execute()
}

export function listSchedules(db: Reader, { project_id, id }: AppKey): Promise<ScheduleRow[]> {
  return db
    .selectFrom('app_schedules')
    .selectAll()
    .where((of) => of.and({ project_id, app_id: id }))
    .orderBy('cron')
    .orderBy('timezone')
    .execute()
}

/** Replaces the schedules; those that stay keep the record of their last run. */
export async function replaceSchedules(
  tx: Transaction,
  { project_id, id: app_id }: AppKey,
  wanted: readonly { cron: string; timezone: string; next_run_at: Date | null }[],
): Promise<void> {
  const names = wanted.map(({ cron, timezone }) => `${cron} ${timezone}`)
  await tx
    .deleteFrom('app_schedules')
    .where((of) => of.and({ project_id, app_id }))
    .where(sql<boolean>`not (cron || ' ' || timezone = any(${names}::text[]))`)
    .execute()
  if (wanted.length === 0) return
  await tx
    .insertInto('app_schedules')
    .values(wanted.map((one) => ({ project_id, app_id, ...one })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Schedules that are due and do not work, skipping locked ones. */
export function lockDue(tx: Transaction, now: Date, count: number): Promise<ScheduleRow[]> {
  return tx
    .selectFrom('app_schedules')
    .selectAll()
    .where('next_run_at', '<=', now)
    .orderBy('next_run_at')
    .limit(count)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
}

export async function updateSchedule(
  tx: Transaction,
  { project_id, app_id, cron, timezone }: ScheduleRow,
  change: Updateable<AppSchedulesTable>,
): Promise<void> {
  await tx
    .updateTable('app_schedules')
    .set(change)
    .where((of) => of.and({ project_id, app_id, cron, timezone }))
    .execute()
}

/** The ids of all apps, in all projects. */
export async function listIds(db: Reader): Promise<string[]> {
  return (await db.selectFrom('apps').select('id').execute()).map(({ id }) => id)
}
