/**
 * Parts of multipart/form-data in their order, as bytes. Fields are delivered like files, so that
 * the parser does not guess their charset.
 */
import type { IncomingMessage } from 'node:http'
import { finished, Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'

export interface MultipartPart {
  name: string | undefined
  filename: string | undefined
  is_file: boolean
  bytes: AsyncIterable<Uint8Array>
}

/** Arguments of the parser's file event; either name may be missing. */
type FileEvent = [
  name: string | undefined,
  bytes: BusboyFileStream,
  filename: string | undefined,
  encoding: string,
  type: string,
]

const HEADERS_OF_PART_MAX = 20

/**
 * Iterates over the parts. Each part must be consumed before the next; a malformed form ends with
 * an error.
 */
export function partsOf(
  request: IncomingMessage,
  { parts_max, tooMany }: { parts_max: number; tooMany: () => Error },
): AsyncIterator<MultipartPart> {
  const parser = new Busboy({
    headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
    limits: { parts: parts_max, headerPairs: HEADERS_OF_PART_MAX },
    isPartAFile: () => true,
  })
  const parts = new Readable({ objectMode: true, read() {} })
  let last: BusboyFileStream | null = null
  const end = (error: Error) => {
    last?.destroy(error)
    parts.destroy(error)
  }
  parser.on('file', (...[name, bytes, filename, , type]: FileEvent) => {
    last = bytes
    // The parser emits the error once; destroying the stream passes it to later readers.
    bytes.on('error', (error) => bytes.destroy(error))
    const is_file = filename !== undefined || type === 'application/octet-stream'
    parts.push({ name, filename, is_file, bytes } satisfies MultipartPart)
  })
  parser.on('partsLimit', () => end(tooMany()))
  parser.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  parser.on('finish', () => parts.push(null))
  finished(request, { writable: false }, (error) => error && end(error))
  // Without a listener, an unread error would crash the process.
  parts.on('error', () => {})
  request.pipe(parser)
  return parts[Symbol.asyncIterator]()
}
