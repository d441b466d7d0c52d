/** Reads apps, and who may use them. */
import type { Access, Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { readPage, type PageQuery } from '../../contract/schema/pages.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import type { Reader } from '../../kernel/database/database.ts'
import { createLimitProblem, toSiteUrl } from '../sites/service.ts'
import type {
  App,
  AppList,
  AppVersion,
  AppVersionCode,
  AppVersionList,
  AppWithCode,
} from './schema.ts'
import * as store from './store.ts'

export async function list(caller: Caller, query: PageQuery): Promise<AppList> {
  const { project, db, access, runtime } = caller
  const allowed = { sites: access?.sites ?? null, apps: access?.apps ?? [] }
  const page = await readPage(caller, {
    list: 'apps',
    query,
    read: (count, after) => store.list(db, { project_id: project.id, ...allowed, count, after }),
  })
  return {
    data: page.data.map((row) => present(row, runtime.config)),
    next_cursor: page.next_cursor,
  }
}

/** The index of the first id that is not that of an app which the caller may use; -1 if there is none. */
export async function findStrayApp(caller: Caller, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return -1
  const { data } = await list(caller, { limit: limits.page_limit_max })
  const known = new Set(data.map(({ id }) => id))
  return ids.findIndex((id) => !known.has(id.toLowerCase()))
}

export async function find(caller: Caller, id: string): Promise<AppWithCode> {
  const row = await findApp(caller, id)
  const version = await versionOf(caller, { id, number: row.live_version })
  return { ...present(row, caller.runtime.config), modules: JSON.parse(version.modules) }
}

/** Throws 403 for an app outside the limits of a key, whether it exists or not. */
export async function findApp(caller: Caller, id: string): Promise<store.AppRow> {
  const { access, project, db } = caller
  const row = await store.find(db, { project_id: project.id, id })
  const is_allowed =
    !access || access.apps.includes(id) || (row && access.sites.includes(row.site_id))
  if (!is_allowed) {
    throw await createLimitProblem(
      caller,
      access,
      (it) => `${it} is limited, and the limit does not include the app ${id}.`,
    )
  }
  if (!row) throw unknownApp()
  return row
}

export function unknownApp(): Problem {
  return new Problem('not_found', 'This project has no app with this id.')
}

/** Adds the apps of its sites, and the collections of its apps, to the grants of a limited key. */
export async function addAppsAlong(
  db: Reader,
  project_id: string,
  access: Access,
): Promise<Access> {
  const { sites, apps } = access
  if (sites.length + apps.length === 0) return access
  const along = await store.listAlong(db, { project_id, sites, apps })
  if (along.length === 0) return access
  const collections = along.flatMap((one) => one.collections)
  return {
    ...access,
    apps: [...new Set([...apps, ...along.map(({ id }) => id)])],
    collections: [...new Set([...access.collections, ...collections])],
  }
}

export async function listVersions(caller: Caller, id: string): Promise<AppVersionList> {
  const { live_version, project_id } = await findApp(caller, id)
  const rows = await store.listVersions(caller.db, { project_id, id })
  return { data: rows.map((row) => presentVersion(row, live_version)) }
}

export async function findVersion(
  caller: Caller,
  { id, version }: { id: string; version: number },
): Promise<AppVersionCode> {
  const { live_version } = await findApp(caller, id)
  const row = await versionOf(caller, { id, number: version })
  return { ...presentVersion(row, live_version), modules: JSON.parse(row.modules) }
}

export async function versionOf(
  { db, project }: Caller,
  { id, number }: { id: string; number: number },
): Promise<store.VersionRow> {
  const row = await store.findVersion(db, { project_id: project.id, id, number })
  if (!row) throw new Problem('not_found', 'This app has no version with this number.')
  return row
}

export function present(row: store.AppRow, config: Config): App {
  return {
    id: row.id,
    site_id: row.site_id,
    name: row.name,
    url: `${toSiteUrl(config, row.label)}/api/`,
    version: row.live_version,
    ...factsOf(row),
    secrets: row.secrets,
    database_bytes: Number(row.database_bytes),
    test: row.version_test,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    deployed_at: row.deployed_at?.toISOString() ?? null,
  }
}

function presentVersion(row: store.VersionHead, live: number): AppVersion {
  return {
    version: row.number,
    live: row.number === live,
    ...factsOf(row),
    test: row.test,
    created_at: row.created_at.toISOString(),
  }
}

function factsOf(row: Pick<store.AppRow, store.Fact>) {
  const { main, allowed_hosts, collections, services, schedules, auth, bytes } = row
  const settings = { main, allowed_hosts, collections, services, schedules, bytes }
  return { ...settings, auth: auth ?? (false as const) }
}
