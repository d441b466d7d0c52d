/** A site that gets another address is checked again: what it shows may now look like another's. */
import type { Caller } from '../../contract/caller.ts'
import * as files from '../files/service.ts'
import { isText } from './content.ts'
import { requireCheck } from './reviews.ts'
import type { SiteRow } from './store.ts'
import * as versions from './version-store.ts'

export async function requireCheckAt(caller: Caller, site: SiteRow, slug: string): Promise<void> {
  const { house, project } = caller
  const live = await versions.findManifest(caller.db, site, site.live_version)
  const read = (live?.files ?? [])
    .filter(({ content_type }) => isText(content_type))
    .map(async ({ path, content_type, file_id }) => {
      return { path, content_type, bytes: await files.readFile(house, project.id, file_id) }
    })
  const { id, title } = site
  await requireCheck(caller, { id, slug, title, label: slug }, await Promise.all(read))
}
