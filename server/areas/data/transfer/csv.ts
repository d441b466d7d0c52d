/**
 * CSV as RFC 4180 has it, in UTF-8 with a byte order mark, because without one Excel breaks every
 * letter beyond ASCII. A cell that a spreadsheet would take for a formula gets an apostrophe before
 * it, which reading takes away again. Quotes around nothing are an empty text; nothing is missing.
 */
import { CsvError, parse } from 'csv-parse'
import { limits } from '../../../contract/limits.ts'
import { newPause } from '../../../kernel/limits/slices.ts'
import { guardFormula, readText, unguardFormula, writeText } from './cell.ts'
import { markInnerQuotes, restoreQuotes } from './csv-quotes.ts'
import { requireHeadings, type Column, type Layout } from './columns.ts'
import { MalformedFile, textOf, utf8From, type Line } from './format.ts'
import { csvLines, type CsvLines } from './lines.ts'
import type { FlatRecord } from './record.ts'
import { valuesOf } from './table.ts'
import { plainReading, readTable, type TableReading, type TableRow } from './understand.ts'

const RECORD_CHARACTERS_MAX = 1_048_576

export async function* writeCsv(
  pages: AsyncIterable<readonly FlatRecord[]>,
  layout: Layout,
): AsyncGenerator<string> {
  const heading = layout.columns.map(({ name }) => quoted(guardFormula(name)))
  yield `\ufeff${heading.join(',')}\r\n`
  const pause = newPause()
  for await (const records of pages) {
    let rows = ''
    for (const record of records) {
      rows += `${row(valuesOf(record, layout), layout)}\r\n`
      await pause()
    }
    yield rows
  }
}

function row(values: readonly unknown[], { columns }: Layout): string {
  return values.map((value, at) => cell(value, columns[at]!)).join(',')
}

function cell(value: unknown, { types }: Column): string {
  if (value === undefined) return ''
  const text = writeText(value, types)
  // A number is no formula, and a spreadsheet should count with it.
  return quoted(typeof value === 'number' ? text : guardFormula(text))
}

/** Quotes wherever one of the separators in use could be seen in it, or its spaces lost. */
function quoted(text: string): string {
  return text === '' || /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  schema: unknown,
  reading: TableReading = plainReading,
): AsyncGenerator<Line> {
  let encoding = 'utf-8'
  const onEncoding = (found: string) => (encoding = found)
  const text = textOf(utf8From(bytes, onEncoding), onEncoding)
  const head = await firstLine(text)
  const separator = separatorOf(head.join(''))
  const rows = readRows(markInnerQuotes(join(head, text), separator), separator)
  let first = await rows.next()
  // Excel understands a first line that only says which separator follows.
  if (!first.done && first.value.cells[0]?.startsWith('sep=')) first = await rows.next()
  if (first.done) return
  const notation = {
    ...reading.notation,
    json_numbers: reading.notation.json_numbers && separator === ',',
  }
  yield* readTable({
    headings: headingsOf(first.value.cells),
    rows: textRows(rows),
    schema,
    reading: { ...reading, notation },
    encoding: () => encoding,
    separator,
    readOther: (cell, { types }) => readText(cell, types),
  })
}

async function* textRows(rows: AsyncIterable<Row>): AsyncGenerator<TableRow> {
  for await (const { line, cells } of rows)
    yield { line, cells: cells.map((cell) => (cell ? unguardFormula(cell) : cell)) }
}

interface Row {
  line: number
  /** Undefined where nothing stands, not even quotes. */
  cells: (string | undefined)[]
}

