/** Media files that a site shows: found at the deploy, and protected from deletion while live. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import * as media from '../../media/service.ts'
import { isText, type DeployMedia } from './content.ts'
import { createFilesProblem } from '../files/paths.ts'
import type { SiteKey } from '../store.ts'
import type { VersionFile } from '../versions/version-store.ts'

/**
 * Returns media as version files by path. A limited key may use only media that its site already
 * shows.
 */
export async function findShownMedia(
  { access, db, project }: Caller,
  given: readonly DeployMedia[],
  live: readonly VersionFile[],
): Promise<VersionFile[]> {
  if (given.length === 0) return []
  const known = new Set(live.map(({ media_id }) => media_id))
  if (access && !given.every(({ media_id }) => known.has(media_id))) {
    throw new Problem(
      'forbidden',
      'This key is limited, and the library is of the whole project.',
      {
        user_message: 'This connection may only place pictures that its site shows already.',
      },
    )
  }
  const ids = [...new Set(given.map(({ media_id }) => media_id))]
  const found = new Map(
    (await media.findMedia(db, project.id, ids)).map((one) => [one.id, one] as const),
  )
  const faults = given.flatMap(({ media_id }, index) => {
    const message = faultOf(found.get(media_id))
    return message === null ? [] : [{ path: `/media/${index}/media_id`, message }]
  })
  if (faults.length > 0) throw createFilesProblem(faults)
  return given.flatMap(({ media_id, path }) => {
    const one = found.get(media_id)
    if (!one) return []
    const { file_id, sha256, bytes, content_type } = one
    return [{ path, file_id, sha256, bytes, content_type, encodings: {}, media_id }]
  })
}

/** Wider pictures of the library get smaller sources in new pages. */
const WIDE_PIXELS = 1_600

/** Returns the widths of the wide pictures of the library by path. */
export async function findWidePictures(
  { db, project }: Caller,
  files: readonly VersionFile[],
): Promise<Map<string, number>> {
  const ids = [...new Set(files.flatMap(({ media_id }) => media_id ?? []))]
  if (ids.length === 0) return new Map()
  const found = await media.findMedia(db, project.id, ids)
  const widths = new Map(
    found.flatMap(({ id, content_type, width }) =>
      media.pictureTypes.includes(content_type) && (width ?? 0) > WIDE_PIXELS
        ? [[id, width ?? 0] as const]
        : [],
    ),
  )
  return new Map(
    files.flatMap(({ path, media_id }) => {
      const width = widths.get(media_id ?? '')
      return width === undefined ? [] : [[path, width] as const]
    }),
  )
}

function faultOf(found: media.FoundMedia | undefined): string | null {
  if (!found) return 'is no file of the media library'
  if (found.status !== 'ready') return `has the status ${found.status}, and must be ready`
  const is_long_text = isText(found.content_type) && found.bytes > limits.site_file_bytes_max
  return is_long_text ? 'is a text too large to be checked before it is published' : null
}

/**
 * Replaces the references from the live version to media files. Media of a restored version may
 * already be deleted and are skipped.
 */
export async function referenceShownMedia(
  tx: Transaction,
  { project_id, id }: SiteKey,
  files: readonly VersionFile[],
): Promise<void> {
  const shown = files.flatMap(({ media_id, path }) =>
    media_id === null ? [] : [{ media_id, path }],
  )
  const there = await idsThere(tx, project_id, shown)
  const uses = shown.filter(({ media_id }) => there.has(media_id))
  await media.replaceSiteUses(tx, { project_id, site_id: id }, uses)
}

async function idsThere(
  db: Reader,
  project_id: string,
  shown: readonly { media_id: string }[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(shown.map(({ media_id }) => media_id))]
  const found = ids.length === 0 ? [] : await media.findMedia(db, project_id, ids)
  return new Set(found.map(({ id }) => id))
}
