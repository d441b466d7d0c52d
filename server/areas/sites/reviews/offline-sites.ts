/** The sites of a project that were taken offline, with the page of the appeal. */
import type { Caller } from '../../../contract/caller.ts'
import { toOfflineAppealUrl } from '../sites.ts'
import * as store from '../store.ts'

export interface OfflineSite {
  id: string
  slug: string
  reason: string
  appeal_url: string
}

export async function listOffline(caller: Caller): Promise<OfflineSite[]> {
  const { runtime, db, project, access } = caller
  const rows = await store.listOfflineSites(db, {
    project_id: project.id,
    ids: access?.sites ?? null,
  })
  return rows.map(({ id, slug, status_reason }) => ({
    id,
    slug,
    reason: status_reason ?? '',
    appeal_url: toOfflineAppealUrl(runtime, { project_id: project.id, id }),
  }))
}
