/**
 * How a file comes into the library. It is written down first, as `processing`, together with a
 * job; then the reader says what it is, and a picture is kept without what its camera wrote into
 * it. Whoever sent it waits for that a little; a job goes on where a process ended meanwhile.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Transaction } from '../../kernel/database.ts'
import type { House } from '../../kernel/house.ts'
import { enqueue } from '../../kernel/jobs.ts'
import * as files from '../files/service.ts'
import * as projects from '../projects/service.ts'
import { readLater } from './jobs.ts'
import { look, type Fault, type Source } from './reader/ask.ts'
import type { Look } from './reader/messages.ts'
import type { MediaChange } from './schema.ts'
import * as store from './store.ts'

export interface Arrival {
  id: string
  file: files.StoredFile
  filename: string
  source: store.MediaRow['source']
  test: boolean
  says: Omit<MediaChange, 'filename'>
}

/** Whoever waits for the reader waits no longer than this, and then sees `processing`. */
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
export async function writeDown(tx: Transaction, house: House, entry: Entry): Promise<void> {
  const { project_id, arrivals, read_at } = entry
  await projects.lock(tx, project_id)
  for (const arrival of arrivals) {
    if (!(await store.insert(tx, await newRow(tx, house, { project_id, arrival })))) continue
    await files.adoptFiles(tx, project_id, [arrival.file.id])
    const payload = { media_id: arrival.id }
    await enqueue(tx, house, readLater, { payload, project_id, run_at: read_at })
  }
}

async function newRow(
  tx: Transaction,
  house: House,
  { project_id, arrival }: { project_id: string; arrival: Arrival },
) {
  const { id, file, filename, source, test, says } = arrival
  const now = house.clock.now()
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
export async function takeIn(house: House, project: ProjectRow, arrival: Arrival): Promise<void> {
  const read_at = new Date(house.clock.now_ms() + LOOK_AFTER_S * 1000)
  const entry = { project_id: project.id, arrivals: [arrival], read_at }
  await house.db.transact((tx) => writeDown(tx, house, entry))
  const patience = new AbortController()
  const { signal } = patience
  const reading = read(house, project, arrival.id).catch((error: unknown) => {
    house.log.warn({ err: error, media_id: arrival.id }, 'a file is read later')
  })
  await Promise.race([reading, delay(PATIENCE_MS, null, { signal }).catch(() => null)])
  patience.abort()
}

/** Finds out what a file is, unless that is known. May be done again at any moment. */
export async function read(house: House, project: ProjectRow, id: string): Promise<void> {
  const key = { project_id: project.id, id }
  const row = await store.find(house.db, key)
  if (row?.status !== 'processing') return
  const place = { project_id: project.id, id: row.file_id }
  const source: Source = {
    bytes: Number(row.bytes),
    read: (range) => gather(house, place, range),
  }
  const seen = await look(source, row.filename)
  const ending = 'kind' in seen ? await endingOf(house, project, seen) : failed(seen)
  await house.db.transact((tx) => conclude(tx, house, { row, ending }))
}

/** A piece of a stored file. */
export async function gather(
  house: House,
  place: { project_id: string; id: string },
  range: { start: number; end: number },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await files.openFile(house, place.project_id, place.id, { range }))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Ending {
  changes: Pick<store.MediaRow, 'status' | 'status_reason'> & Partial<store.MediaRow>
  /** What is kept from now on; null: what was sent. */
  file: files.StoredFile | null
}

function failed({ fault }: Fault): Ending {
  return { changes: { status: 'failed', status_reason: fault }, file: null }
}

async function endingOf(house: House, project: ProjectRow, seen: Look): Promise<Ending> {
  const { kept, fault, blocked, ...about } = seen
  if (fault !== null) {
    const status = blocked ? 'blocked' : 'failed'
    return { changes: { ...about, status, status_reason: fault }, file: null }
  }
  try {
    const file = kept === null ? null : await files.storeFile(house, project, Buffer.from(kept))
    const bytes = file && { bytes: BigInt(file.bytes), sha256: Buffer.from(file.sha256, 'hex') }
    return {
      changes: { ...about, ...bytes, status: 'ready', status_reason: null },
      file,
    }
  } catch (error) {
    if (!(error instanceof Problem && error.slug === 'plan_limit_reached')) throw error
    return failed({ fault: error.detail })
  }
}

/** Only the first that knows it says so. */
async function conclude(
  tx: Transaction,
  house: House,
  { row, ending }: { row: store.MediaRow; ending: Ending },
): Promise<void> {
  const { project_id } = row
  await projects.lock(tx, project_id)
  const locked = await store.lock(tx, row)
  if (locked?.status !== 'processing') return
  const now = house.clock.now()
  const { changes, file } = ending
  if (file !== null) {
    await files.adoptFiles(tx, project_id, [file.id])
    await files.releaseFiles(tx, { project_id, now }, [locked.file_id])
  }
  const kept = file === null ? {} : { file_id: file.id }
  await store.change(tx, row, { ...changes, ...kept, updated_at: now })
}

/** What could not be read however often it was tried. */
export async function giveUp(tx: Transaction, house: House, key: store.MediaKey): Promise<void> {
  const row = await store.lock(tx, key)
  if (row?.status !== 'processing') return
  const changes = failed({ fault: 'It could not be read.' }).changes
  await store.change(tx, key, { ...changes, updated_at: house.clock.now() })
}
