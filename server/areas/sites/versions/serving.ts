/**
 * What whoever serves sites reads: the site at an address, and the files of one version. A version
 * never changes, so its manifest may be kept for ever; which version is live is asked anew, or
 * after a change was announced.
 */
import type { Reader } from '../../../kernel/database/database.ts'
import { isPreviewLabel } from '../address/slug.ts'
import type { SiteKey } from '../store.ts'
import * as versions from './version-store.ts'

/** Announced after every commit that changes what is served at some address. */
export const SITES_TOPIC = 'sites'

/** Read at the deploy, and never served. */
const configuration = new Set(['_redirects', '_headers'])

export function isConfiguration(path: string): boolean {
  return configuration.has(path)
}

export interface ServedSite {
  project_id: string
  id: string
  slug: string
  title: string
  status: 'live' | 'offline' | 'blocked'
  visibility: 'public' | 'unlisted' | 'password'
  password_hash: string | null
  password_version: number
  spa: boolean
  /** True when asked for by the address of one version. */
  preview: boolean
  version: number
  /** Those that forms of its pages post to. */
  collections: readonly string[]
}

export type ServedFile = versions.VersionFile

export interface Manifest {
  files: ServedFile[]
  rules: versions.ManifestRow['rules']
}

/** The site at the first part of a host, or null. */
export async function findServed(db: Reader, label: string): Promise<ServedSite | null> {
  return (await findAllServed(db, [label])).get(label) ?? null
}

/** The same for many at once, which costs little more; what is not there is left out. */
export async function findAllServed(
  db: Reader,
  labels: readonly string[],
): Promise<Map<string, ServedSite>> {
  const previews = labels.filter(isPreviewLabel)
  const others = labels.filter((label) => !isPreviewLabel(label))
  const found = new Map<string, ServedSite>()
  const note = (rows: Awaited<ReturnType<typeof versions.findByLabels>>, preview: boolean) => {
    for (const { label, ...site } of rows) found.set(label, { ...site, preview })
  }
  if (others.length > 0) note(await versions.findByLabels(db, others), false)
  if (previews.length > 0) note(await versions.findByPreviewLabels(db, previews), true)
  return found
}

/** Nothing is served of a version that is no longer kept. */
export async function readManifest(db: Reader, site: SiteKey, version: number): Promise<Manifest> {
  const row = await versions.findManifest(db, site, version)
  if (!row) return { files: [], rules: { redirects: [], headers: [] } }
  return { files: row.files.filter(({ path }) => !isConfiguration(path)), rules: row.rules }
}
