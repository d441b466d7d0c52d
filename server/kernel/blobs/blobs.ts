/**
 * Opens the blob store: the disk of this machine or an S3 bucket. It knows no projects and no
 * content types, and writes are atomic.
 */
import { join } from 'node:path'
import type { BlobsConfig } from '../config/config-types.ts'
import type { Blobs } from './blobs-contract.ts'
import { openDisk } from './disk.ts'
import { openS3 } from './s3.ts'

/** Slow sources need hours. */
const UNFINISHED_MS_MAX = 6 * 3_600_000

export function openBlobs({ data_dir, blobs }: { data_dir: string; blobs: BlobsConfig }): Blobs {
  return blobs.address === 'disk'
    ? openDisk(join(data_dir, 'blobs'), UNFINISHED_MS_MAX)
    : openS3(blobs)
}
