/** What the formats of files have in common: lines that are read, and files that cannot be. */
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

/** The text of bytes that come in pieces. */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let lines = 1
  const decode = (piece?: Uint8Array) => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
    } catch {
      throw new MalformedFile('The file is not UTF-8 text from here on. Save it as UTF-8.', {
        line: lines,
      })
    }
  }
  for await (const piece of bytes) {
    const text = decode(piece)
    yield text
    lines += text.split('\n').length - 1
  }
  yield decode()
}
