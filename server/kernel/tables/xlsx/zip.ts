/**
 * Reads ZIP archives by their directory. Decompresses in chunks and stops at a limit, whatever
 * sizes the archive declares. fflate writes archives.
 */
import { crc32, createInflateRaw } from 'node:zlib'
import { Readable } from 'node:stream'
import { createPause } from '../../limits/slices.ts'
import { MalformedFile } from '../malformed-file.ts'
import { formatSize } from '../../values/size.ts'

interface Entry {
  name: string
  method: number
  packed_bytes: number
  offset: number
  /** CRC-32 of the content. */
  crc: number
}

const END_SIGN = 0x06054b50
const ENTRY_SIGN = 0x02014b50
const LOCAL_SIGN = 0x04034b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const COMMENT_BYTES_MAX = 65_535
const ENTRIES_MAX = 10_000

export interface Archive {
  has(name: string): boolean
  /** Yields the content of a file; throws if it exceeds the limit. */
  read(name: string, bytes_max: number): AsyncIterable<Uint8Array>
}

export function openArchive(bytes: Buffer): Archive {
  const entries = new Map(entriesOf(bytes).map((entry) => [keyOf(entry.name), entry]))
  return {
    has: (name) => entries.has(keyOf(name)),
    read(name, bytes_max) {
      const entry = entries.get(keyOf(name))
      if (!entry) throw workbookError(`It has no part ${name}.`)
      return bounded(unpacked(bytes, entry), { ...entry, name }, bytes_max)
    },
  }
}

/** Names of parts are equal without case (ECMA-376); some programs write backslashes. */
function keyOf(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()
}

function entriesOf(bytes: Buffer): Entry[] {
  const end = endOf(bytes)
  const count = bytes.readUInt16LE(end + 10)
  if (count > ENTRIES_MAX) throw workbookError('It has too many parts.')
  let at = bytes.readUInt32LE(end + 16)
  const entries: Entry[] = []
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY_SIGN)
      throw workbookError('Its directory is damaged.')
    const name_bytes = bytes.readUInt16LE(at + 28)
    const behind = at + ENTRY_BYTES + name_bytes
    entries.push({
      name: bytes.toString('utf8', at + ENTRY_BYTES, behind),
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed_bytes: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    })
    at = behind + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

/** Finds the end record, which a comment of variable length follows. */
function endOf(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_BYTES - COMMENT_BYTES_MAX)
  for (let at = bytes.length - END_BYTES; at >= first; at -= 1)
    if (bytes.readUInt32LE(at) === END_SIGN) return at
  throw workbookError('It is no ZIP archive, which every .xlsx file is.')
}

function unpacked(bytes: Buffer, { method, packed_bytes, offset }: Entry): Readable {
  if (offset + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(offset) !== LOCAL_SIGN)
    throw workbookError('A part of it is not where its directory says.')
  const start =
    offset + LOCAL_BYTES + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  const packed = Readable.from([bytes.subarray(start, start + packed_bytes)])
  if (method === 0) return Readable.from(slices(bytes.subarray(start, start + packed_bytes)))
  if (method === 8) return packed.pipe(createInflateRaw())
  throw workbookError('It is packed in a way that is not read, or has a password.')
}

/** The chunk size of zlib. */
const PIECE_BYTES = 16_384

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

async function* bounded(
  content: Readable,
  { name, crc }: Pick<Entry, 'name' | 'crc'>,
  bytes_max: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let found = 0
  const pause = createPause()
  try {
    for await (const piece of content) {
      if (!(piece instanceof Uint8Array)) continue
      bytes += piece.length
      if (bytes > bytes_max)
        throw workbookError(
          `Its part ${name} is larger than ${formatSize(bytes_max)} when it is unpacked.`,
        )
      found = crc32(piece, found)
      yield piece
      await pause()
    }
    if (found !== crc) throw workbookError(`Its part ${name} is damaged.`)
  } catch (error) {
    if (error instanceof MalformedFile) throw error
    throw workbookError(`Its part ${name} is damaged.`)
  } finally {
    content.destroy()
  }
}

export function workbookError(message: string): MalformedFile {
  return new MalformedFile(`The workbook cannot be read. ${message}`, { line: 1 })
}
