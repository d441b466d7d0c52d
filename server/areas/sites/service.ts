/** The door of the area: what serves sites reads them here. */
export { appeal, faultsOfObjection, findAppeal, type Appeal, type Objection } from './appeals.ts'
export { readBadLinks } from './check/bad-links.ts'
export { headerFinder, type HeaderWishes } from './headers.ts'
export { redirectFinder, type RedirectHit } from './redirects.ts'
export {
  findAllServed,
  findServed,
  readManifest,
  SITES_TOPIC,
  type Manifest,
  type ServedFile,
  type ServedSite,
} from './serving.ts'
