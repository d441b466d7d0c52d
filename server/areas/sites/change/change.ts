/** Changes the settings of a site, or deletes it. */
import type { Caller } from '../../../contract/caller.ts'
import * as publicTokens from '../../public-tokens/service.ts'
import * as projects from '../../projects/service.ts'
import { deleteVersionsOfSite } from '../versions/forget.ts'
import { presentSite } from '../present.ts'
import { requireCheckAt, requireCodeCheckAt } from '../reviews/recheck.ts'
import { requireMayBePublic } from '../rights.ts'
import type { Site, SiteChange } from '../schema.ts'
import { announceSites } from '../versions/serving.ts'
import { writeColumns, prepareSettings, requireConsistent } from './settings.ts'
import { moveTokens } from '../address/site-address.ts'
import { referenceShownMedia } from '../deploy/shown-media.ts'
import { findSite, requireNotOffline, requireRevision, createUnknownSiteProblem } from '../sites.ts'
import * as store from '../store.ts'
import { transactInSequence } from './sequence.ts'

interface Change {
  id: string
  input: SiteChange
  if_match: number | null
}

/** PATCH /sites/{id}. Takes effect at once without a new version. */
export async function change(caller: Caller, { id, input, if_match }: Change): Promise<Site> {
  const { runtime, db, project } = caller
  const found = await findSite(caller, id)
  requireNotOffline(runtime, found)
  requireRevision(found, if_match)
  requireConsistent(input, found)
  if (input.slug !== undefined && input.slug !== found.slug) {
    await requireCheckAt(caller, found, { slug: input.slug, version: found.live_version })
    await requireCodeCheckAt(caller, found, input.slug)
  }
  const settings = await prepareSettings(input, project.id)
  const key = { project_id: project.id, id }
  await transactInSequence(caller, async (tx) => {
    const owner = await projects.findLocked(tx, project.id)
    const row = await store.lockSite(tx, key)
    if (!owner || !row) throw createUnknownSiteProblem()
    requireNotOffline(runtime, row)
    requireRevision(row, if_match)
    const columns = await writeColumns(tx, row, settings)
    // The title of a public site can be changed even if its owner no longer has a phone number or
    // card.
    const { visibility = row.visibility } = settings
    if (visibility !== row.visibility) requireMayBePublic(owner, visibility)
    const after = await store.updateSite(tx, key, { ...columns, updated_at: runtime.clock.now() })
    await moveTokens(tx, runtime, { before: row, after })
    announceSites(tx, runtime, project.id)
  })
  const shown = await store.findSite(db, key)
  if (!shown) throw createUnknownSiteProblem()
  return presentSite(shown, runtime.config)
}

/** Deletes a site, frees its slug and releases its files. */
export async function remove(caller: Caller, id: string): Promise<void> {
  await findSite(caller, id)
  const { runtime, project } = caller
  const key = { project_id: project.id, id }
  await transactInSequence(caller, async (tx) => {
    await projects.lock(tx, project.id)
    const row = await store.lockSite(tx, key)
    if (!row) throw createUnknownSiteProblem()
    // Otherwise an offline site could be deleted and created again at the same address.
    requireNotOffline(runtime, row)
    await referenceShownMedia(tx, key, [])
    await deleteVersionsOfSite(tx, key, { now: runtime.clock.now() })
    await publicTokens.revokeSiteTokens(tx, runtime, { project_id: project.id, site_id: id })
    await store.deleteSite(tx, key)
    announceSites(tx, runtime, project.id)
  })
}
