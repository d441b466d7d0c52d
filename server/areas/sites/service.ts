/** The door of the area: what serves sites reads them here. */
export {
  findServed,
  readManifest,
  SITES_TOPIC,
  type Manifest,
  type ServedFile,
  type ServedSite,
} from './serving.ts'
