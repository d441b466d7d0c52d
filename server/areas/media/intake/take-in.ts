/**
 * Adds a file to the library: stores it as `processing` together with a job, and starts to read it.
 * The request waits a limited time for the result; if its process dies, the job reads the file.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ProjectRow } from '../../../contract/caller.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import * as files from '../../files/service.ts'
import * as projects from '../../projects/service.ts'
import { readLater } from '../jobs.ts'
import { processFile } from './reading.ts'
import type { MediaChange } from '../schema.ts'
import * as store from '../store.ts'
import { createUnknownMediaProblem } from '../unknown.ts'

export interface ArrivedFile {
  id: string
  file: files.StoredFile
  filename: string
  source: store.MediaRow['source']
  test: boolean
  metadata: Omit<MediaChange, 'filename'>
}

/**
 * Maximum time in ms that a request waits for the file to be read; after that, the response shows
 * `processing`.
 */
const PATIENCE_MS = 15_000
/** Delay of the job that reads the file if the request did not finish. */
const LOOK_AFTER_S = 90

interface Entry {
  project_id: string
  arrivals: readonly ArrivedFile[]
  /** Time at which the job starts; now if no request reads the files. */
  read_at: Date
}

/** Inserts the rows and jobs of new files. Throws FileGone if their bytes were swept meanwhile. */
export async function insertWithJob(
  tx: Transaction,
  runtime: Runtime,
  entry: Entry,
): Promise<void> {
  const { project_id, arrivals, read_at } = entry
  await projects.lock(tx, project_id)
  for (const arrival of arrivals) {
    if (!(await store.insert(tx, await newRow(tx, runtime, { project_id, arrival })))) continue
    if (arrival.source === 'upload' || arrival.source === 'portal')
      await completeUpload(tx, runtime, { project_id, id: arrival.id })
    await files.adoptFiles(tx, project_id, [arrival.file.id])
    const payload = { media_id: arrival.id }
    await enqueue(tx, runtime, readLater, { payload, project_id, run_at: read_at })
  }
}

/**
 * Marks the upload as completed. Throws not_found if it already was, so a deleted file does not
 * reappear.
 */
async function completeUpload(
  tx: Transaction,
  runtime: Runtime,
  upload: store.MediaKey,
): Promise<void> {
  if (!(await files.completeUpload(tx, upload, runtime.clock.now())))
    throw createUnknownMediaProblem()
}

async function newRow(
  tx: Transaction,
  runtime: Runtime,
  { project_id, arrival }: { project_id: string; arrival: ArrivedFile },
) {
  const { id, file, filename, source, test, metadata } = arrival
  const now = runtime.clock.now()
  const sha256 = Buffer.from(file.sha256, 'hex')
  return {
    project_id,
    id,
    file_id: file.id,
    filename,
    kind: 'other' as const,
    content_type: 'application/octet-stream',
    bytes: BigInt(file.bytes),
    sha256,
    // Another row may have the same stored bytes from a different original, whose digest is kept.
    sent_sha256: (await store.findOriginalDigest(tx, project_id, file.id)) ?? sha256,
    alt: metadata.alt || null,
    title: metadata.title || null,
    tags: metadata.tags ?? [],
    folder: metadata.folder ?? '',
    status: 'processing' as const,
    source,
    test,
    created_at: now,
    updated_at: now,
  }
}

/** Adds one file and waits a limited time until it is read. */
export async function addFile(
  runtime: Runtime,
  project: ProjectRow,
  arrival: ArrivedFile,
): Promise<void> {
  const read_at = new Date(runtime.clock.now_ms() + LOOK_AFTER_S * 1000)
  const entry = { project_id: project.id, arrivals: [arrival], read_at }
  await runtime.db.transact((tx) => insertWithJob(tx, runtime, entry))
  await waitUntilRead(runtime, project, arrival.id)
}

/** Reads that are running in this process, by media id; concurrent requests share them. */
const under_way = new Map<string, Promise<void>>()

/** Waits until a file is read, at most PATIENCE_MS; the job reads it in any case. */
export async function waitUntilRead(
  runtime: Runtime,
  project: ProjectRow,
  id: string,
): Promise<void> {
  const reading =
    under_way.get(id) ??
    processFile(runtime, project, id)
      .catch((error: unknown) => {
        runtime.log.warn({ err: error, media_id: id }, 'a file could not be read; the job retries')
      })
      .finally(() => under_way.delete(id))
  under_way.set(id, reading)
  const patience = new AbortController()
  const { signal } = patience
  await Promise.race([reading, delay(PATIENCE_MS, null, { signal }).catch(() => null)])
  patience.abort()
}
