/**
 * Receives and verifies uploads: while they arrive through this server, or in the bucket when the
 * file is first used. Verified uploads become files of the project.
 */
import { Problem } from '../../contract/errors.ts'
import { BlobMissing } from '../../kernel/blobs/faults.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isTokenText } from '../../kernel/secrets/token-text.ts'
import * as projects from '../projects/service.ts'
import { forEachConcurrently, findStored, lockQuota, meterBytes, requireQuota } from './keep.ts'
import * as files from './store.ts'
import { toBlobKey, toUploadKey } from './stored.ts'
import * as store from './upload-store.ts'

export const TOKEN_PREFIX = 'hm_upload_'

export interface SentBytes {
  bytes: AsyncIterable<Uint8Array>
  /** Request headers; null if absent. */
  content_length: number | null
}

export interface ReceivedUpload {
  upload_id: string
  name: string
  sha256: string
  bytes: number
  status: 'received'
}

/**
 * Receives the bytes of an upload link once. Discards an incomplete body or one that differs from
 * its announcement.
 */
export async function receiveUpload(
  runtime: Runtime,
  token: string,
  { bytes, content_length }: SentBytes,
): Promise<ReceivedUpload> {
  const upload = await findLink(runtime, token)
  if (content_length !== null && content_length !== Number(upload.bytes))
    throw wrong(`The request has ${content_length} bytes, and ${upload.bytes} were announced.`)
  await keepUpload(runtime, upload, bytes)
  return {
    upload_id: upload.id,
    name: upload.name,
    sha256: upload.sha256.toString('hex'),
    bytes: Number(upload.bytes),
    status: 'received',
  }
}

async function findLink(runtime: Runtime, token: string): Promise<store.UploadRow> {
  const upload = isTokenText(TOKEN_PREFIX, token)
    ? await store.findByToken(runtime.db, sha256(token))
    : undefined
  if (!upload || !(await projects.find(runtime.db, upload.project_id)))
    throw new Problem('not_found', 'This upload link does not exist. Request a new one.')
  if (upload.received_at) throw usedUp()
  if (upload.expires_at <= runtime.clock.now()) throw ended()
  return upload
}

function usedUp(): Problem {
  return new Problem('conflict', 'The file of this link was already uploaded.')
}

function ended(): Problem {
  return new Problem('upload_not_received', 'This upload link has expired. Request a new one.')
}

function wrong(message: string): Problem {
  const detail = `${message} Nothing was stored; the link can be used again.`
  return new Problem('validation_failed', detail, { errors: [{ path: '/bytes', message }] })
}

/** Moves verified bytes to the key of their file. */
async function keepUpload(
  runtime: Runtime,
  upload: store.UploadRow,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { project_id, sha256: digest } = upload
  const [row] = await files.findByDigest(runtime.db, project_id, [digest])
  if (row === undefined) throw ended()
  await runtime.blobs.put(toBlobKey(row), checked(upload, source))
  await settle(runtime, upload, row)
}

/** Yields the bytes unchanged. Throws if they differ from the announcement. */
async function* checked(
  { bytes, sha256: digest }: store.UploadRow,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const meter = meterBytes(source, (so_far) => {
    if (so_far > bytes) throw wrong(`More than the ${bytes} announced bytes were sent.`)
  })
  yield* meter.bytes()
  const end = meter.end()
  if (BigInt(end.bytes) !== bytes)
    throw wrong(`${end.bytes} bytes were sent, and ${bytes} were announced.`)
  if (!end.digest.equals(digest))
    throw wrong(
      `The bytes have the SHA-256 ${end.digest.toString('hex')}, which differs from ` +
        'the announced one.',
    )
}

async function settle(
  runtime: Runtime,
  upload: store.UploadRow,
  { id }: { id: string },
): Promise<void> {
  const { project_id, sha256: digest, bytes } = upload
  const now = runtime.clock.now()
  await runtime.db.transact(async (tx) => {
    const { used, plan } = await lockQuota(tx, project_id)
    const [row] = await files.findByDigest(tx, project_id, [digest])
    if (!row || (row.id !== id && !row.stored_at)) throw ended()
    if (!row.stored_at) {
      const more = Number(bytes - row.bytes)
      requireQuota(plan, { used, more })
      await files.addUsage(tx, { project_id, bytes: more })
      await files.change(tx, row, { bytes, stored_at: now, unused_since: now })
    }
    if (!(await store.markReceived(tx, upload, now))) throw usedUp()
  })
}

/**
 * Returns the stored files of these digests. With direct uploads to a bucket, first verifies and
 * stores the uploads that arrived there.
 */
export async function collectUploads(
  runtime: Runtime,
  project_id: string,
  digests: readonly Buffer[],
): Promise<Map<string, files.FileRow>> {
  const stored = await findStored(runtime, project_id, digests)
  const missing = digests.filter((digest) => !stored.has(digest.toString('hex')))
  if (runtime.blobs.uploadLink === null || missing.length === 0) return stored
  const links = await store.findOpen(runtime.db, project_id, missing)
  await forEachConcurrently(links, (link) => collect(runtime, link))
  // A concurrent request may have stored some of them since the first lookup.
  return findStored(runtime, project_id, digests)
}

/**
 * Stores the upload of a link as a file, or deletes it if it differs from its announcement. Does
 * nothing if nothing was uploaded.
 */
async function collect(runtime: Runtime, link: store.UploadRow): Promise<void> {
  const key = toUploadKey(link)
  if ((await runtime.blobs.size(key)) === null) return
  try {
    await keepUpload(runtime, link, await runtime.blobs.open(key))
  } catch (error) {
    // A concurrent request has moved the bytes.
    if (error instanceof BlobMissing) return
    if (!(error instanceof Problem) || error.slug === 'plan_limit_reached') throw error
  }
  await runtime.blobs.remove([key])
}