/** Rows are taken from the parser one by one, because a fault would take those along that wait. */
async function* readRows(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<Row> {
  const rows: Row[] = []
  const lines = csvLines()
  const pause = newPause()
  let ended = 0
  const parser = parse({
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_CHARACTERS_MAX,
    cast(value, { quoting, index }) {
      // Refused while the line is read: whatever handles a row afterwards handles few cells.
      if (index >= limits.import_columns_max) throw tooManyColumns(lines.lineFrom(ended))
      return value === '' && !quoting ? undefined : restoreQuotes(value)
    },
    on_record(cells: Row['cells'], { bytes }) {
      rows.push({ line: lines.lineFrom(ended), cells })
      ended = bytes
      return null
    },
  })
  parser.on('error', () => {}).resume()
  const write = async (piece: string) => {
    const bytes = Buffer.from(piece)
    lines.take(bytes)
    const before = ended
    const fault = await settled((done) => parser.write(bytes, done))
    if (ended > before) lines.lineFrom(ended)
    return fault
  }
  try {
    for await (const piece of readable(text, write)) {
      const fault = await write(piece)
      yield* rows.splice(0)
      if (fault) throw fault
      await pause()
    }
    const fault = await settled((done) => parser.end(done))
    yield* rows.splice(0)
    if (fault) throw fault
  } catch (error) {
    yield* rows.splice(0)
    throw error instanceof CsvError ? malformed(error, lines) : error
  } finally {
    parser.destroy()
  }
}

/**
 * The parser keeps the last characters to itself until it knows what follows. Where the text ends
 * in a fault, it is given something that ends no row.
 */
async function* readable(
  text: AsyncIterable<string>,
  write: (piece: string) => Promise<Error | null>,
): AsyncGenerator<string> {
  try {
    yield* text
  } catch (error) {
    await write('    ')
    throw error
  }
}

function settled(act: (done: (error?: Error | null) => void) => void): Promise<Error | null> {
  return new Promise((resolve) => act((error) => resolve(error ?? null)))
}

function headingsOf(record: readonly (string | undefined)[]): string[] {
  const names = record.map((name) => unguardFormula(name ?? '').trim())
  requireHeadings(names)
  if (names.every((name) => name === ''))
    throw new MalformedFile('The first line must name the columns.', { line: 1 })
  return names
}

function tooManyColumns(line: number): MalformedFile {
  const message = `The file has more than ${limits.import_columns_max} columns. Remove columns, or split it.`
  return new MalformedFile(message, { line })
}

/** Pieces with enough of the text to know how its columns are separated. */
async function firstLine(text: AsyncGenerator<string>): Promise<string[]> {
  const head: string[] = []
  let characters = 0
  while (characters < RECORD_CHARACTERS_MAX) {
    const next = await text.next()
    if (next.done) break
    head.push(next.value)
    characters += next.value.length
    // Only the new piece is searched, because pieces may be small.
    if (/[\r\n]/.test(next.value)) break
  }
  return head
}

/** In the pieces in which they came: the parser takes each of them in one go. */
async function* join(head: readonly string[], rest: AsyncIterable<string>): AsyncGenerator<string> {
  for (const piece of head) if (piece !== '') yield piece
  for await (const piece of rest) if (piece !== '') yield piece
}

/** Where the comma is in numbers, spreadsheets save with semicolons: the most frequent one it is. */
function separatorOf(head: string): string {
  const [, named] = /^sep=([,;\t])[\r\n]/.exec(head) ?? []
  if (named) return named
  const line = (head.split(/[\r\n]/)[0] ?? '').replaceAll(/"(?:[^"]|"")*"/g, '')
  const count = (mark: string) => line.split(mark).length
  return [';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best), ',')
}

function malformed(error: CsvError, lines: CsvLines): MalformedFile {
  const said: Partial<Record<string, string>> = {
    CSV_QUOTE_NOT_CLOSED: 'A quote is opened here and never closed.',
    CSV_INVALID_CLOSING_QUOTE:
      'After a closing quote comes something other than a separator. ' +
      'Quotes inside a quoted cell must be doubled ("").',
    INVALID_OPENING_QUOTE: 'A quote follows spaces at the beginning of a cell. Remove the spaces.',
    CSV_MAX_RECORD_SIZE: `A line is longer than ${RECORD_CHARACTERS_MAX} characters.`,
  }
  // The cells before the one at fault: how many they are in its row, and where the last one ends.
  const { index, bytes } = error
  const before = typeof bytes === 'number' ? bytes : 0
  const is_closing = error.code === 'CSV_INVALID_CLOSING_QUOTE'
  return new MalformedFile(said[error.code] ?? 'This is not CSV.', {
    line: is_closing ? lines.lineOfClosing(before) : lines.lineFrom(before),
    column: typeof index === 'number' ? index + 1 : null,
  })
}
