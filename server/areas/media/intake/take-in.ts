/**
 * How a file comes into the library. It is written down first, as `processing`, together with a
 * job; then it is read. Whoever sent it waits for that a little; the job goes on where a process
 * ended meanwhile.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ProjectRow } from '../../../contract/caller.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import * as files from '../../files/service.ts'
import * as projects from '../../projects/service.ts'
import { readLater } from '../jobs.ts'
import { read } from './reading.ts'
import type { MediaChange } from '../schema.ts'
import * as store from '../store.ts'
import { unknownMedia } from '../unknown.ts'

export interface Arrival {
  id: string
  file: files.StoredFile
  filename: string
  source: store.MediaRow['source']
  test: boolean
  says: Omit<MediaChange, 'filename'>
}

/** Maximum wait of a request for the reader, in ms; then the response shows `processing`. */
const PATIENCE_MS = 15_000
/** When the job looks after what the request began. */
const LOOK_AFTER_S = 90

interface Entry {
  project_id: string
  arrivals: readonly Arrival[]
  /** When the job begins; at once where no request reads them. */
  read_at: Date
}

/** Writes down what came. Throws FileGone where its bytes were swept meanwhile. */
export async function writeDown(tx: Transaction, runtime: Runtime, entry: Entry): Promise<void> {
  const { project_id, arrivals, read_at } = entry
  await projects.lock(tx, project_id)
  for (const arrival of arrivals) {
    if (!(await store.insert(tx, await newRow(tx, runtime, { project_id, arrival })))) continue
    if (arrival.source === 'upload')
      await completeUpload(tx, runtime, { project_id, id: arrival.id })
    await files.adoptFiles(tx, project_id, [arrival.file.id])
    const payload = { media_id: arrival.id }
    await enqueue(tx, runtime, readLater, { payload, project_id, run_at: read_at })
  }
}

/** Once: what was deleted meanwhile does not come back. */
async function completeUpload(
  tx: Transaction,
  runtime: Runtime,
  upload: store.MediaKey,
): Promise<void> {
  if (!(await files.completeUpload(tx, upload, runtime.clock.now()))) throw unknownMedia()
}

async function newRow(
  tx: Transaction,
  runtime: Runtime,
  { project_id, arrival }: { project_id: string; arrival: Arrival },
) {
  const { id, file, filename, source, test, says } = arrival
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
    // Bytes that are kept already may have come as others before.
    sent_sha256: (await store.findSentAs(tx, project_id, file.id)) ?? sha256,
    alt: says.alt || null,
    title: says.title || null,
    tags: says.tags ?? [],
    folder: says.folder ?? '',
    status: 'processing' as const,
    source,
    test,
    created_at: now,
    updated_at: now,
  }
}

/** Takes one file in and waits until it is known what it is, within reason. */
export async function takeIn(
  runtime: Runtime,
  project: ProjectRow,
  arrival: Arrival,
): Promise<void> {
  const read_at = new Date(runtime.clock.now_ms() + LOOK_AFTER_S * 1000)
  const entry = { project_id: project.id, arrivals: [arrival], read_at }
  await runtime.db.transact((tx) => writeDown(tx, runtime, entry))
  await waitUntilRead(runtime, project, arrival.id)
}

/** Reads that are under way in this process, which others may wait for as well. */
const under_way = new Map<string, Promise<void>>()

/** Waits until a file is read, but not for ever: the job reads it in any case. */
export async function waitUntilRead(
  runtime: Runtime,
  project: ProjectRow,
  id: string,
): Promise<void> {
  const reading =
    under_way.get(id) ??
    read(runtime, project, id)
      .catch((error: unknown) => {
        runtime.log.warn({ err: error, media_id: id }, 'a file is read later')
      })
      .finally(() => under_way.delete(id))
  under_way.set(id, reading)
  const patience = new AbortController()
  const { signal } = patience
  await Promise.race([reading, delay(PATIENCE_MS, null, { signal }).catch(() => null)])
  patience.abort()
}
