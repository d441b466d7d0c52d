/**
 * Upload links: clients announce bytes by digest and length, and send them to a URL outside the
 * chat. Links are found by the hash of their token. With an S3 bucket, the URL belongs to the
 * bucket, and bytes are verified before they become a file.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { createTokenText } from '../../kernel/secrets/token-text.ts'
import { collectUploads, TOKEN_PREFIX } from './collect.ts'
import { fileTooLarge, reserveFiles, type ExpectedFile } from './keep.ts'
import { presentFile, toUploadKey, type StoredFile } from './stored.ts'
import type { FileRow } from './store.ts'
import * as store from './upload-store.ts'
import { formatSize } from '../../kernel/values/size.ts'

export type UploadPurpose = 'site' | 'media'

export interface AnnouncedFile {
  name: string
  /** In hexadecimal. */
  sha256: string
  bytes: number
  content_type: string
}

export interface Announced {
  upload_id: string
  name: string
  url: string
  method: 'PUT'
  headers: Record<string, string>
  expires_at: string
  status: 'needed' | 'already_there'
}

/**
 * Returns a link for each file in order; a file that the project already has needs no upload.
 * Announced bytes count against the plan quota until the links expire. Throws plan_limit_reached if
 * the quota would be exceeded.
 */
export async function announceUploads(
  caller: Caller,
  purpose: UploadPurpose,
  announced: readonly AnnouncedFile[],
): Promise<Announced[]> {
  const { runtime, project } = caller
  const wanted = expectedOf(announced, purpose)
  const now = runtime.clock.now()
  const expires_at = new Date(now.getTime() + limits.upload_link_lifetime_s * 1000)
  const links = announced.map((file) => ({
    file,
    id: newId(runtime.clock),
    token: createTokenText(TOKEN_PREFIX),
  }))
  const known = await runtime.db.transact(async (tx) => {
    const rows = await reserveFiles(runtime, tx, { project, files: wanted })
    const byDigest = new Map(rows.map((row) => [row.sha256?.toString('hex'), row]))
    requireSameLength(announced, byDigest)
    const links_rows = links.map(({ file, id, token }) => ({
      project_id: project.id,
      id,
      purpose,
      name: file.name,
      content_type: file.content_type,
      sha256: Buffer.from(file.sha256, 'hex'),
      bytes: BigInt(file.bytes),
      token_hash: sha256(token),
      test: caller.mode === 'test',
      expires_at,
      received_at: byDigest.get(file.sha256.toLowerCase())?.stored_at ? now : null,
      created_at: now,
    }))
    await store.insert(tx, links_rows)
    return byDigest
  })
  return Promise.all(
    links.map(async ({ file, id, token }) => {
      const is_there = known.get(file.sha256.toLowerCase())?.stored_at instanceof Date
      const own = { url: `${runtime.config.public_url}/uploads/${token}`, headers: headersOf(file) }
      const address = is_there
        ? own
        : await addressFor(runtime, { project_id: project.id, id, file, own })
      return {
        upload_id: id,
        name: file.name,
        ...address,
        method: 'PUT' as const,
        expires_at: expires_at.toISOString(),
        status: is_there ? ('already_there' as const) : ('needed' as const),
      }
    }),
  )
}

function headersOf({ content_type }: AnnouncedFile): Record<string, string> {
  return { 'Content-Type': content_type }
}

interface Address {
  url: string
  headers: Record<string, string>
}

interface Addressed {
  project_id: string
  id: string
  file: AnnouncedFile
  own: Address
}

async function addressFor(runtime: Runtime, { file, own, ...link }: Addressed): Promise<Address> {
  const { uploadLink } = runtime.blobs
  if (uploadLink === null) return own
  const { bytes, content_type } = file
  const expires_s = limits.upload_link_lifetime_s
  return uploadLink(toUploadKey(link), { bytes, content_type, expires_s })
}

/** Returns each digest once with its length. Throws if a digest has two lengths. */
function expectedOf(announced: readonly AnnouncedFile[], purpose: UploadPurpose): ExpectedFile[] {
  const lengths = new Map<string, number>()
  for (const [index, { name, sha256: hex, bytes }] of announced.entries()) {
    requireFits({ name, bytes }, purpose)
    const digest = hex.toLowerCase()
    if ((lengths.get(digest) ?? bytes) !== bytes)
      throw otherLength(index, 'does not match the bytes given for the same sha256')
    lengths.set(digest, bytes)
  }
  return [...lengths].map(([digest, bytes]) => ({ digest, bytes }))
}

function requireFits(
  { name, bytes }: Pick<AnnouncedFile, 'name' | 'bytes'>,
  purpose: UploadPurpose,
): void {
  if (purpose === 'media' && bytes > limits.media_file_bytes_max)
    throw fileTooLarge(limits.media_file_bytes_max, name)
  if (purpose === 'site' && bytes > limits.site_file_bytes_max)
    throw new Problem(
      'site_too_large',
      `${name} is larger than ${formatSize(limits.site_file_bytes_max)}, the maximum for a file of a site.`,
    )
}

function requireSameLength(
  announced: readonly AnnouncedFile[],
  known: ReadonlyMap<string | undefined, FileRow>,
): void {
  for (const [index, { sha256: hex, bytes }] of announced.entries()) {
    const row = known.get(hex.toLowerCase())
    if (row?.stored_at && Number(row.bytes) !== bytes)
      throw otherLength(index, `the file with this sha256 has ${row.bytes} bytes`)
  }
}

function otherLength(index: number, message: string): Problem {
  return new Problem('validation_failed', 'The length of a file does not fit its sha256.', {
    errors: [{ path: `/files/${index}/bytes`, message }],
  })
}

export interface Upload {
  id: string
  purpose: UploadPurpose
  name: string
  content_type: string
  sha256: string
  bytes: number
  test: boolean
  expires_at: Date
  /** Whether the file has been used; a link can be used once. */
  completed: boolean
  /** Null if no bytes have arrived. */
  file: StoredFile | null
}

/** Returns the upload of a link of the project, with its file; null if there is none. */
export async function findUpload(
  runtime: Runtime,
  project_id: string,
  upload_id: string,
): Promise<Upload | null> {
  const row = await store.find(runtime.db, project_id, upload_id)
  if (row === undefined) return null
  const file = (await collectUploads(runtime, project_id, [row.sha256])).get(
    row.sha256.toString('hex'),
  )
  const { id, purpose, name, content_type, test, expires_at } = row
  return {
    id,
    purpose,
    name,
    content_type,
    test,
    expires_at,
    completed: row.completed_at !== null,
    sha256: row.sha256.toString('hex'),
    bytes: Number(row.bytes),
    file: file ? presentFile(file) : null,
  }
}
