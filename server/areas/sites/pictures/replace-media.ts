/**
 * Replaces a file of the media library and publishes the new content on the sites that show it.
 * Versions of sites are immutable, so each of these sites gets a new version.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Loss } from '../../../contract/operation.ts'
import * as media from '../../media/service.ts'
import { deploy } from '../deploy/deploy.ts'
import type { MediaReplaced } from './replace-schema.ts'

export async function replaceMedia(
  caller: Caller,
  wanted: { id: string; media_id: string },
): Promise<MediaReplaced> {
  const uses = await media.replaceContent(caller, wanted)
  const sites: MediaReplaced['sites'] = []
  for (const [site_id, places] of Map.groupBy(uses, (use) => use.site_id)) {
    const shown = places.map(({ path }) => ({ path, media_id: wanted.id }))
    sites.push({ site_id, ...(await publish(caller, { site_id, shown })) })
  }
  return { ...(await media.show(caller, wanted.id)), sites }
}

/** The former content is nowhere but in earlier versions of sites. */
export async function findReplaceLoss(caller: Caller, id: string): Promise<Loss | null> {
  const [file] = await media.findMedia(caller.db, caller.project.id, [id])
  if (!file) return null
  const about = 'It deletes the present content of the file.'
  const instead = 'A file that is added beside it needs no approval.'
  return { about, instead, depends_on: file.sha256 }
}

/** A refused deploy leaves the live version, which shows the former content. */
async function publish(
  caller: Caller,
  { site_id, shown }: { site_id: string; shown: { path: string; media_id: string }[] },
): Promise<Omit<MediaReplaced['sites'][number], 'site_id'>> {
  const input = { keep_others: true, media: shown }
  try {
    const { version } = await deploy(caller, { id: site_id, input, if_match: null })
    return { version, problem: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { version: null, problem: error.detail }
  }
}
