/** The lines, rows and bytes of an unpacked backup, with their hashes. */
import { createHash, type Hash } from 'node:crypto'

const LINE_BYTES_MAX = 1_048_576
const LINE_END = 0x0a
/** The end of the last row, and the line that ends the rows. */
export const rowsEnd = Buffer.from('\n\\.\n')

/** The file is invalid; the message continues a sentence that starts with the file name. */
export class Damage extends Error {}

export interface Tally {
  add(chunk: Buffer): Buffer
  end(): { rows: number; sha256: string }
}

/** Counts and hashes rows. In COPY text format, the only bare line end terminates the row. */
export function newTally(): Tally {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(chunk) {
      hash.update(chunk)
      for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1))
        rows += 1
      return chunk
    },
    end: () => ({ rows, sha256: hash.digest('hex') }),
  }
}

/** Reads a stream as lines, rows and bytes, and hashes them. */
export class Lines {
  private readonly chunks: AsyncIterator<Buffer>
  private readonly hash = createHash('sha256')
  private rest: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]()
  }

  /** Hash of everything read so far. */
  digest(): string {
    return this.hash.copy().digest('hex')
  }

  async next(): Promise<string> {
    let at = this.rest.indexOf(LINE_END)
    while (at < 0) {
      if (this.rest.length > LINE_BYTES_MAX)
        throw new Damage('is not a Homeport backup, or is damaged')
      await this.more()
      at = this.rest.indexOf(LINE_END)
    }
    return this.take(at + 1).toString('utf8', 0, at)
  }

  /** Yields the rows and consumes the line that ends them. */
  async *rows(tally: Tally): AsyncGenerator<Buffer> {
    // If there are no rows, the line end before `\.` belongs to the previous line.
    if (await this.endsAtOnce()) return
    for (;;) {
      const at = this.rest.indexOf(rowsEnd)
      if (at >= 0) {
        yield tally.add(this.take(at + 1))
        this.take(rowsEnd.length - 1)
        return
      }
      // The last bytes may be the start of the end marker, so they are kept for the next chunk.
      const sure = this.rest.length - rowsEnd.length + 1
      if (sure > 0) yield tally.add(this.take(sure))
      await this.more()
    }
  }

  /** Yields `count` bytes. */
  async *bytes(count: number, hash: Hash): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (this.rest.length === 0) await this.more()
      const piece = this.take(Math.min(left, this.rest.length))
      left -= piece.length
      hash.update(piece)
      yield piece
    }
  }

  private async endsAtOnce(): Promise<boolean> {
    const end = rowsEnd.subarray(1)
    while (this.rest.length < end.length) await this.more()
    if (!this.rest.subarray(0, end.length).equals(end)) return false
    this.take(end.length)
    return true
  }

  /** Throws if data follows or the stream ends with an error. */
  async finish(): Promise<void> {
    const { done } = await this.chunks.next()
    if (this.rest.length > 0 || !done) throw new Damage('is damaged: data follows its end')
  }

  private take(length: number): Buffer {
    const taken = this.rest.subarray(0, length)
    this.rest = this.rest.subarray(length)
    this.hash.update(taken)
    return taken
  }

  private async more(): Promise<void> {
    const { done, value } = await this.chunks.next()
    if (done) throw new Damage('is damaged: it is cut short')
    this.rest = this.rest.length === 0 ? value : Buffer.concat([this.rest, value])
  }
}
