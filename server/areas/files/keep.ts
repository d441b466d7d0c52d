/**
 * Stores bytes, deduplicated by digest within a project. Inserts the row before the bytes, so that
 * the sweep finds remains of a crash, and the row counts against the plan quota, so that concurrent
 * requests cannot exceed it.
 */
import { createHash } from 'node:crypto'
import type { ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { plans, type Plan } from '../../contract/plans.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import * as projects from '../projects/service.ts'
import * as store from './store.ts'
import { markDeleted } from './sweep-store.ts'
import { FileGone, toBlobKey, presentFile, type StoredFile } from './stored.ts'
import { deleteFiles } from './sweep.ts'
import { formatSize } from '../../kernel/values/size.ts'

export type FileSource = Uint8Array | AsyncIterable<Uint8Array>

const PUTS_AT_ONCE = 8
/** Minimum interval between updates of `unused_since` of a file. */
const TOUCH_MS = 300_000

/**
 * Stores several buffers and returns the files in their order. Existing files are not counted
 * again.
 */
export async function storeFiles(
  runtime: Runtime,
  project: ProjectRow,
  contents: readonly Uint8Array[],
): Promise<StoredFile[]> {
  const wanted = new Map(contents.map((bytes) => [sha256(bytes).toString('hex'), bytes]))
  const digests = [...wanted.keys()].map((hex) => Buffer.from(hex, 'hex'))
  const known = await findStored(runtime, project.id, digests)
  const missing = [...wanted.keys()].filter((hex) => !known.has(hex))
  if (missing.length > 0) {
    const files = missing.map((hex) => ({ digest: hex, bytes: wanted.get(hex)?.length ?? 0 }))
    const rows = await runtime.db.transact((tx) => reserveFiles(runtime, tx, { project, files }))
    await forEachConcurrently(
      rows.filter((row) => row.stored_at === null),
      (row) => runtime.blobs.put(toBlobKey(row), wanted.get(hexOf(row)) ?? Buffer.alloc(0)),
    )
    await settle(runtime, project.id, rows)
    for (const [hex, row] of await findStored(runtime, project.id, rows.map(digestOf)))
      known.set(hex, row)
  }
  return contents.map((bytes) => {
    const row = known.get(sha256(bytes).toString('hex'))
    if (row === undefined) throw new FileGone([])
    return presentFile(row)
  })
}

function hexOf(row: store.FileRow): string {
  return digestOf(row).toString('hex')
}

function digestOf({ sha256: digest }: store.FileRow): Buffer {
  return digest ?? Buffer.alloc(0)
}

/** Processes items with limited concurrency. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: PUTS_AT_ONCE }, worker))
}

/** Returns the stored files by digest. Unused files among them are kept for another hour. */
export async function findStored(
  runtime: Runtime,
  project_id: string,
  digests: readonly Buffer[],
): Promise<Map<string, store.FileRow>> {
  const rows = await store.findByDigest(runtime.db, project_id, digests)
  const stored = rows.filter((row) => row.stored_at !== null)
  const late = runtime.clock.now_ms() - TOUCH_MS
  const ids = stored
    .filter(({ unused_since }) => unused_since !== null && unused_since.getTime() < late)
    .map(({ id }) => id)
  const now = runtime.clock.now()
  if (ids.length > 0) await runtime.db.transact((tx) => store.touch(tx, { project_id, ids, now }))
  return new Map(stored.map((row) => [hexOf(row), row]))
}

/** The digest and length of expected bytes. */
export interface ExpectedFile {
  digest: string
  bytes: number
}

interface Reserving {
  project: ProjectRow
  files: readonly ExpectedFile[]
}

/**
 * Returns a row for each digest, existing or new. Throws plan_limit_reached if the plan quota would
 * be exceeded.
 */
export async function reserveFiles(
  runtime: Runtime,
  tx: Transaction,
  { project, files }: Reserving,
): Promise<store.FileRow[]> {
  const project_id = project.id
  const { used, plan } = await lockQuota(tx, project_id)
  const now = runtime.clock.now()
  const digests = files.map(({ digest }) => Buffer.from(digest, 'hex'))
  const found = await store.findByDigest(tx, project_id, digests)
  await store.touch(tx, { project_id, ids: found.map(({ id }) => id), now })
  const byDigest = new Map(found.map((row) => [hexOf(row), row]))
  const fresh = files.filter(({ digest }) => !byDigest.has(digest))
  const changed = files.flatMap(({ digest, bytes }) => {
    const row = byDigest.get(digest)
    return row && row.stored_at === null && row.bytes !== BigInt(bytes) ? [{ row, bytes }] : []
  })
  const more =
    fresh.reduce((sum, { bytes }) => sum + bytes, 0) +
    changed.reduce((sum, { row, bytes }) => sum + bytes - Number(row.bytes), 0)
  requireQuota(plan, { used, more })
  await store.addUsage(tx, { project_id, bytes: more })
  for (const { row, bytes } of changed) await store.change(tx, row, { bytes: BigInt(bytes) })
  await store.insert(
    tx,
    fresh.map(({ digest, bytes }) => ({
      ...newRow(runtime, project_id),
      sha256: Buffer.from(digest, 'hex'),
      bytes: BigInt(bytes),
    })),
  )
  return store.findByDigest(tx, project_id, digests)
}

function newRow(runtime: Runtime, project_id: string) {
  const now = runtime.clock.now()
  return { project_id, id: newId(runtime.clock), bytes: 0n, unused_since: now, created_at: now }
}

/**
 * Locks the storage usage of a project, then reads its plan, which may have changed since the
 * request began.
 */
export async function lockQuota(
  tx: Transaction,
  project_id: string,
): Promise<{ used: number; plan: Plan }> {
  const used = await store.lockUsage(tx, project_id)
  const project = await projects.find(tx, project_id)
  if (!project) throw new Problem('project_deleted', 'The project was deleted.')
  return { used, plan: project.plan }
}

export function requireQuota(plan: Plan, { used, more }: { used: number; more: number }): void {
  const { files_bytes_max, title } = plans[plan]
  if (more <= 0 || used + more <= files_bytes_max) return
  throw new Problem(
    'plan_limit_reached',
    `The files of the project would have ${formatSize(used + more)}, but the plan ` +
      `${title} allows ${formatSize(files_bytes_max)}. Files that are no longer used count ` +
      'for up to an hour.',
    { status: 409 },
  )
}

/** Marks the files as stored. */
function settle(
  runtime: Runtime,
  project_id: string,
  rows: readonly store.FileRow[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const now = runtime.clock.now()
  return runtime.db.transact((tx) => store.markStored(tx, { project_id, ids, now }))
}

export interface StoreOptions {
  /** Throws 413 file_too_large for more bytes. */
  bytes_max?: number
  /** Size of a file that this one replaces; the quota check subtracts it. */
  replaced_bytes?: number
}

/** Stores a stream whose length and digest are known only at its end. */
export async function storeStream(
  runtime: Runtime,
  project: ProjectRow,
  {
    source,
    bytes_max = Infinity,
    replaced_bytes = 0,
  }: StoreOptions & { source: AsyncIterable<Uint8Array> },
): Promise<StoredFile> {
  const used = await store.readUsage(runtime.db, project.id)
  const row = { ...newRow(runtime, project.id), sha256: null }
  await runtime.db.transact((tx) => store.insert(tx, [row]))
  try {
    const meter = meterBytes(source, (bytes) => {
      if (bytes > bytes_max) throw fileTooLarge(bytes_max)
      requireQuota(project.plan, { used: used - replaced_bytes, more: bytes })
    })
    await runtime.blobs.put(toBlobKey(row), meter.bytes())
    const id = await runtime.db.transact((tx) =>
      setDigest(runtime, tx, { row, replaced_bytes, ...meter.end() }),
    )
    const [kept] = await store.findByIds(runtime.db, project.id, [id])
    if (kept === undefined) throw new FileGone([id])
    return presentFile(kept)
  } catch (error) {
    await deleteFiles(runtime, project.id, [row.id]).catch(() => {})
    // The sweep deleted the row before the bytes were complete, so it would not find them.
    if (error instanceof FileGone) await runtime.blobs.remove([toBlobKey(row)]).catch(() => {})
    throw error
  }
}

export function fileTooLarge(bytes_max: number, name = 'The file'): Problem {
  return new Problem(
    'file_too_large',
    `${name} is larger than the maximum of ${formatSize(bytes_max)}.`,
    { fields: { limit_bytes: bytes_max } },
  )
}

/**
 * Yields the bytes unchanged, and counts and hashes them. Calls `check` with the count after each
 * chunk.
 */
export function meterBytes(source: AsyncIterable<Uint8Array>, check: (bytes: number) => void) {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    async *bytes(): AsyncGenerator<Uint8Array> {
      for await (const chunk of source) {
        bytes += chunk.length
        check(bytes)
        hash.update(chunk)
        yield chunk
      }
    },
    end: () => ({ digest: hash.copy().digest(), bytes }),
  }
}

interface Digested {
  row: { id: string; project_id: string }
  digest: Buffer
  bytes: number
  replaced_bytes: number
}

/**
 * Sets the digest of a row, or deletes the row if the project already has the file. Returns the id
 * to use.
 */
async function setDigest(
  runtime: Runtime,
  tx: Transaction,
  { row, digest, bytes, replaced_bytes }: Digested,
): Promise<string> {
  const now = runtime.clock.now()
  const { project_id } = row
  const { used, plan } = await lockQuota(tx, project_id)
  const existing = await store.lockByDigest(tx, project_id, digest)
  if (existing?.stored_at) {
    await store.touch(tx, { project_id, ids: [existing.id], now })
    await markDeleted(tx, { project_id, ids: [row.id], now })
    return existing.id
  }
  const more = bytes - Number(existing?.bytes ?? 0n)
  requireQuota(plan, { used: used - replaced_bytes, more })
  // An announced upload of the same digest is obsolete, so its file is deleted.
  if (existing) await markDeleted(tx, { project_id, ids: [existing.id], now })
  await store.addUsage(tx, { project_id, bytes })
  const changes = { bytes: BigInt(bytes), sha256: digest, stored_at: now }
  if (!(await store.change(tx, row, changes))) throw new FileGone([row.id])
  return row.id
}
