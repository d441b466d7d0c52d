/**
 * Resized copies of stored images. Each copy is made once, stored beside its image and deleted with
 * it.
 */
import type { Reader } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as files from '../../files/service.ts'
import * as store from './copy-store.ts'
import { shrinkFile, type MediaFault } from '../reader/reader-client.ts'
import { readRange } from '../intake/reading.ts'
import type { PictureFormat } from '../words.ts'

/** A stored image file of a project. */
export interface Picture {
  project_id: string
  file_id: string
  bytes: number
}

export interface CopySpec {
  width: number
  format: PictureFormat
}

/** Returns the suffix of a copy's blob, for openFile. */
export function toCopySuffix({ width, format }: CopySpec): string {
  return `${width}.${format}`
}

/** Returns the size of a copy in bytes; null if it does not exist yet. */
export async function findCopy(
  db: Reader,
  { project_id, file_id }: Picture,
  { width, format }: CopySpec,
): Promise<number | null> {
  const row = await store.findCopy(db, { project_id, file_id, width, format })
  return row ? Number(row.bytes) : null
}

/** Makes a copy unless it exists. Throws FileGone if the image was deleted meanwhile. */
export async function makeCopy(
  runtime: Runtime,
  picture: Picture,
  { width, format }: CopySpec,
): Promise<{ bytes: number } | MediaFault> {
  const copy = { width, format }
  const known = await findCopy(runtime.db, picture, copy)
  if (known !== null) return { bytes: known }
  const { project_id, file_id, bytes } = picture
  const place = { project_id, id: file_id }
  const source = {
    project_id,
    bytes,
    read: (range: { start: number; end: number }) => readRange(runtime, place, range),
  }
  const made = await shrinkFile(source, copy)
  if ('fault' in made) return made
  await files.storeDerived(runtime, { ...place, suffix: toCopySuffix(copy) }, made.bytes)
  const row = { project_id, file_id, ...copy, bytes: BigInt(made.bytes.length) }
  // The foreign key holds even if the file is swept meanwhile, because its row outlives its bytes.
  await runtime.db.transact((tx) =>
    store.insertCopy(tx, { ...row, created_at: runtime.clock.now() }),
  )
  return { bytes: made.bytes.length }
}
