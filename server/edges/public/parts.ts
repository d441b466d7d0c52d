/**
 * The parts of a form in multipart/form-data, in their order, each as the bytes that were sent. A
 * field comes like a file, so that nobody has decoded its text in an encoding that was guessed.
 */
import type { IncomingMessage } from 'node:http'
import { finished, Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'

export interface Part {
  name: string | undefined
  filename: string | undefined
  is_file: boolean
  bytes: AsyncIterable<Uint8Array>
}

/** What the parser says of a part; a header may leave out either name. */
type FileEvent = [
  name: string | undefined,
  bytes: BusboyFileStream,
  filename: string | undefined,
  encoding: string,
  type: string,
]

const HEADERS_OF_PART_MAX = 20

/** A part has to be read before the next one comes; ends with what is wrong with the form. */
export function partsOf(
  request: IncomingMessage,
  { parts_max, tooMany }: { parts_max: number; tooMany: () => Error },
): AsyncIterator<Part> {
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
    // The parser only says so to whoever listens; whoever reads later has to be told as well.
    bytes.on('error', (error) => bytes.destroy(error))
    const is_file = filename !== undefined || type === 'application/octet-stream'
    parts.push({ name, filename, is_file, bytes } satisfies Part)
  })
  parser.on('partsLimit', () => end(tooMany()))
  parser.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  parser.on('finish', () => parts.push(null))
  finished(request, { writable: false }, (error) => error && end(error))
  // Whoever never asks for the next part is not to bring the process down with its error.
  parts.on('error', () => {})
  request.pipe(parser)
  return parts[Symbol.asyncIterator]()
}
