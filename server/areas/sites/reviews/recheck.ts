/**
 * Checks a version again when it will be published at another address or under another title,
 * because the new one may imitate a brand.
 */
import type { Caller } from '../../../contract/caller.ts'
import * as files from '../../files/service.ts'
import { isText } from '../deploy/content.ts'
import { requirePassedCheck } from './reviews.ts'
import type { SiteRow } from '../store.ts'
import * as versions from '../versions/version-store.ts'

export async function requireCheckAt(
  caller: Caller,
  site: SiteRow,
  { slug, version }: { slug: string; version: number },
): Promise<void> {
  const { runtime, project } = caller
  const shown = await versions.findManifest(caller.db, site, version)
  const read = (shown?.files ?? [])
    .filter(({ content_type }) => isText(content_type))
    .map(async ({ path, content_type, file_id }) => {
      return {
        path,
        content_type,
        bytes: await files.readFile(runtime, project.id, { id: file_id }),
      }
    })
  const { id, title } = site
  await requirePassedCheck(caller, { id, slug, title, label: slug }, await Promise.all(read))
}
