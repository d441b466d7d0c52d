/**
 * Identifies an uploaded file, and stores an image without its camera metadata. It can run
 * repeatedly and concurrently; only the first result is stored.
 */
import type { ProjectRow } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as files from '../../files/service.ts'
import * as projects from '../../projects/service.ts'
import { inspectFile, type MediaFault, type FileSourceInRanges } from '../reader/reader-client.ts'
import type { FileInspection, Erasure } from '../reader/messages.ts'
import * as store from '../store.ts'

/** Identifies a file whose status is `processing`, and stores the result. */
export async function processFile(
  runtime: Runtime,
  project: ProjectRow,
  id: string,
): Promise<void> {
  const key = { project_id: project.id, id }
  const row = await store.find(runtime.db, key)
  if (row?.status !== 'processing') return
  const place = { project_id: project.id, id: row.file_id }
  const source: FileSourceInRanges = {
    project_id: project.id,
    bytes: Number(row.bytes),
    read: (range) => readRange(runtime, place, range),
  }
  const seen = await inspectFile(source, row.filename)
  const ending = 'kind' in seen ? await endingOf(runtime, { project, row, seen }) : failed(seen)
  await runtime.db.transact((tx) => conclude(tx, runtime, { row, ending }))
}

/** Reads a range of a stored file into memory. */
export async function readRange(
  runtime: Runtime,
  place: { project_id: string; id: string },
  range: { start: number; end: number },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await files.openFile(runtime, place.project_id, {
    id: place.id,
    range,
  }))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Ending {
  changes: Pick<store.MediaRow, 'status' | 'status_reason'> & Partial<store.MediaRow>
  /** The file to store from now on; null means the uploaded one. */
  file: files.StoredFile | null
}

function failed({ fault }: MediaFault): Ending {
  return { changes: { status: 'failed', status_reason: fault }, file: null }
}

interface Seen {
  project: ProjectRow
  row: store.MediaRow
  seen: FileInspection
}

async function endingOf(runtime: Runtime, { project, row, seen }: Seen): Promise<Ending> {
  const { kept, erasures, copies_fault, fault, blocked, ...about } = seen
  if (fault !== null) {
    const status = blocked ? 'blocked' : 'failed'
    return { changes: { ...about, status, status_reason: fault }, file: null }
  }
  try {
    const file =
      erasures.length > 0
        ? await keepErased(runtime, { project, row, erasures })
        : kept && (await files.storeFile(runtime, project, Buffer.from(kept)))
    const bytes = file && { bytes: BigInt(file.bytes), sha256: Buffer.from(file.sha256, 'hex') }
    return {
      changes: { ...about, ...bytes, status: 'ready', status_reason: copies_fault },
      file,
    }
  } catch (error) {
    if (!(error instanceof Problem && error.slug === 'plan_limit_reached')) throw error
    return failed({ fault: error.detail })
  }
}

/**
 * Stores a copy without the erased ranges. It replaces the uploaded file, so only one of them
 * counts against the storage.
 */
async function keepErased(
  runtime: Runtime,
  { project, row, erasures }: Omit<Seen, 'seen'> & Pick<FileInspection, 'erasures'>,
): Promise<files.StoredFile> {
  const sent = await files.openFile(runtime, project.id, { id: row.file_id })
  const bytes = Number(row.bytes)
  const source = eraseRanges(sent, erasures)
  return files.storeFileWithin(runtime, project, { source, replaced_bytes: bytes })
}

/** Stores the result unless another run was first. */
async function conclude(
  tx: Transaction,
  runtime: Runtime,
  { row, ending }: { row: store.MediaRow; ending: Ending },
): Promise<void> {
  const { project_id } = row
  await projects.lock(tx, project_id)
  const locked = await store.lock(tx, row)
  if (locked?.status !== 'processing') return
  const now = runtime.clock.now()
  const { changes, file } = ending
  if (file !== null) {
    await files.adoptFiles(tx, project_id, [file.id])
    await files.releaseFiles(tx, { project_id, now }, [locked.file_id])
  }
  const kept = file === null ? {} : { file_id: file.id }
  await store.change(tx, row, { ...changes, ...kept, updated_at: now })
}

/** Marks a file as failed after the last attempt to read it. */
export async function failFile(
  tx: Transaction,
  runtime: Runtime,
  key: store.MediaKey,
): Promise<void> {
  const row = await store.lock(tx, key)
  if (row?.status !== 'processing') return
  const changes = failed({ fault: 'It could not be read.' }).changes
  await store.change(tx, key, { ...changes, updated_at: runtime.clock.now() })
}

/** Yields the source with the given ranges overwritten. */
export async function* eraseRanges(
  source: AsyncIterable<Uint8Array>,
  erasures: readonly Erasure[],
): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of source) {
    const here = erasures.filter(({ start, end }) => start < at + chunk.length && end > at)
    yield here.length === 0 ? chunk : without(chunk, at, here)
    at += chunk.length
  }
}

function without(chunk: Uint8Array, at: number, erasures: readonly Erasure[]): Uint8Array {
  const copy = Buffer.from(chunk)
  for (const { start, end, text } of erasures) {
    const from = Math.max(start, at)
    const bytes = Buffer.alloc(Math.min(end, at + chunk.length) - from)
    bytes.write(text.slice(from - start), 'latin1')
    bytes.copy(copy, from - at)
  }
  return copy
}
