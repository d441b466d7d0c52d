/** Multipart uploads in an S3 bucket whose writer died: their parts are stored, but not listed. */
import type * as Library from '@aws-sdk/client-s3'

export interface Bucket {
  library: typeof Library
  client: Library.S3Client
  Bucket: string
}

export interface OldUploads {
  prefix: string
  /** Uploads that began before this time are aborted. */
  before: Date
}

/** Returns the number of aborted uploads. */
export async function abortUploads(bucket: Bucket, old: OldUploads): Promise<number> {
  const { library, client, Bucket } = bucket
  let count = 0
  for await (const { Key, UploadId } of listUploads(bucket, old)) {
    await client.send(new library.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    count += 1
  }
  return count
}

async function* listUploads(
  { library, client, Bucket }: Bucket,
  { prefix: Prefix, before }: OldUploads,
): AsyncGenerator<Library.MultipartUpload> {
  let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {}
  while (after !== null) {
    const command = new library.ListMultipartUploadsCommand({ Bucket, Prefix, ...after })
    const page: Library.ListMultipartUploadsCommandOutput = await client.send(command)
    for (const upload of page.Uploads ?? []) {
      if (upload.Initiated && upload.Initiated < before) yield upload
    }
    const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
    after = IsTruncated && KeyMarker ? { KeyMarker, UploadIdMarker } : null
  }
}
