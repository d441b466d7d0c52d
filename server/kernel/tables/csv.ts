/**
 * CSV (RFC 4180) in UTF-8 with a byte order mark, without which Excel misreads non-ASCII letters.
 * Cells that a spreadsheet would execute as formulas get an apostrophe, which reading removes. `""`
 * is an empty text; an empty cell without quotes is a missing value, undefined.
 */
import { textOf, utf8From } from './decode-text.ts'
import { readRows, ROW_CHARACTERS_MAX, type CsvRow } from './csv-rows.ts'

export const CSV_START = '\ufeff'

/** Returns a line of CSV. A number is written as it is: it is no formula, and with an apostrophe it would be text. */
export function csvLine(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map(written).join(',')}\r\n`
}

function written(cell: string | number | undefined): string {
  if (cell === undefined) return ''
  return quoted(typeof cell === 'number' ? JSON.stringify(cell) : guardFormula(cell))
}

/** Quotes a text that contains a common separator, or leading or trailing spaces. */
function quoted(text: string): string {
  return text === '' || /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const guarded = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** Prefixes a text that a spreadsheet would execute as a formula with an apostrophe. */
function guardFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** Removes the apostrophe that `guardFormula` added. */
function unguardFormula(text: string): string {
  return guarded.test(text) ? text.slice(1) : text
}

export interface CsvFile {
  /** The first row; undefined if the file is empty. */
  heading: CsvRow | undefined
  rows: AsyncIterable<CsvRow>
  separator: string
  /** The encoding of the text that was read so far. */
  encoding(): string
}

/** Detects encoding and separator, and reads the first row. */
export async function openCsv(
  bytes: AsyncIterable<Uint8Array>,
  { columns_max }: { columns_max: number },
): Promise<CsvFile> {
  let encoding = 'utf-8'
  const onEncoding = (found: string) => (encoding = found)
  const text = textOf(utf8From(bytes, onEncoding), onEncoding)
  const head = await firstLine(text)
  const separator = separatorOf(head.join(''))
  const rows = unguarded(readRows(join(head, text), { separator, columns_max }))
  let first = await rows.next()
  // Excel writes the separator in a first line `sep=;`.
  if (!first.done && first.value.cells[0]?.startsWith('sep=')) first = await rows.next()
  const heading = first.done ? undefined : first.value
  return { heading, rows, separator, encoding: () => encoding }
}

async function* unguarded(rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow> {
  for await (const { line, cells } of rows)
    yield { line, cells: cells.map((cell) => (cell ? unguardFormula(cell) : cell)) }
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
