/** The interface of both blob stores: `disk.ts` and `s3.ts`. */
import type { Readable } from 'node:stream'

export type BlobSource = Uint8Array | AsyncIterable<Uint8Array>

/** Offsets of the first and the last byte, both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

export interface UploadedFile {
  bytes: number
  content_type: string
  expires_s: number
}

export interface Blobs {
  /**
   * Stores a blob atomically: it is durable when the promise resolves. Replaces an existing blob.
   * If the source throws, nothing is stored and the error is rethrown.
   */
  put(key: string, source: BlobSource): Promise<void>
  /** Throws BlobMissing if the key does not exist. */
  open(key: string, range?: ByteRange): Promise<Readable>
  read(key: string): Promise<Buffer>
  /** Null if the key does not exist. */
  size(key: string): Promise<number | null>
  /** Ignores missing keys. */
  remove(keys: readonly string[]): Promise<void>
  /** Removes every blob whose key begins with `folder` and a slash. Ignores a missing folder. */
  removeFolder(folder: string): Promise<void>
  /** The keys with this prefix, with their sizes. */
  list(prefix: string): AsyncIterable<{ key: string; bytes: number }>
  /**
   * Removes the parts of uploads with this prefix that began before a time and never ended. Returns
   * their number. The disk removes its own at the next write.
   */
  abortUploads(prefix: string, before: Date): Promise<number>
  /** Creates a presigned URL for a PUT to the store; null if uploads go through this server. */
  uploadLink:
    | ((
        key: string,
        file: UploadedFile,
      ) => Promise<{ url: string; headers: Record<string, string> }>)
    | null
  close(): Promise<void>
}
