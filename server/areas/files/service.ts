/**
 * The files of a project for other areas, deduplicated by digest. An area adopts a file in the
 * transaction that references it and releases it in the one that removes the reference. The sweep
 * deletes unused files after an hour.
 */
import type { Readable } from 'node:stream'
import type { ProjectRow } from '../../contract/caller.ts'
import type { ByteRange } from '../../kernel/blobs/blobs-contract.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { collectUploads } from './collect.ts'
import { storeFiles, storeStream, type FileSource, type StoreOptions } from './keep.ts'
import { fileTooLarge } from './keep.ts'
import * as store from './store.ts'
import {
  decodeDigests,
  FileGone,
  toBlobKey,
  presentFile,
  encodingSuffixes,
  type Encoding,
  type StoredFile,
} from './stored.ts'

export { receiveUpload } from './collect.ts'
export { encodeFiles } from './encode.ts'
export { storeFiles, type FileSource } from './keep.ts'
export { FileGone, listBlobKeys as keysOfFile, type StoredFile } from './stored.ts'
export { sweepFiles } from './sweep.ts'
export {
  announceUploads,
  findUpload,
  type Announced,
  type AnnouncedFile,
  type Upload,
} from './uploads.ts'
export { deleteFiles } from './sweep.ts'
export { markCompleted as completeUpload } from './upload-store.ts'

/**
 * Stores bytes for a project; returns the existing file if the project has them. Throws
 * plan_limit_reached (409), or file_too_large (413) beyond `bytes_max`.
 */
export function storeFile(
  runtime: Runtime,
  project: ProjectRow,
  source: FileSource,
): Promise<StoredFile> {
  return storeFileWithin(runtime, project, { source })
}

/** Like storeFile, with a size limit or for a file that replaces another one. */
export async function storeFileWithin(
  runtime: Runtime,
  project: ProjectRow,
  { source, ...options }: StoreOptions & { source: FileSource },
): Promise<StoredFile> {
  if (!(source instanceof Uint8Array)) return storeStream(runtime, project, { source, ...options })
  const { bytes_max = Infinity } = options
  if (source.length > bytes_max) throw fileTooLarge(bytes_max)
  const [file] = await storeFiles(runtime, project, [source])
  if (file === undefined) throw new FileGone([])
  return file
}

/** Returns the stored files of these digests; unknown digests are omitted. */
export async function findFiles(
  runtime: Runtime,
  project_id: string,
  sha256s: readonly string[],
): Promise<StoredFile[]> {
  if (sha256s.length === 0) return []
  const rows = await collectUploads(runtime, project_id, decodeDigests(sha256s))
  return [...rows.values()].map(presentFile)
}

/**
 * Increments the use count of each id. The caller holds the row lock of the project, which prevents
 * deadlocks between transactions that adopt files in different orders. Throws FileGone if a file
 * was swept; the caller must store it again.
 */
export async function adoptFiles(
  tx: Transaction,
  project_id: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const by = countOf(ids, 1)
  const found = await store.changeUses(tx, { project_id, by, unused_since: null })
  if (found < by.size) throw new FileGone([...by.keys()])
}

/** Decrements the use count of each id. The caller holds the row lock of the project. */
export async function releaseFiles(
  tx: Transaction,
  { project_id, now }: { project_id: string; now: Date },
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0)
    await store.changeUses(tx, { project_id, by: countOf(ids, -1), unused_since: now })
}

function countOf(ids: readonly string[], one: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + one)
  return counts
}

/** Selects what to read: the original bytes, a compressed copy, or a derived file. */
export interface FileVariant {
  encoding?: Encoding
  suffix?: string
  range?: ByteRange
}

interface FileBytes extends FileVariant {
  id: string
}

function keyFor(project_id: string, { id, encoding, suffix }: FileBytes): string {
  return toBlobKey({ project_id, id }, encoding === undefined ? suffix : encodingSuffixes[encoding])
}

/** Throws BlobMissing if the bytes do not exist. */
export function openFile(runtime: Runtime, project_id: string, file: FileBytes): Promise<Readable> {
  return runtime.blobs.open(keyFor(project_id, file), file.range)
}

export function readFile(runtime: Runtime, project_id: string, file: FileBytes): Promise<Buffer> {
  return runtime.blobs.read(keyFor(project_id, file))
}

/**
 * Stores derived bytes with a file, such as a thumbnail; they are deleted with it. Throws FileGone
 * if the file was deleted.
 */
export async function storeDerived(
  runtime: Runtime,
  place: { project_id: string; id: string; suffix: string },
  bytes: Uint8Array,
): Promise<void> {
  const noted = await runtime.db.transact((tx) => store.addDerived(tx, place, place.suffix))
  if (!noted) throw new FileGone([place.id])
  await runtime.blobs.put(toBlobKey(place, place.suffix), bytes)
}
