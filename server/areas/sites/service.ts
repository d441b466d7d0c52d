/** Public exports of the area for the site server, the portal and the command line. */
import type { Reader } from '../../kernel/database/database.ts'
import { listAddresses, listPreviewLabels } from './address/address-store.ts'
import { isUsableAddress, isUsablePreviewLabel } from './address/slug.ts'

export {
  submitAppeal,
  findObjectionFaults,
  findAppeal,
  type Appeal,
  type AppealFaults,
  type AppealForm,
} from './reviews/appeals.ts'
export { requireSizeLimits } from './deploy/content.ts'
export { create, deploy } from './deploy/deploy.ts'
export { findHomePageLoss } from './deploy/home-page.ts'
export {
  decide,
  listReviews,
  restoreOnline,
  takeOffline,
  type ModeratedSite,
  type Review,
} from './reviews/moderation.ts'
export type { DeployedSite, Site } from './schema.ts'
export { findSite, list, requireNotOffline } from './sites.ts'
export { addFormCollections, createLimitProblem, runCountedDeploy } from './rights.ts'
export { toSiteUrl } from './address/slug.ts'
export { findSiteOfOrigin } from './address/site-address.ts'
export { listFiles, rollback } from './versions/versions.ts'
export { checkRules } from './check/rules.ts'
export type { CheckedFile } from './check/check.ts'
export { setCodeOfSites } from './reviews/recheck.ts'
export { requirePassedCheck } from './reviews/reviews.ts'
export {
  findBadLink,
  readBadLinks,
  readKnownBadLinks,
  type BadLinks,
} from './check/links/bad-links.ts'
export { createHeaderFinder, isActiveType, type HeaderChanges } from './files/headers.ts'
export { createRedirectFinder, type RedirectHit } from './files/redirects.ts'
export {
  findAllServed,
  findServed,
  readManifest,
  announceSites,
  SITES_TOPIC,
  type Manifest,
  type ServedFile,
  type ServedSite,
} from './versions/serving.ts'

/** Returns the first address that no deploy creates, such as a reserved one; null if there is none. */
export async function findUnusableAddress(db: Reader, project_id: string): Promise<string | null> {
  const addresses = await listAddresses(db, project_id)
  const unusable = addresses.find((one) => !isUsableAddress(one))
  if (unusable) return unusable.label
  const labels = await listPreviewLabels(db, project_id)
  return labels.find((label) => !isUsablePreviewLabel(label)) ?? null
}
