/**
 * Detects a deploy that removes the home page. A deploy without keep_others replaces every file,
 * which may be a mistake of the sender, so it needs a confirmation.
 */
import type { Caller } from '../../../contract/caller.ts'
import type { Loss } from '../../../contract/operation.ts'
import { normalizePath } from '../files/paths.ts'
import { presentSite } from '../present.ts'
import type { SiteDeploy } from '../schema.ts'
import { findSite } from '../sites.ts'
import * as versions from '../versions/version-store.ts'

const HOME_PAGE = 'index.html'

/** Returns the loss for the confirmation; null if the home page stays or the site has none. */
export async function findHomePageLoss(
  caller: Caller,
  id: string,
  input: SiteDeploy,
): Promise<Loss | null> {
  if (keepsHomePage(input)) return null
  const site = await findSite(caller, id)
  if (site.status !== 'live') return null
  const key = { project_id: caller.project.id, id }
  const live = await versions.findManifest(caller.db, key, site.live_version)
  if (!live?.files.some(({ path }) => path === HOME_PAGE)) return null
  const { url } = presentSite(site, caller.runtime.config)
  return {
    about: `It takes away the home page: visitors of ${url} will find no page there.`,
    instead:
      'If the home page is to stay, send this again with keep_others: true, or with index.html ' +
      'among the files.',
  }
}

/**
 * Whether the new version keeps a home page that the live one has; also true if the deploy is
 * invalid.
 */
function keepsHomePage(input: SiteDeploy): boolean {
  const { files, media = [], delete: deleted = [] } = input
  if ([...(files ?? []), ...media].some(isHomePage)) return true
  if (deleted.some((path) => isHomePage({ path }))) return false
  return keepsOthers(input) || files === undefined
}

/**
 * Whether live files that a deploy does not name stay. Any `delete`, even an empty one, implies it.
 */
export function keepsOthers({ keep_others, delete: deleted }: SiteDeploy): boolean {
  return keep_others ?? deleted !== undefined
}

function isHomePage({ path: given }: { path: string }): boolean {
  const read = normalizePath(given)
  return 'path' in read && read.path === HOME_PAGE
}
