/**
 * Converts table rows to records by the types of their columns. The notation of numbers and dates
 * comes from the locale of the request or from unambiguous values in the file.
 */
import { limits } from '../../../contract/limits.ts'
import { inSlices, createPause } from '../../../kernel/limits/slices.ts'
import { everyType } from '../../json-schema/service.ts'
import { columnsRead, type Column } from './columns.ts'
import type { CellError, FileLine } from '../file-line.ts'
import { guessType, type GuessedType } from './guess-type.ts'
import { matchHeadings, type ColumnHeading, type GivenColumns } from './headings.ts'
import { isExactNumber } from '../../../kernel/values/exact-number.ts'
import {
  evidenceOf,
  readBoolean,
  readNumber,
  readTime,
  type Notation,
  type ReadResult,
} from '../../../kernel/tables/notation.ts'
import { MalformedFile } from '../../../kernel/tables/malformed-file.ts'
import { isEmpty, recordOf } from './table.ts'
import type { ColumnReport } from '../report.ts'

/** Text from the file, or a value that the format has already typed. */
export type TableCell = string | { value: unknown } | undefined

export type TableRow =
  | { line: number; cells: readonly TableCell[] }
  | Extract<FileLine, { faults: unknown }>

export interface DetectedFormat {
  columns: ColumnReport[]
  decimal: Notation['decimal']
  order: Notation['order']
  encoding: string | null
  separator: string | null
  warnings: readonly string[]
}

/** The notation of the request, and callbacks for the report. */
export interface TableReading {
  notation: Notation
  columns: GivenColumns
  /** Called once, before the first row is yielded. */
  onFormat(format: DetectedFormat): void
  /** Called for each number that stays text, because a double would round it. */
  onInexact(cell: { heading: string; text: string }): void
  /**
   * Called once, after the last row that could be read, with the types that columns without a schema
   * seem to have, by field. Columns whose values have types already are left out.
   */
  onGuess(types: ReadonlyMap<string, GuessedType>): void
}

export const plainReading: TableReading = {
  notation: { decimal: null, order: null, locale: null, json_numbers: true, zone: null },
  columns: new Map(),
  onFormat() {},
  onInexact() {},
  onGuess() {},
}

export interface FileTable {
  headings: readonly string[]
  rows(columns: readonly Column[]): AsyncIterable<TableRow>
  schema: unknown
  reading: TableReading
  /** Read after the sample rows, because the encoding is unknown while the text is ASCII. */
  encoding(): string | null
  separator: string | null
  warnings: readonly string[]
  /** Converts the text of a cell whose column allows more than one type. */
  readOther(text: string, column: Column): unknown
}

type Kind = 'number' | 'boolean' | 'time' | 'other'

interface MappedColumn extends ColumnHeading {
  column: Column
  kind: Kind
  /** The type of its texts so far. */
  guess?: GuessedType
  /** Whether a value is text. */
  has_text?: true
}

// Enough rows to detect the notation, and no more than an import batch.
const SAMPLE_ROWS = 200

export async function* readTable(table: FileTable): AsyncGenerator<FileLine> {
  const { schema, reading } = table
  const headings = await inSlices(matchHeadings(table.headings, schema, reading.columns))
  const names = headings.map(({ name }) => name)
  const columns = columnsRead(schema, names)
  const mapped = headings.map((one, at) => mapColumn(one, columns[at]!))
  const rows = filledRows(table.rows(columns))[Symbol.asyncIterator]()
  const { sample, notation, fault } = await readSample(rows, mapped, reading.notation)
  reading.onFormat(await detectedFormat(table, { mapped, sample, notation }))
  try {
    for (const row of sample) yield readRow(row, { mapped, notation, table })
    if (fault) throw fault.error
    for await (const row of { [Symbol.asyncIterator]: () => rows }) {
      yield readRow(row, { mapped, notation, table })
    }
  } finally {
    const guessed = mapped.flatMap(({ name, guess, has_text }) =>
      guess && has_text ? [[name, guess] as const] : [],
    )
    reading.onGuess(new Map(guessed))
  }
}

