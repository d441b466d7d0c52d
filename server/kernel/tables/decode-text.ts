/** Decodes the bytes of a file: UTF-8, UTF-16 with a byte order mark, or Windows-1252. */
import { isAscii, isUtf8 } from 'node:buffer'
import { MalformedFile } from './malformed-file.ts'
import { advancePosition, startPosition, type TextPosition } from './text-position.ts'

/** Called with the encoding of a text that is not UTF-8. */
export type OnEncoding = (encoding: string) => void

/**
 * Decodes chunks of bytes. Yields all text before a fault, then throws. With `onWindows`, a text
 * whose first non-ASCII bytes are not UTF-8 is decoded as Windows-1252.
 */
export async function* textOf(
  bytes: AsyncIterable<Uint8Array>,
  onWindows?: OnEncoding,
): AsyncGenerator<string> {
  const position = startPosition()
  // TextDecoder removes the byte order mark.
  const utf8 = new TextDecoder()
  const windows = new TextDecoder('windows-1252')
  let rest: Buffer = Buffer.alloc(0)
  let is_ascii = onWindows !== undefined
  let is_windows = false
  const turn = (all: Buffer) => {
    if (!is_windows && (!is_ascii || !isWindows(all))) throw notUtf8(position)
    if (!is_windows) onWindows?.('windows-1252')
    is_windows = true
    return windows.decode(all)
  }
  for await (const piece of bytes) {
    const all = Buffer.concat([rest, piece])
    if (is_windows) {
      yield turn(all)
      continue
    }
    const whole = all.subarray(0, all.length - unfinishedBytes(all))
    const good = isUtf8(whole) ? whole : whole.subarray(0, goodBytes(whole))
    const text = utf8.decode(good, { stream: true })
    advancePosition(position, text)
    is_ascii &&= isAscii(good)
    yield text
    if (good.length < whole.length) yield turn(all.subarray(good.length))
    rest = is_windows ? Buffer.alloc(0) : all.subarray(whole.length)
  }
  if (rest.length > 0) yield turn(rest)
}

/** Returns false for valid UTF-8 sequences and unassigned bytes, which indicate a damaged file. */
function isWindows(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  const is_utf8 = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]/.test(text)
  return !is_utf8 && !/[\x81\x8d\x8f\x90\x9d]/.test(text)
}

/** Converts UTF-16 with a byte order mark, which Excel saves as "Unicode text", to UTF-8. */
export async function* utf8From(
  bytes: AsyncIterable<Uint8Array>,
  onUtf16: OnEncoding,
): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | null = null
  let head: Buffer | null = Buffer.alloc(0)
  for await (const piece of bytes) {
    head &&= Buffer.concat([head, piece])
    if (head && head.length < 2) continue
    if (head) {
      const mark = head.readUInt16BE(0)
      const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : null
      if (encoding) onUtf16(encoding)
      decoder = encoding ? new TextDecoder(encoding) : null
    }
    const chunk = head ?? piece
    head = null
    yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk
  }
  if (head) yield head
}

function notUtf8({ line, column }: TextPosition): MalformedFile {
  const message = 'The file is not UTF-8 text from here on. Save it as UTF-8.'
  return new MalformedFile(message, { line, column })
}

/** Returns the length of an incomplete character at the end of a chunk, in bytes. */
function unfinishedBytes(bytes: Buffer): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > count ? count : 0
  }
  return 0
}

/** Returns the number of bytes before the first invalid UTF-8 sequence. */
function goodBytes(bytes: Buffer): number {
  const end = (count: number) => count - unfinishedBytes(bytes.subarray(0, count))
  let [good, bad] = [0, bytes.length]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (isUtf8(bytes.subarray(0, end(middle)))) good = middle
    else bad = middle
  }
  return end(good)
}
