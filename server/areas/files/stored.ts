/** A stored file for other areas, and the keys of its blobs. */
import type { FileRow } from './store.ts'

export type Encoding = 'br' | 'gzip' | 'zstd'

export interface StoredFile {
  id: string
  /** In hexadecimal. */
  sha256: string
  bytes: number
  /** Size in bytes of each existing compressed copy. */
  encodings: { br?: number; gzip?: number; zstd?: number }
}

/** The file was unused for an hour and has been swept. */
export class FileGone extends Error {
  override readonly name = 'FileGone'

  constructor(ids: readonly string[]) {
    super(`Files are gone: ${ids.join(', ')}.`)
  }
}

export const encodingSuffixes = { br: 'br', gzip: 'gz', zstd: 'zst' } as const satisfies Record<
  Encoding,
  string
>

export interface FileName {
  project_id: string
  id: string
}

export function toBlobKey({ project_id, id }: FileName, suffix?: string): string {
  return suffix === undefined ? `${project_id}/${id}` : `${project_id}/${id}.${suffix}`
}

/** Returns the key of a direct upload before it is verified. */
export function toUploadKey({ project_id, id }: FileName): string {
  return `${project_id}/${id}.upload`
}

/** Returns all blob keys of a file. */
export function listBlobKeys(row: FileName & Pick<FileRow, 'beside'>): string[] {
  const beside = [...Object.values(encodingSuffixes), ...row.beside]
  return [toBlobKey(row), ...beside.map((suffix) => toBlobKey(row, suffix))]
}

export function presentFile({ id, sha256, bytes, encodings }: FileRow): StoredFile {
  return { id, sha256: sha256?.toString('hex') ?? '', bytes: Number(bytes), encodings }
}

/** Decodes hexadecimal digests; invalid ones are omitted. */
export function decodeDigests(sha256s: readonly string[]): Buffer[] {
  const texts = new Set(sha256s.map((text) => text.toLowerCase()))
  return [...texts]
    .filter((text) => /^[0-9a-f]{64}$/.test(text))
    .map((text) => Buffer.from(text, 'hex'))
}
