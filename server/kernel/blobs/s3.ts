/**
 * Blobs in an S3 bucket. Small blobs are sent as one object, larger ones as a multipart upload: a
 * stream of unknown length is never buffered whole, and an aborted upload leaves nothing. The S3
 * client is imported at its first use.
 */
import { Readable } from 'node:stream'
import { loadInTurns, requiredFrom } from '../process/load-in-turns.ts'
import type { BlobsConfig } from '../config/config-types.ts'
import { readS3Address } from '../config/storage-addresses.ts'
import type { Blobs, BlobSource, UploadedFile } from './blobs-contract.ts'
import { BlobMissing, BlobsUnavailable, checkKey } from './faults.ts'
import { abortUploads, type Bucket } from './s3-uploads.ts'

/** S3 requires parts of at least 5 MB, except the last. */
const PART_BYTES = 8 * 1_048_576
const REMOVED_AT_ONCE = 1000
const ATTEMPTS_MAX = 3
const CONNECT_MS_MAX = 5000
const SILENCE_MS_MAX = 30_000

/** The origins that upload links can have in addition to that of the server. */
export function uploadOrigins(address: string): string[] {
  const place = readS3Address(address)
  if (place === null) return []
  const { bucket, endpoint, region } = place
  if (endpoint !== null) return [new URL(endpoint).origin]
  const host = `s3.${region}.amazonaws.com`
  return [`https://${bucket}.${host}`, `https://${host}`]
}

export function openS3(config: BlobsConfig): Blobs {
  let opened: Promise<Bucket> | null = null
  const bucket = () => (opened ??= openBucket(config))
  return {
    put: async (key, source) => put(await bucket(), checked(key), source),
    async open(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const body = await get(await bucket(), checked(key), Range)
      return body instanceof Readable ? body : Readable.from(body)
    },
    async read(key) {
      const body = await get(await bucket(), checked(key))
      return Buffer.concat(await reading(() => Array.fromAsync(body)))
    },
    size: async (key) => sizeOf(await bucket(), checked(key)),
    remove: async (keys) => remove(await bucket(), keys.map(checked)),
    async removeFolder(folder) {
      const place = await bucket()
      let keys: string[] = []
      for await (const { key } of list(place, `${checked(folder)}/`)) {
        keys.push(key)
        if (keys.length < REMOVED_AT_ONCE) continue
        await remove(place, keys)
        keys = []
      }
      await remove(place, keys)
    },
    async *list(prefix) {
      yield* list(await bucket(), prefix)
    },
    async abortUploads(prefix, before) {
      const place = await bucket()
      return asAway('remove', () => abortUploads(place, { prefix, before }))
    },
    uploadLink: async (key, file) => uploadLink(await bucket(), checked(key), file),
    async close() {
      if (opened) (await opened).client.destroy()
    },
  }
}

function checked(key: string): string {
  checkKey(key)
  return key
}

async function openBucket({ address, access_key, secret_key }: BlobsConfig): Promise<Bucket> {
  const parts = ['@smithy/core/client', '@smithy/core/retry', '@aws-sdk/core/client']
  await loadInTurns(requiredFrom(import.meta.resolve('@aws-sdk/client-s3'), parts))
  const library = await import('@aws-sdk/client-s3')
  const { bucket = '', endpoint = null, region = '' } = readS3Address(address) ?? {}
  const client = new library.S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId: access_key, secretAccessKey: secret_key },
    maxAttempts: ATTEMPTS_MAX,
    requestHandler: { connectionTimeout: CONNECT_MS_MAX, socketTimeout: SILENCE_MS_MAX },
    // Some S3-compatible stores do not support the checksums that the client sends by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { library, client, Bucket: bucket }
}

async function put(bucket: Bucket, Key: string, source: BlobSource): Promise<void> {
  const parts = source instanceof Uint8Array ? [source].values() : partsOf(source)
  const first = (await parts.next()).value ?? Buffer.alloc(0)
  const second = await parts.next()
  const { library, client, Bucket } = bucket
  if (!second.done)
    return await putInParts(bucket, { Key, parts: joined([first, second.value], parts) })
  await asAway('keep', () =>
    client.send(new library.PutObjectCommand({ Bucket, Key, Body: first })),
  )
}

