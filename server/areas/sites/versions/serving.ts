/**
 * The reads of the site server: the site at an address, and the files of a version. Manifests are
 * immutable and can be cached without expiry; the live version is read again after a short time or
 * an announced change.
 */
import { afterCommit, type Reader, type Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { isPreviewLabel } from '../address/slug.ts'
import type { SiteKey } from '../store.ts'
import * as versions from './version-store.ts'

/** The topic of wake-ups after every commit that changes served content; its subject is the project. */
export const SITES_TOPIC = 'sites'

export function announceSites(
  tx: Transaction,
  { wakeups }: Pick<Runtime, 'wakeups'>,
  project_id: string,
): void {
  afterCommit(tx, () => wakeups.announce(`${SITES_TOPIC}/${project_id}`))
}

/** Files that a deploy reads and that are never served. */
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
  /** Whether the address is that of a version. */
  preview: boolean
  version: number
  /** Collections that forms of its pages post to. */
  collections: readonly string[]
}

export type ServedFile = versions.VersionFile

export interface Manifest {
  files: ServedFile[]
  rules: versions.ManifestRow['rules']
}

/** Returns the site at the first label of a host; null if there is none. */
export async function findServed(db: Reader, label: string): Promise<ServedSite | null> {
  return (await findAllServed(db, [label])).get(label) ?? null
}

/** Finds the sites at several labels by one query; missing ones are omitted. */
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

/** Returns the manifest of a version; empty if the version was deleted. */
export async function readManifest(db: Reader, site: SiteKey, version: number): Promise<Manifest> {
  const row = await versions.findManifest(db, site, version)
  if (!row) return { files: [], rules: { redirects: [], headers: [] } }
  return { files: row.files.filter(({ path }) => !isConfiguration(path)), rules: row.rules }
}
