/** The interface that both stores of bytes implement: `disk.ts` and `s3.ts`. */
import type { Readable } from 'node:stream'

export type BlobSource = Uint8Array | AsyncIterable<Uint8Array>

/** Where bytes begin and end, both included. */
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
   * Keeps bytes under a key, whole or not at all; they are safe when it resolves. Putting the same
   * again is harmless. When the source throws, nothing is kept and the error passes on.
   */
  put(key: string, source: BlobSource): Promise<void>
  /** Throws BlobMissing. */
  open(key: string, range?: ByteRange): Promise<Readable>
  read(key: string): Promise<Buffer>
  /** null: there is nothing. */
  size(key: string): Promise<number | null>
  /** What is not there is no fault. */
  remove(keys: readonly string[]): Promise<void>
  /** Keys that begin with a text, each with its size. */
  list(prefix: string): AsyncIterable<{ key: string; bytes: number }>
  /** A link of the store itself that takes a PUT; null where bytes come to us. */
  uploadLink:
    | ((
        key: string,
        file: UploadedFile,
      ) => Promise<{ url: string; headers: Record<string, string> }>)
    | null
  close(): Promise<void>
}
