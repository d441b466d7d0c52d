/** Files with their digests, by which the server and the comparison recognize identical files. */
import { sha256Of } from '../../../work/send-file.ts'
import type { SiteFile } from '../queries.ts'
import type { PickedFile } from './picked-files.ts'

export interface HashedFile extends PickedFile {
  sha256: string
}

export async function hashFiles(files: readonly PickedFile[]): Promise<HashedFile[]> {
  return Promise.all(files.map(async (one) => ({ ...one, sha256: await sha256Of(one.file) })))
}

/** The changes of a new version. */
export interface Difference {
  added: string[]
  changed: string[]
  removed: string[]
}

/**
 * Compares the chosen files with the live version. Pictures of the media library stay; other files
 * stay only if files are added instead of replaced.
 */
export function compare(
  before: readonly SiteFile[],
  after: readonly HashedFile[],
  isAdded: boolean,
): Difference {
  const old = new Map(before.map(({ path, sha256 }) => [path, sha256]))
  const paths = new Set(after.map(({ path }) => path))
  return {
    added: after.filter(({ path }) => !old.has(path)).map(({ path }) => path),
    changed: after
      .filter(({ path, sha256 }) => old.has(path) && old.get(path) !== sha256)
      .map(({ path }) => path),
    removed: before
      .filter(({ path, media_id }) => !isAdded && media_id === null && !paths.has(path))
      .map(({ path }) => path),
  }
}
