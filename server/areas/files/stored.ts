/** A stored file as other areas see it, and where its bytes are. */
import type { FileRow } from './store.ts'

export type Encoding = 'br' | 'gzip' | 'zstd'

export interface StoredFile {
  id: string
  /** Hexadecimal. */
  sha256: string
  bytes: number
  /** How many bytes each compressed copy has, where there is one. */
  encodings: { br?: number; gzip?: number; zstd?: number }
}

/** A file is not there any more: it was unused for long and has been swept. */
export class FileGone extends Error {
  override readonly name = 'FileGone'

  constructor(ids: readonly string[]) {
    super(`Files are gone: ${ids.join(', ')}.`)
  }
}

export const suffixes = { br: 'br', gzip: 'gz', zstd: 'zst' } as const satisfies Record<
  Encoding,
  string
>

export interface FileName {
  project_id: string
  id: string
}

export function keyOf({ project_id, id }: FileName, suffix?: string): string {
  return suffix === undefined ? `${project_id}/${id}` : `${project_id}/${id}.${suffix}`
}

/** Where the store itself takes what is sent to a link, until it is checked. */
export function uploadKey({ project_id, id }: FileName): string {
  return `${project_id}/${id}.upload`
}

/** Everything that is kept for a file. */
export function keysOf(row: FileName & Pick<FileRow, 'beside'>): string[] {
  const beside = [...Object.values(suffixes), ...row.beside]
  return [keyOf(row), ...beside.map((suffix) => keyOf(row, suffix))]
}

export function presentFile({ id, sha256, bytes, encodings }: FileRow): StoredFile {
  return { id, sha256: sha256?.toString('hex') ?? '', bytes: Number(bytes), encodings }
}

/** Digests as they are kept; what is none is left out. */
export function digestsOf(sha256s: readonly string[]): Buffer[] {
  const texts = new Set(sha256s.map((text) => text.toLowerCase()))
  return [...texts]
    .filter((text) => /^[0-9a-f]{64}$/.test(text))
    .map((text) => Buffer.from(text, 'hex'))
}
