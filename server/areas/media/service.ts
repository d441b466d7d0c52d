/**
 * The rules of the media library: list, change, delete, and references by sites. Files are added in
 * `intake/`: uploads.ts, import.ts and form-files.ts, which use take-in.ts.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { refuseSlowSearch } from '../../contract/problems/search-timeout.ts'
import { readPage } from '../../contract/schema/pages.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import * as files from '../files/service.ts'
import * as projects from '../projects/service.ts'
import { listCopies } from './copies/copy-store.ts'
import { presentMedia } from './present.ts'
import type { Media, MediaChange, MediaList, MediaQuery } from './schema.ts'
import { linkTo } from './link.ts'
import * as store from './store.ts'
import { createUnknownMediaProblem } from './unknown.ts'

export { inspectFile } from './reader/reader-client.ts'
export {
  addFormFiles,
  endFormFiles,
  removeFormFiles,
  storeFormFile,
  VisitorsPartFull,
  type FormFile,
} from './intake/form-files.ts'
export { openLink, type OpenedLink } from './link.ts'
export { toCopySuffix, type CopySpec } from './copies/copies.ts'
export { makeSiteCopy } from './copies/site-copies.ts'
export { replaceContent } from './replace.ts'
export { copyFormats, pictureTypes, copyWidths } from './words.ts'

/** Data of a media file that a site needs to show it. */
export interface FoundMedia {
  id: string
  /** Id of the stored bytes, for files/service.ts. */
  file_id: string
  /** SHA-256 in hex. */
  sha256: string
  bytes: number
  content_type: string
  filename: string
  /** In pixels; null if unknown, or not a picture. */
  width: number | null
  /** A site can show only `ready` files. */
  status: store.MediaRow['status']
  /** How it came into the library. */
  source: store.MediaRow['source']
}

/** Returns those of the ids that are media of the project. */
export async function findMedia(
  db: Reader,
  project_id: string,
  ids: readonly string[],
): Promise<FoundMedia[]> {
  const rows = await store.findMany(db, project_id, ids)
  return rows.map(
    ({ id, file_id, sha256, bytes, content_type, filename, width, status, source }) => ({
      id,
      file_id,
      sha256: sha256.toString('hex'),
      bytes: Number(bytes),
      content_type,
      filename,
      width,
      status,
      source,
    }),
  )
}

/** The types that every carrier plays in a call. */
const playableTypes: readonly string[] = ['audio/mpeg', 'audio/wav']

/** Returns those of the ids that are audio files which can be played in a call. */
export async function findPlayable(
  db: Reader,
  project_id: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await store.findMany(db, project_id, ids)
  return new Set(rows.filter(isPlayable).map(({ id }) => id))
}

function isPlayable({ status, content_type }: store.MediaRow): boolean {
  return status === 'ready' && playableTypes.includes(content_type)
}

/** An audio file as a line plays it. */
export interface PlayedAudio {
  filename: string
  /** Signed URL from which the carrier fetches the file. */
  url: string
  /** Null if unknown. */
  duration_sec: number | null
}

/** Returns an audio file to play in a call; null if it is no such file any more. */
export async function findPlayedAudio(
  runtime: Runtime,
  project_id: string,
  id: string,
): Promise<PlayedAudio | null> {
  const row = await store.find(runtime.db, { project_id, id })
  if (!row || !isPlayable(row)) return null
  const { filename, duration_sec } = row
  return { filename, duration_sec, url: linkTo(runtime, row, null).url }
}

/**
 * Replaces the list of media that the live version of a site shows. Listed media cannot be deleted.
 */
export async function replaceSiteUses(
  tx: Transaction,
  site: { project_id: string; site_id: string },
  uses: readonly { media_id: string; path: string }[],
): Promise<void> {
  const ids = [...new Set(uses.map(({ media_id }) => media_id))]
  const there = new Set(await store.lockMedia(tx, site.project_id, ids))
  const gone = ids.find((id) => !there.has(id))
  if (gone !== undefined) {
    throw new Problem('conflict', `The file ${gone} of the media library was deleted meanwhile.`)
  }
  await store.replaceUses(tx, site, uses)
}

