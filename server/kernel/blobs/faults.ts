/** Errors of the blob stores, and validation of keys. */
import assert from 'node:assert/strict'

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing'

  constructor(key: string, options?: ErrorOptions) {
    super(`There are no bytes under the key ${key}.`, options)
  }
}

/**
 * The store cannot read or write at the moment: the disk is full or broken, or S3 does not reply.
 */
export class BlobsUnavailable extends Error {
  override readonly name = 'BlobsAway'
}

const keyPattern = /^[a-z0-9][a-z0-9./_-]*$/

/** Rejects path traversal. Keys are made by the server, so an invalid one is a bug. */
export function checkKey(key: string): void {
  const segments = key.split('/')
  const leads_elsewhere = segments.some((part) => part === '' || part === '.' || part === '..')
  assert(keyPattern.test(key) && !leads_elsewhere && key.length <= 512, `Not a key: ${key}`)
}
