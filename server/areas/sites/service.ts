/** Public exports of the area for the site server, the portal and the command line. */
export {
  appeal,
  faultsOfObjection,
  findAppeal,
  type Appeal,
  type Objection,
} from './reviews/appeals.ts'
export { requireFit } from './deploy/content.ts'
export { create, deploy } from './deploy/deploy.ts'
export { homePageLoss } from './deploy/home-page.ts'
export { decide, listReviews, putOnline, takeOffline, type Review } from './reviews/moderation.ts'
export type { DeployedSite, Site } from './schema.ts'
export { list, offlineAppealUrl } from './sites.ts'
export { beyondLimit, withCollections } from './rights.ts'
export { findSiteOfOrigin } from './address/site-address.ts'
export { listFiles, rollback } from './versions/versions.ts'
export { rules as checkRules } from './check/rules.ts'
export { readBadLinks } from './check/links/bad-links.ts'
export { headerFinder, type HeaderWishes } from './files/headers.ts'
export { redirectFinder, type RedirectHit } from './files/redirects.ts'
export {
  findAllServed,
  findServed,
  readManifest,
  SITES_TOPIC,
  type Manifest,
  type ServedFile,
  type ServedSite,
} from './versions/serving.ts'