async function* joined(
  begun: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array> | Iterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* begun
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** Splits a stream into parts of at least PART_BYTES; the last may be shorter. */
async function* partsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes < PART_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}

async function putInParts(
  { library, client, Bucket }: Bucket,
  { Key, parts }: { Key: string; parts: AsyncIterable<Uint8Array> },
): Promise<void> {
  const begin = new library.CreateMultipartUploadCommand({ Bucket, Key })
  const { UploadId } = await asAway('keep', () => client.send(begin))
  const Parts: { PartNumber: number; ETag: string | undefined }[] = []
  try {
    for await (const Body of parts) {
      const PartNumber = Parts.length + 1
      const part = new library.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body })
      const { ETag } = await asAway('keep', () => client.send(part))
      Parts.push({ PartNumber, ETag })
    }
    const end = { Bucket, Key, UploadId, MultipartUpload: { Parts } }
    await asAway('keep', () => client.send(new library.CompleteMultipartUploadCommand(end)))
  } catch (error) {
    const abort = new library.AbortMultipartUploadCommand({ Bucket, Key, UploadId })
    await client.send(abort).catch(() => {})
    throw error
  }
}

async function get(
  { library, client, Bucket }: Bucket,
  Key: string,
  Range?: string,
): Promise<AsyncIterable<Uint8Array>> {
  const command = new library.GetObjectCommand({ Bucket, Key, Range })
  try {
    const { Body } = await client.send(command)
    if (Body instanceof Readable) return Body
    return Readable.from([])
  } catch (error) {
    throw isMissing(error) ? new BlobMissing(Key, { cause: error }) : away('give', error)
  }
}

async function sizeOf({ library, client, Bucket }: Bucket, Key: string): Promise<number | null> {
  try {
    const { ContentLength } = await client.send(new library.HeadObjectCommand({ Bucket, Key }))
    return ContentLength ?? 0
  } catch (error) {
    if (isMissing(error)) return null
    throw away('give', error)
  }
}

async function remove({ library, client, Bucket }: Bucket, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += REMOVED_AT_ONCE) {
    const Objects = keys.slice(at, at + REMOVED_AT_ONCE).map((Key) => ({ Key }))
    const command = new library.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })
    const { Errors = [] } = await asAway('remove', () => client.send(command))
    if (Errors.length > 0)
      throw new BlobsUnavailable(`S3 does not remove files: ${Errors[0]?.Message}`)
  }
}

async function* list(
  { library, client, Bucket }: Bucket,
  Prefix: string,
): AsyncGenerator<{ key: string; bytes: number }> {
  let ContinuationToken: string | undefined
  do {
    const command = new library.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken })
    const page = await asAway('list', () => client.send(command))
    for (const { Key, Size } of page.Contents ?? []) if (Key) yield { key: Key, bytes: Size ?? 0 }
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken)
}

/** The link is signed with length and type, so the store rejects other uploads. */
async function uploadLink(
  { library, client, Bucket }: Bucket,
  Key: string,
  { bytes, content_type, expires_s }: UploadedFile,
): Promise<{ url: string; headers: Record<string, string> }> {
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const command = new library.PutObjectCommand({
    Bucket,
    Key,
    ContentLength: bytes,
    ContentType: content_type,
  })
  const url = await getSignedUrl(client, command, {
    expiresIn: expires_s,
    signableHeaders: new Set(['content-length', 'content-type']),
  })
  return { url, headers: { 'Content-Type': content_type } }
}

async function reading<T>(work: () => Promise<T>): Promise<T> {
  return asAway('give', work)
}

async function asAway<T>(verb: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw away(verb, error)
  }
}

function away(verb: string, error: unknown): BlobsUnavailable {
  const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return new BlobsUnavailable(`S3 does not ${verb} files: ${why}`, { cause: error })
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name)
}