/** Leaves out empty rows, but counts their cells. */
async function* filledRows(rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow> {
  const pause = createPause()
  let cells = 0
  for await (const row of rows) {
    cells += 'cells' in row ? Math.max(1, row.cells.length) : 1
    if (cells > limits.import_cells_max) {
      const message = `The file has more than ${limits.import_cells_max} cells, empty ones included.`
      throw new MalformedFile(message, { line: row.line })
    }
    if (!('cells' in row) || !isEmpty(row.cells)) yield row
    else await pause()
  }
}

interface Sample {
  sample: TableRow[]
  notation: Notation
  /** The error that ended reading; the rows before it are still used. */
  fault: { error: unknown } | null
}

/** Reads rows until the notation is known; all rows if values stay ambiguous. */
async function readSample(
  rows: AsyncIterator<TableRow>,
  mapped: readonly MappedColumn[],
  given: Notation,
): Promise<Sample> {
  const evidence: Evidence = { decimals: new Set(), orders: new Set() }
  const sample: TableRow[] = []
  const ambiguous = new Set<Kind>()
  const pause = createPause()
  let fault: Sample['fault'] = null
  try {
    for (let next = await rows.next(); !next.done; next = await rows.next()) {
      sample.push(next.value)
      collectEvidence(next.value, mapped, evidence)
      await pause()
      if (sample.length > limits.import_lines_max) break
      if (sample.length % SAMPLE_ROWS !== 0) continue
      const notation = decideNotation(given, evidence)
      const found = await ambiguousKinds(sample.slice(-SAMPLE_ROWS), mapped, notation)
      if (isSettled(ambiguous.union(found), notation)) break
      for (const kind of found) ambiguous.add(kind)
    }
  } catch (error) {
    fault = { error }
  }
  return { sample, notation: decideNotation(given, evidence), fault }
}

/** Returns the kinds that have ambiguous values. */
async function ambiguousKinds(
  rows: readonly TableRow[],
  mapped: readonly MappedColumn[],
  notation: Notation,
): Promise<Set<Kind>> {
  const ambiguous = new Set<Kind>()
  const pause = createPause()
  for (const row of rows) {
    for (const [at, cell] of 'cells' in row ? row.cells.entries() : []) {
      const one = mapped[at]
      const read = one && typeof cell === 'string' ? readKind(cell, one, notation) : null
      if (one && read && 'is_ambiguous' in read) ambiguous.add(one.kind)
    }
    await pause()
  }
  return ambiguous
}

function isSettled(ambiguous: ReadonlySet<Kind>, { decimal, order }: Notation): boolean {
  if (ambiguous.has('number') && decimal === null) return false
  return !ambiguous.has('time') || order !== null
}

function mapColumn(heading: ColumnHeading, column: Column): MappedColumn {
  const { types, format } = column
  const is_text = types.has('string')
  const kind = is_text
    ? format === null || types.size > 2
      ? 'other'
      : 'time'
    : types.has('number')
      ? 'number'
      : types.has('boolean')
        ? 'boolean'
        : 'other'
  // System fields always have the notation of an export.
  return { ...heading, column, kind: heading.name.startsWith('_') ? 'other' : kind }
}

interface Evidence {
  decimals: Set<'.' | ','>
  orders: Set<'day-first' | 'month-first'>
}

function collectEvidence(
  row: TableRow,
  mapped: readonly MappedColumn[],
  { decimals, orders }: Evidence,
): void {
  if (!('cells' in row)) return
  for (const [at, cell] of row.cells.entries()) {
    const kind = mapped[at]?.kind ?? 'other'
    if (typeof cell !== 'string' || kind === 'other') continue
    const { decimal, order } = evidenceOf(cell, kind)
    if (decimal) decimals.add(decimal)
    if (order) orders.add(order)
  }
}

/**
 * Combines the evidence of the file. Contradicting evidence is ignored. A decimal comma implies
 * day-first dates, because no locale has month-first dates with a decimal comma.
 */
function decideNotation(given: Notation, { decimals, orders }: Evidence): Notation {
  if (given.locale) return given
  const [decimal = null] = decimals.size === 1 ? decimals : []
  const [found = null] = orders.size === 1 ? orders : []
  const order = orders.size === 0 && decimal === ',' ? 'day-first' : found
  return { ...given, decimal, order, json_numbers: given.json_numbers && !decimals.has(',') }
}

function readKind(text: string, { kind, column }: MappedColumn, notation: Notation): ReadResult {
  if (kind === 'number') return readNumber(text, notation)
  if (kind === 'boolean') return readBoolean(text)
  return kind === 'time' && column.format !== null ? readTime(text, column.format, notation) : null
}

/** A column with a heading has no name only if the request leaves it out. */
function isLeftOut({ heading, name }: ColumnHeading): boolean {
  return name === '' && heading !== ''
}

interface RowReading {
  mapped: readonly MappedColumn[]
  notation: Notation
  table: FileTable
}

function readRow(row: TableRow, { mapped, notation, table }: RowReading): FileLine {
  if (!('cells' in row)) return row
  const { line } = row
  const faults: CellError[] = []
  const texts: Record<string, string> = {}
  const cells = row.cells.map((cell, at) => {
    const one = mapped[at]
    if (one && isLeftOut(one)) return undefined
    if (typeof cell !== 'string') return cell?.value
    if (cell === '' || !one) return cell
    const read = readKind(cell, one, notation)
    if (read === null) return readOther(cell, one, table)
    if ('value' in read) {
      if (String(read.value) !== cell) texts[one.name] = cell
      return read.value
    }
    faults.push({ path: `/${one.name}`, message: read.refused, column: one.heading, value: cell })
    return undefined
  })
  if (faults.length > 0) return { line, faults }
  const found = recordOf({ line, columns: mapped.map(({ column }) => column), cells })
  return 'record' in found && Object.keys(texts).length > 0 ? { ...found, texts } : found
}

function readOther(text: string, one: MappedColumn, table: FileTable): unknown {
  const { column, heading } = one
  const value = table.readOther(text, column)
  if (column.types === everyType) {
    one.guess = guessType(one.guess, text)
    if (typeof value === 'string') one.has_text = true
  }
  if (column.types.has('number') && numberPattern.test(text) && !isExactNumber(text))
    table.reading.onInexact({ heading, text })
  return value
}

/** A number in JSON notation. */
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

async function detectedFormat(
  table: FileTable,
  { mapped, sample, notation }: Omit<RowReading, 'table'> & { sample: readonly TableRow[] },
): Promise<DetectedFormat> {
  const { separator, warnings } = table
  const encoding = table.encoding()
  const firsts: TableCell[] = []
  const ambiguous: (string | undefined)[] = []
  const pause = createPause()
  for (const row of sample) {
    for (const [at, cell] of 'cells' in row ? row.cells.entries() : []) {
      const one = mapped[at]
      if (!one || cell === undefined || cell === '') continue
      firsts[at] ??= cell
      if (ambiguous[at] !== undefined || typeof cell !== 'string') continue
      const read = readKind(cell, one, notation)
      if (read && 'is_ambiguous' in read) ambiguous[at] = `${cell} ${read.refused}`
    }
    await pause()
  }
  const columns = mapped.map((one, at): ColumnReport => {
    const first = firsts[at]
    const known = one.column.types.size < everyType.size
    return {
      column: at + 1,
      heading: one.heading,
      field: one.name === '' ? null : one.name,
      types: known ? [...one.column.types] : [],
      example: first === undefined ? null : exampleOf(first, { one, notation, table }),
      ambiguous: ambiguous[at] ?? null,
      suggestion: one.suggestion,
    }
  })
  const { decimal, order } = notation
  return { columns, decimal, order, encoding, separator, warnings }
}

const EXAMPLE_CHARACTERS = 100

function exampleOf(
  cell: Exclude<TableCell, undefined>,
  { one, notation, table }: { one: MappedColumn; notation: Notation; table: FileTable },
): ColumnReport['example'] {
  if (typeof cell !== 'string') return { text: null, value: cell.value }
  const text = cell.slice(0, EXAMPLE_CHARACTERS)
  const read = readKind(cell, one, notation) ?? { value: table.readOther(cell, one.column) }
  const value = 'value' in read ? read.value : null
  return { text, value: typeof value === 'string' ? value.slice(0, EXAMPLE_CHARACTERS) : value }
}
