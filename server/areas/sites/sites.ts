/** Reads and lists sites. */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { readPage, type PageQuery } from '../../contract/schema/pages.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { presentSite } from './present.ts'
import { toAppealUrl, deriveOfflineToken } from './reviews/review-token.ts'
import { requireSiteAccess } from './rights.ts'
import type { Site, SiteList } from './schema.ts'
import * as store from './store.ts'

/** Newest first; a limited key sees its own sites only. */
export async function list(caller: Caller, query: PageQuery): Promise<SiteList> {
  const ids = caller.access?.sites ?? null
  const { data, next_cursor } = await readPage(caller, {
    list: 'sites',
    query,
    read: (count, after) =>
      store.listSites(caller.db, { project_id: caller.project.id, ids, count, after }),
  })
  return { data: data.map((row) => presentSite(row, caller.runtime.config)), next_cursor }
}

export async function show(caller: Caller, id: string): Promise<Site> {
  return presentSite(await findSite(caller, id), caller.runtime.config)
}

/**
 * Returns a site of the caller's project. Throws 404 if it does not exist, 403 if it is outside the
 * key's limits.
 */
export async function findSite(caller: Caller, id: string): Promise<store.ShownSite> {
  await requireSiteAccess(caller, id)
  const row = await store.findSite(caller.db, { project_id: caller.project.id, id })
  if (!row) throw createUnknownSiteProblem()
  return row
}

export function createUnknownSiteProblem(): Problem {
  return new Problem('not_found', 'This project has no site with this id.')
}

export function requireNotOffline(runtime: Runtime, row: store.SiteRow): void {
  if (row.status === 'live') return
  const why = row.status_reason === null ? '' : `: ${row.status_reason}`
  const appeal_url = toOfflineAppealUrl(runtime, row)
  const detail = `The site was taken offline${why}`.replace(/\.?$/, '.')
  throw new Problem('site_offline', detail, { fields: { appeal_url } })
}

/** Returns the URL of the appeal page of a site that was taken offline. */
export function toOfflineAppealUrl(
  runtime: Runtime,
  site: Pick<store.SiteRow, 'project_id' | 'id'>,
) {
  return toAppealUrl(runtime, deriveOfflineToken(runtime, site))
}

/** Throws version_conflict (412) if the site was changed since the revision in If-Match. */
export function requireRevision({ revision }: store.SiteRow, if_match: number | null): void {
  if (if_match === null || if_match === revision) return
  const detail = `If-Match has revision ${if_match}, but the site has revision ${revision}.`
  throw new Problem('version_conflict', detail, { status: 412, current_version: revision })
}
