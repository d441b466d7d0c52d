/**
 * Creates compressed copies of files and stores them beside the original. Zlib works in the thread
 * pool, so the event loop stays free.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { Runtime } from '../../kernel/runtime.ts'
import * as store from './store.ts'
import {
  toBlobKey,
  presentFile,
  encodingSuffixes,
  type Encoding,
  type StoredFile,
} from './stored.ts'

/** Minimum size: a smaller file fits into one network packet uncompressed. */
const BYTES_MIN = 512
/** Maximum size: a larger text file is not part of a web page. */
const BYTES_MAX = 8 * 1_048_576
const FILES_AT_ONCE = 4
const BROTLI_QUALITY = 6
const GZIP_LEVEL = 6
const ZSTD_LEVEL = 6

const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
  zstd: (bytes: Buffer) =>
    promisify(zstdCompress)(bytes, {
      params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL },
    }),
} as const satisfies Record<Encoding, (bytes: Buffer) => Promise<Buffer>>

const encodings = ['br', 'gzip', 'zstd'] as const

/** Creates missing copies of the files. Returns the files with their encodings. */
export async function encodeFiles(
  runtime: Runtime,
  project_id: string,
  ids: readonly string[],
): Promise<StoredFile[]> {
  if (ids.length === 0) return []
  const rows = await store.findByIds(runtime.db, project_id, ids)
  const waiting = rows.filter(
    ({ encoded_at, bytes }) => encoded_at === null && bytes > BYTES_MIN && bytes <= BYTES_MAX,
  )
  if (waiting.length === 0) return rows.map(presentFile)
  const made = new Map<string, StoredFile['encodings']>()
  const worker = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      row.encodings = await encode(runtime, row)
      made.set(row.id, row.encodings)
    }
  }
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, worker))
  const now = runtime.clock.now()
  await runtime.db.transact((tx) => store.setEncodings(tx, { project_id, now }, made))
  return rows.map(presentFile)
}

/** Stores a copy only if it is smaller than the original. */
async function encode(runtime: Runtime, row: store.FileRow): Promise<StoredFile['encodings']> {
  const bytes = await runtime.blobs.read(toBlobKey(row))
  const sizes: StoredFile['encodings'] = {}
  await Promise.all(
    encodings.map(async (encoding) => {
      const copy = await compressors[encoding](bytes)
      if (copy.length >= bytes.length) return
      await runtime.blobs.put(toBlobKey(row, encodingSuffixes[encoding]), copy)
      sizes[encoding] = copy.length
    }),
  )
  return sizes
}
