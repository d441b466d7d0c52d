/** What the formats of files have in common: lines that are read, and files that cannot be. */
import { isUtf8 } from 'node:buffer'
import { advance, beginning, type Position } from './lines.ts'
import type { FlatRecord } from './record.ts'

/** A line of a file, counted from 1 as an editor does; in a workbook a row. */
export type Line =
  | { line: number; record: FlatRecord }
  | { line: number; faults: readonly { path: string; message: string }[] }

/** The file is broken in a way that nothing after this place can be read. */
export class MalformedFile extends Error {
  override readonly name = 'MalformedFile'
  readonly line: number
  readonly column: number | null

  constructor(message: string, { line, column = null }: { line: number; column?: number | null }) {
    super(message)
    this.line = line
    this.column = column
  }
}

/** The text of bytes that come in pieces. What comes before a fault is given before it is told. */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const position = beginning()
  // The mark at the beginning, which says that it is UTF-8, is left out.
  const decoder = new TextDecoder()
  let rest = Buffer.alloc(0)
  for await (const piece of bytes) {
    const all = Buffer.concat([rest, piece])
    const whole = all.subarray(0, all.length - unfinishedBytes(all))
    const good = isUtf8(whole) ? whole : whole.subarray(0, goodBytes(whole))
    advance(position, good)
    yield decoder.decode(good, { stream: true })
    if (good.length < whole.length) throw notUtf8(position)
    rest = all.subarray(whole.length)
  }
  if (rest.length > 0) throw notUtf8(position)
}

function notUtf8({ line, column }: Position): MalformedFile {
  const message = 'The file is not UTF-8 text from here on. Save it as UTF-8.'
  return new MalformedFile(message, { line, column })
}

/** How many bytes at the end begin a character that the next piece may end. */
function unfinishedBytes(bytes: Buffer): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > count ? count : 0
  }
  return 0
}

/** How many bytes there are before the first that is not UTF-8. */
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
