/**
 * Lines of a file as editors count them: CRLF, LF and CR each end one. They are counted in bytes,
 * because that is what a parser tells of its place; UTF-8 has line breaks nowhere else.
 */
const [LF, CR, QUOTE] = [0x0a, 0x0d, 0x22]

/** Where something is, counted from 1. */
export interface Position {
  line: number
  column: number
  /** A line feed that comes next ends no other line. */
  is_after_cr: boolean
}

export function beginning(): Position {
  return { line: 1, column: 1, is_after_cr: false }
}

export function advance(position: Position, bytes: Uint8Array): void {
  for (const byte of bytes) {
    const is_break = byte === CR || byte === LF
    if (is_break) {
      if (byte === CR || !position.is_after_cr) position.line += 1
      position.column = 1
    } else if ((byte & 0xc0) !== 0x80) position.column += 1
    position.is_after_cr = byte === CR
  }
}

/** The lines of a text that a parser of CSV is reading, as far as it has not been asked beyond. */
export interface CsvLines {
  take(piece: Buffer): void
  /** The line of what comes at a byte or after it and is no line break. */
  lineFrom(offset: number): number
  /** The line in which the quotes around a cell are closed, by where the cell before it ends. */
  lineOfClosing(offset: number): number
}

export function csvLines(): CsvLines {
  const position = beginning()
  let waiting: Buffer = Buffer.alloc(0)
  let coming: Buffer[] = []
  let passed = 0
  const gather = () => {
    if (coming.length > 0) waiting = Buffer.concat([waiting, ...coming])
    coming = []
  }
  const pass = (count: number) => {
    advance(position, waiting.subarray(0, count))
    waiting = waiting.subarray(count)
    passed += count
  }
  const lineFrom = (offset: number) => {
    gather()
    pass(Math.max(0, offset - passed))
    pass(waiting.length - trimmed(waiting).length)
    return position.line
  }
  return {
    take(piece) {
      coming.push(piece)
      // Line breaks between rows are counted as they come: there may be millions of them.
      if (waiting.length === 0 && coming.length === 1) lineFrom(passed)
    },
    lineFrom,
    lineOfClosing(offset) {
      lineFrom(offset)
      pass(closingQuote(waiting))
      return position.line
    },
  }
}

/** Without the line breaks at its beginning. */
function trimmed(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== LF && byte !== CR)
  return bytes.subarray(first < 0 ? bytes.length : first)
}

/** Before the opening quote there may be the separator. Two quotes within a cell are one of it. */
function closingQuote(bytes: Buffer): number {
  let at = bytes.indexOf(QUOTE, bytes.indexOf(QUOTE) + 1)
  while (at >= 0 && bytes[at + 1] === QUOTE) at = bytes.indexOf(QUOTE, at + 2)
  return Math.max(0, at)
}
