/**
 * Checks a version, and the code of the app of the site, again when they will be published at another
 * address or under another title, because the new one may imitate a brand.
 */
import assert from 'node:assert/strict'
import type { Caller } from '../../../contract/caller.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as files from '../../files/service.ts'
import type { CheckedFile } from '../check/check.ts'
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

/** Reads the live code of the app of a site; empty without one. */
type ReadCode = (
  db: Reader,
  of: { project_id: string; site_id: string },
) => Promise<readonly CheckedFile[]>

const readers = new WeakMap<Runtime, ReadCode>()

/** Hands in the code of apps, which this area cannot import. */
export function setCodeOfSites(runtime: Runtime, read: ReadCode): void {
  readers.set(runtime, read)
}

/** Checks the code of the app of a site if the site moves to another slug. */
export async function requireCodeCheckAt(
  caller: Caller,
  { project_id, id, title, slug: before }: SiteRow,
  slug: string,
): Promise<void> {
  if (slug === before) return
  const read = readers.get(caller.runtime)
  assert(read, 'the reader of the code of apps is handed in at the start')
  const code = await read(caller.db, { project_id, site_id: id })
  if (code.length === 0) return
  await requirePassedCheck(caller, { id, slug, title, label: slug }, code)
}
