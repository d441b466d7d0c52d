/**
 * Bytes by key: on the disk of this machine, or in a store that speaks S3. It knows nothing of
 * projects and of what the bytes are; it keeps them whole or not at all, and gives them back.
 */
import type { BlobsConfig } from '../config/config-types.ts'
import type { Blobs } from './blobs-contract.ts'
import { openDisk } from './disk.ts'
import { openS3 } from './s3.ts'

export function openBlobs({ data_dir, blobs }: { data_dir: string; blobs: BlobsConfig }): Blobs {
  return blobs.address === 'disk' ? openDisk(data_dir) : openS3(blobs)
}
