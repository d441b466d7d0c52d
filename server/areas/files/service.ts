/**
 * The files of a project: bytes that other areas use, each kept once. Whoever uses a file adopts
 * it in the transaction that says so and releases it in the one that no longer does; what nobody
 * uses is swept an hour later.
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
  digestsOf,
  FileGone,
  keyOf,
  presentFile,
  suffixes,
  type Encoding,
  type StoredFile,
} from './stored.ts'

export { receiveUpload } from './collect.ts'
export { encodeFiles } from './encode.ts'
export { storeFiles, type FileSource } from './keep.ts'
export { FileGone, keysOf as keysOfFile, type StoredFile } from './stored.ts'
export { sweepFiles } from './sweep.ts'
export {
  announceUploads,
  findUpload,
  type Announced,
  type AnnouncedFile,
  type Upload,
} from './uploads.ts'
export { markCompleted as completeUpload } from './upload-store.ts'

/**
 * Keeps bytes for a project, unless it has them. Throws plan_limit_reached (409) where the plan
 * has no room, and file_too_large (413) past `bytes_max`.
 */
// oxlint-disable-next-line max-params -- an option beside who, where and what
export async function storeFile(
  runtime: Runtime,
  project: ProjectRow,
  source: FileSource,
  options: StoreOptions = {},
): Promise<StoredFile> {
  if (!(source instanceof Uint8Array)) return storeStream(runtime, project, { source, ...options })
  const { bytes_max = Infinity } = options
  if (source.length > bytes_max) throw fileTooLarge(bytes_max)
  const [file] = await storeFiles(runtime, project, [source])
  if (file === undefined) throw new FileGone([])
  return file
}

/** The stored files of these digests; what is not there is left out. */
export async function findFiles(
  runtime: Runtime,
  project_id: string,
  sha256s: readonly string[],
): Promise<StoredFile[]> {
  if (sha256s.length === 0) return []
  const rows = await collectUploads(runtime, project_id, digestsOf(sha256s))
  return [...rows.values()].map(presentFile)
}

/**
 * Counts one more use for each id given. The transaction holds the lock of the project, because
 * several that take files in other orders would wait for each other. Throws FileGone where a file
 * was swept meanwhile: then it has to be stored again.
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

/** Counts one use less for each id given, under the lock of the project. */
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

/** Which bytes of a file are meant: those stored, a compressed copy, or what is kept beside. */
export interface Which {
  encoding?: Encoding
  suffix?: string
  range?: ByteRange
}

function keyFor(project_id: string, id: string, { encoding, suffix }: Which): string {
  return keyOf({ project_id, id }, encoding === undefined ? suffix : suffixes[encoding])
}

/** Throws BlobMissing where there are no such bytes. */
// oxlint-disable-next-line max-params -- where it is, and which of its bytes
export function openFile(
  runtime: Runtime,
  project_id: string,
  id: string,
  which: Which = {},
): Promise<Readable> {
  return runtime.blobs.open(keyFor(project_id, id, which), which.range)
}

// oxlint-disable-next-line max-params -- where it is, and which of its bytes
export function readFile(
  runtime: Runtime,
  project_id: string,
  id: string,
  which: Which = {},
): Promise<Buffer> {
  return runtime.blobs.read(keyFor(project_id, id, which))
}

/** Keeps derived bytes beside a file, such as a smaller picture. They go with the file. */
export async function storeBeside(
  runtime: Runtime,
  place: { project_id: string; id: string; suffix: string },
  bytes: Uint8Array,
): Promise<void> {
  const noted = await runtime.db.transact((tx) => store.addBeside(tx, place, place.suffix))
  if (!noted) throw new FileGone([place.id])
  await runtime.blobs.put(keyOf(place, place.suffix), bytes)
}
