/** Lists the versions of a site, reads them and rolls back to one. */
import { isUtf8 } from 'node:buffer'
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import * as files from '../../files/service.ts'
import * as projects from '../../projects/service.ts'
import { isText } from '../deploy/content.ts'
import { createFilesProblem, normalizePath } from '../files/paths.ts'
import { presentFile, presentSite, presentVersion } from '../present.ts'
import { requireCheckAt } from '../reviews/recheck.ts'
import { limitCollections, requireMayBePublic } from '../rights.ts'
import type { Site } from '../schema.ts'
import { announceSites } from './serving.ts'
import { referenceShownMedia } from '../deploy/shown-media.ts'
import { findSite, requireNotOffline, createUnknownSiteProblem } from '../sites.ts'
import * as store from '../store.ts'
import { transactInSequence } from '../change/sequence.ts'
import type { SiteFile, SiteFileList, VersionList } from './version-schema.ts'
import * as versions from './version-store.ts'

/** Newest first. */
export async function list(caller: Caller, id: string): Promise<VersionList> {
  const site = await findSite(caller, id)
  const rows = await versions.listVersions(caller.db, site)
  const { config } = caller.runtime
  return { data: rows.map((row) => presentVersion(row, { site, config })) }
}

/**
 * Makes an earlier version live at once. It creates no version, so it does not count as a deploy.
 */
export async function rollback(
  caller: Caller,
  id: string,
  wanted: number | undefined,
): Promise<Site> {
  const found = await findSite(caller, id)
  const { runtime, db, project } = caller
  const key = { project_id: project.id, id }
  requireNotOffline(runtime, found)
  const { number } = await versionToGoTo(db, found, wanted)
  await requireCheckAt(caller, found, { slug: found.slug, version: number })
  await transactInSequence(caller, async (tx) => {
    const owner = await projects.findLocked(tx, project.id)
    const row = await store.lockSite(tx, key)
    if (!owner || !row) throw createUnknownSiteProblem()
    requireNotOffline(runtime, row)
    requireMayBePublic(owner, row.visibility)
    const version = await versionToGoTo(tx, row, wanted)
    if (version.number !== number || row.slug !== found.slug) {
      throw new Problem('conflict', 'The site was changed by others at the same time.')
    }
    await store.updateSite(tx, key, {
      live_version: version.number,
      collections: JSON.stringify(limitCollections(caller, version.collections)),
      updated_at: runtime.clock.now(),
    })
    await referenceShownMedia(tx, key, version.files)
    announceSites(tx, runtime, project.id)
  })
  const shown = await store.findSite(db, key)
  if (!shown) throw createUnknownSiteProblem()
  return presentSite(shown, runtime.config)
}

async function versionToGoTo(
  db: Reader,
  row: store.SiteRow,
  wanted: number | undefined,
): Promise<versions.VersionRow> {
  const number = wanted ?? (await versions.findVersionBefore(db, row, row.live_version))
  if (number === null) {
    throw new Problem('conflict', `There is no version before version ${row.live_version}.`)
  }
  const version = await versions.findVersion(db, row, number)
  if (version) return version
  throw createFilesProblem([{ path: '/version', message: 'is not a kept version' }])
}

export async function listFiles(
  caller: Caller,
  id: string,
  version: number | undefined,
): Promise<SiteFileList> {
  const row = await readVersion(caller, id, version)
  return { version: row.number, data: row.files.map(presentFile) }
}

async function readVersion(
  caller: Caller,
  id: string,
  version: number | undefined,
): Promise<versions.VersionRow> {
  const site = await findSite(caller, id)
  const row = await versions.findVersion(caller.db, site, version ?? site.live_version)
  if (row) return row
  throw new Problem(
    'not_found',
    `The site has no version ${version}: it never existed or was deleted.`,
  )
}

/** Returns one file as JSON: text as text, other types as base64. */
export async function showFile(
  caller: Caller,
  { id, path }: { id: string; path: string },
  version: number | undefined,
): Promise<SiteFile> {
  const row = await readVersion(caller, id, version)
  const read = normalizePath(path)
  const file = 'path' in read && row.files.find((one) => one.path === read.path)
  if (!file) throw new Problem('not_found', `Version ${row.number} of the site has no such file.`)
  const shown = { ...presentFile(file), version: row.number }
  if (file.bytes > limits.site_file_bytes_max) return { ...shown, encoding: null, content: null }
  const bytes = await files.readFile(caller.runtime, row.project_id, { id: file.file_id })
  const encoding = isText(file.content_type) && isUtf8(bytes) ? 'utf8' : 'base64'
  return { ...shown, encoding, content: bytes.toString(encoding) }
}