const refuseSlow = refuseSlowSearch(
  limits.media_search_s_max,
  'Search for fewer words, or without a filter.',
)

export async function list(caller: Caller, query: MediaQuery): Promise<MediaList> {
  const project_id = caller.project.id
  const wanted = {
    project_id,
    words: (query.q ?? '').split(/\s+/u).filter((word) => word !== ''),
    kind: query.kind ?? null,
    folder: query.folder || null,
    tag: query.tag ?? null,
  }
  const { data, next_cursor } = await readPage(caller, {
    list: 'media',
    query,
    read: (count, after) =>
      store.search(caller.db, { ...wanted, count, after }).catch(refuseSlow(query)),
  })
  return { data: await present(caller.db, project_id, data), next_cursor }
}

export async function show({ db, project }: Caller, id: string): Promise<Media> {
  const row = await store.find(db, { project_id: project.id, id })
  if (!row) throw createUnknownMediaProblem()
  return presentOne(db, row)
}

export async function change(caller: Caller, id: string, wanted: MediaChange): Promise<Media> {
  const { alt, title, focal_point, ...rest } = wanted
  const key = { project_id: caller.project.id, id }
  const changes = {
    ...rest,
    ...(alt === undefined ? {} : { alt: alt || null }),
    ...(title === undefined ? {} : { title: title || null }),
    ...(focal_point === undefined
      ? {}
      : { focal_x: focal_point?.x ?? null, focal_y: focal_point?.y ?? null }),
    updated_at: caller.runtime.clock.now(),
  }
  const row = await caller.db.transact(async (tx) => {
    const changed = await store.change(tx, key, changes)
    if (changed && focal_point && changed.kind !== 'image') throw createFocalPointProblem()
    return changed
  })
  if (!row) throw createUnknownMediaProblem()
  return presentOne(caller.db, row)
}

function createFocalPointProblem(): Problem {
  const message = 'applies to pictures only'
  return new Problem('validation_failed', `/focal_point ${message}.`, {
    errors: [{ path: '/focal_point', message }],
  })
}

/**
 * Deletes a media file. Files that a live site shows are refused. Copies are deleted with it, and
 * bytes without another reference are swept.
 */
export function remove({ runtime, db, project }: Caller, id: string): Promise<void> {
  const key = { project_id: project.id, id }
  return db.transact(async (tx) => {
    await projects.lock(tx, project.id)
    const row = await store.lock(tx, key)
    if (!row) throw createUnknownMediaProblem()
    const used_on = (await store.listUses(tx, project.id, [id])).map(({ site_id, path }) => ({
      site_id,
      path,
    }))
    if (used_on.length > 0) {
      const places = used_on.map(({ site_id, path }) => `${path} of the site ${site_id}`)
      const detail =
        'It is shown on ' +
        `${places.slice(0, 3).join(', ')}${places.length > 3 ? ' and others' : ''}. ` +
        'Remove it there first.'
      throw new Problem('conflict', detail, { fields: { used_on } })
    }
    await store.remove(tx, key)
    await files.releaseFiles(tx, { project_id: project.id, now: runtime.clock.now() }, [
      row.file_id,
    ])
  })
}

async function presentOne(db: Reader, row: store.MediaRow): Promise<Media> {
  const [media] = await present(db, row.project_id, [row])
  if (!media) throw new Error('Each row is presented.')
  return media
}

/** Presents rows with their copies and uses, by two queries for all rows. */
async function present(
  db: Reader,
  project_id: string,
  rows: readonly store.MediaRow[],
): Promise<Media[]> {
  const ids = rows.map(({ id }) => id)
  const file_ids = rows.map(({ file_id }) => file_id)
  const [copies, uses] = await Promise.all([
    listCopies(db, project_id, file_ids),
    store.listUses(db, project_id, ids),
  ])
  return rows.map((row) => presentMedia(row, { copies, uses }))
}
