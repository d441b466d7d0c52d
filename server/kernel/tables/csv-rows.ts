/**
 * Parses CSV (RFC 4180) from text that arrives in pieces. Quotes inside a cell that does not begin
 * with one (`Café "De Zwaan"`) are text, as in spreadsheet programs. Line numbers are those of an
 * editor: CRLF, LF and CR each end a line.
 */
import { createPause } from '../limits/slices.ts'
import { MalformedFile } from './malformed-file.ts'
import { advancePosition, startPosition } from './text-position.ts'

export interface CsvRow {
  /** The line of its first cell, from 1. */
  line: number
  /** undefined is an empty cell without quotes. */
  cells: (string | undefined)[]
}

export const ROW_CHARACTERS_MAX = 1_048_576

/** Yields the rows before a fault, then throws MalformedFile. Skips empty lines. */
export async function* readRows(
  pieces: AsyncIterable<string>,
  format: { separator: string; columns_max: number },
): AsyncGenerator<CsvRow> {
  const parser = new CsvParser(format)
  const pause = createPause()
  for await (const piece of pieces) {
    yield* parser.parse(piece)
    await pause()
  }
  yield* parser.end()
}

class CsvParser {
  private readonly separator: string
  private readonly columns_max: number
  private readonly special: RegExp
  private readonly position = startPosition()
  private row: CsvRow = { line: 1, cells: [] }
  private row_characters = 0
  private cell = ''
  private cell_line = 1
  private state: 'start' | 'spaces' | 'plain' | 'quoted' | 'closed' = 'start'

  constructor({ separator, columns_max }: { separator: string; columns_max: number }) {
    this.separator = separator
    this.columns_max = columns_max
    this.special = new RegExp(`["${separator}\r\n]`, 'g')
  }

  *parse(piece: string): Generator<CsvRow> {
    for (let at = 0; at < piece.length;) {
      const sign = piece[at]!
      if (this.state === 'quoted') {
        at = this.readQuoted(piece, at)
      } else if (sign === '\r' || sign === '\n') {
        yield* this.endRow(sign)
        at += 1
      } else {
        this.position.is_after_cr = false
        at = this.readUnquoted(piece, at, sign)
      }
    }
  }

  *end(): Generator<CsvRow> {
    if (this.state === 'quoted') throw this.fault('A quote is opened here and never closed.')
    yield* this.endRow('')
  }

  private readQuoted(piece: string, at: number): number {
    const end = piece.indexOf('"', at)
    const text = piece.slice(at, end === -1 ? piece.length : end)
    this.append(text)
    advancePosition(this.position, text)
    if (end === -1) return piece.length
    this.state = 'closed'
    return end + 1
  }

  private readUnquoted(piece: string, at: number, sign: string): number {
    if (sign === this.separator) {
      this.endCell()
      this.row_characters += 1
      return at + 1
    }
    if (this.state === 'closed' && sign !== '"') {
      const message =
        'After a closing quote comes something other than a separator. ' +
        'Quotes inside a quoted cell must be doubled ("").'
      throw this.fault(message, this.position.line)
    }
    if (this.state === 'spaces' && sign === '"')
      throw this.fault('A quote follows spaces at the beginning of a cell. Remove the spaces.')
    if (sign === '"' && this.state !== 'plain') {
      if (this.state === 'closed') this.append('"')
      this.state = 'quoted'
      return at + 1
    }
    return this.readPlain(piece, at)
  }

  private readPlain(piece: string, at: number): number {
    this.special.lastIndex = at + 1
    const end = this.special.exec(piece)?.index ?? piece.length
    const text = piece.slice(at, end)
    this.append(text)
    if (this.state !== 'plain') this.state = /^ *$/.test(text) ? 'spaces' : 'plain'
    return end
  }

  private append(text: string): void {
    this.cell += text
    this.row_characters += text.length
    if (this.row_characters <= ROW_CHARACTERS_MAX) return
    throw this.fault(`A line is longer than ${ROW_CHARACTERS_MAX} characters.`)
  }

  private endCell(): void {
    if (this.row.cells.length >= this.columns_max) {
      const message = `The file has more than ${this.columns_max} columns. Remove columns, or split it.`
      throw new MalformedFile(message, { line: this.row.line })
    }
    this.row.cells.push(this.state === 'start' ? undefined : this.cell)
    this.cell = ''
    this.cell_line = this.position.line
    this.state = 'start'
  }

  /** `sign` is the line break, or empty at the end of the text. */
  private *endRow(sign: string): Generator<CsvRow> {
    const { row, state } = this
    const is_empty = state === 'start' && row.cells.length === 0
    if (!is_empty) this.endCell()
    advancePosition(this.position, sign)
    this.cell_line = this.position.line
    this.row = { line: this.cell_line, cells: [] }
    this.row_characters = 0
    if (!is_empty) yield row
  }

  private fault(message: string, line = this.cell_line): MalformedFile {
    return new MalformedFile(message, { line, column: this.row.cells.length + 1 })
  }
}
