/** What can go wrong with a store of bytes, and which texts can be keys of one. */
import assert from 'node:assert/strict'

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing'

  constructor(key: string, options?: ErrorOptions) {
    super(`There are no bytes under the key ${key}.`, options)
  }
}

/** The store cannot keep or give bytes now: the disk is full or broken, or S3 does not answer. */
export class BlobsAway extends Error {
  override readonly name = 'BlobsAway'
}

const keyPattern = /^[a-z0-9][a-z0-9./_-]*$/

/** Keys are ours, so one that leads elsewhere is a fault of the code. */
export function checkKey(key: string): void {
  const segments = key.split('/')
  const leads_elsewhere = segments.some((part) => part === '' || part === '.' || part === '..')
  assert(keyPattern.test(key) && !leads_elsewhere && key.length <= 512, `Not a key: ${key}`)
}
