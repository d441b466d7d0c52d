/**
 * CSV (RFC 4180) in UTF-8 with a byte order mark, without which Excel misreads non-ASCII letters.
 * Cells that a spreadsheet would execute as formulas get an apostrophe, which reading removes. `""`
 * is an empty text; an empty cell without quotes is a missing value.
 */
import { createPause } from '../../../../kernel/limits/slices.ts'
import { guardFormula, readText, unguardFormula, writeText } from '../table/cell.ts'
import { readRows, ROW_CHARACTERS_MAX, type CsvRow } from './csv-rows.ts'
import { requireHeadings, type Column, type Layout } from '../table/columns.ts'
import { MalformedFile, textOf, utf8From, type FileLine } from '../format.ts'
import type { FlatRecord } from '../record.ts'
import { valuesOf } from '../table/table.ts'
import { plainReading, readTable, type TableReading, type TableRow } from '../table/read-table.ts'

export async function* writeCsv(
  pages: AsyncIterable<readonly FlatRecord[]>,
  layout: Layout,
): AsyncGenerator<string> {
  const heading = layout.columns.map(({ name }) => quoted(guardFormula(name)))
  yield `\ufeff${heading.join(',')}\r\n`
  const pause = createPause()
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
  // A number is not a formula, and with an apostrophe it would be text.
  return quoted(typeof value === 'number' ? text : guardFormula(text))
}

/** Quotes a text that contains a common separator, or leading or trailing spaces. */
function quoted(text: string): string {
  return text === '' || /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  schema: unknown,
  reading: TableReading = plainReading,
): AsyncGenerator<FileLine> {
  let encoding = 'utf-8'
  const onEncoding = (found: string) => (encoding = found)
  const text = textOf(utf8From(bytes, onEncoding), onEncoding)
  const head = await firstLine(text)
  const separator = separatorOf(head.join(''))
  const rows = readRows(join(head, text), separator)
  let first = await rows.next()
  // Excel writes the separator in a first line `sep=;`.
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

async function* textRows(rows: AsyncIterable<CsvRow>): AsyncGenerator<TableRow> {
  for await (const { line, cells } of rows)
    yield { line, cells: cells.map((cell) => (cell ? unguardFormula(cell) : cell)) }
}

function headingsOf(record: readonly (string | undefined)[]): string[] {
  const names = record.map((name) => unguardFormula(name ?? '').trim())
  requireHeadings(names)
  if (names.every((name) => name === ''))
    throw new MalformedFile('The first line must name the columns.', { line: 1 })
  return names
}

/** Returns the pieces of text up to the first line break, to detect the separator. */
async function firstLine(text: AsyncGenerator<string>): Promise<string[]> {
  const head: string[] = []
  let characters = 0
  while (characters < ROW_CHARACTERS_MAX) {
    const next = await text.next()
    if (next.done) break
    head.push(next.value)
    characters += next.value.length
    // Searches only the new piece, so that many small pieces take linear time.
    if (/[\r\n]/.test(next.value)) break
  }
  return head
}

async function* join(head: readonly string[], rest: AsyncIterable<string>): AsyncGenerator<string> {
  for (const piece of head) if (piece !== '') yield piece
  for await (const piece of rest) if (piece !== '') yield piece
}

/**
 * Returns the most frequent separator of the header. Spreadsheets use semicolons where the comma is
 * the decimal mark.
 */
function separatorOf(head: string): string {
  const [, named] = /^sep=([,;\t])[\r\n]/.exec(head) ?? []
  if (named) return named
  const line = (head.split(/[\r\n]/)[0] ?? '').replaceAll(/"(?:[^"]|"")*"/g, '')
  const count = (mark: string) => line.split(mark).length
  return [';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best), ',')
}
