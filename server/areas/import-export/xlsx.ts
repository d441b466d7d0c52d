/** Workbooks of documents. */
import { limits } from '../../contract/limits.ts'
import {
  clockFromSerial,
  serialFromText,
  textFromSerial,
} from '../../kernel/tables/xlsx/serial-time.ts'
import { openSheet, type SheetCell, type SheetRow } from '../../kernel/tables/xlsx/workbook-read.ts'
import { writeWorkbook, type WrittenCell } from '../../kernel/tables/xlsx/workbook-write.ts'
import { isExactNumber } from '../../kernel/values/exact-number.ts'
import type { ValueTypes } from '../json-schema/service.ts'
import type { FileLine } from './file-line.ts'
import type { FlatRecord } from './record.ts'
import { readText, writeText } from './table/cell.ts'
import { requireHeadings, type Column, type Layout } from './table/columns.ts'
import { plainReading, readTable } from './table/read-table.ts'
import type { TableCell, TableReading, TableRow } from './table/read-table.ts'
import { valuesOf } from './table/table.ts'

export function writeXlsx(
  pages: AsyncIterable<readonly FlatRecord[]>,
  layout: Layout,
): AsyncIterable<Uint8Array> {
  const { columns } = layout
  const rows = (records: readonly FlatRecord[]) =>
    records
      .values()
      .map((record) =>
        valuesOf(record, layout).map((value, at) => writtenCell(value, columns[at]!)),
      )
  const headings = columns.map((column) => ({ heading: column.name, width: widthOf(column) }))
  return writeWorkbook(headings, mapPages(pages, rows))
}

async function* mapPages<Page, Rows>(
  pages: AsyncIterable<Page>,
  rows: (page: Page) => Rows,
): AsyncGenerator<Rows> {
  for await (const page of pages) yield rows(page)
}

function writtenCell(value: unknown, { types, format }: Column): WrittenCell {
  if (value === undefined || typeof value === 'number' || typeof value === 'boolean') return value
  const serial = typeof value === 'string' && isDay(format) ? serialFromText(value, format) : null
  if (serial !== null && isDay(format)) return { serial, format }
  return writeText(value, textTypes(types))
}

function isDay(format: Column['format']): format is 'date' | 'date-time' {
  return format === 'date' || format === 'date-time'
}

/**
 * Returns the types without numbers and booleans, which have native cells, so text never conflicts
 * with them.
 */
function textTypes(types: ValueTypes): ValueTypes {
  return types.has('string') ? types.difference(new Set(['number', 'boolean'])) : types
}

const ID_WIDTH = 38
const TIME_WIDTH = 24
const DATE_WIDTH = 12
const TEXT_WIDTH = 20
const NUMBER_WIDTH = 14
const WIDTH_MAX = 40

/** Returns a width for the heading and for dates, which show as ### in narrow columns. */
function widthOf({ name, types, format }: Column): number {
  if (name === '_id') return ID_WIDTH
  const text = types.has('string') ? TEXT_WIDTH : NUMBER_WIDTH
  const values = format === 'date' ? DATE_WIDTH : format === 'date-time' ? TIME_WIDTH : text
  return Math.min(WIDTH_MAX, Math.max(values, name.length + 2))
}

export async function* readXlsx(
  bytes: AsyncIterable<Uint8Array>,
  schema: unknown,
  reading: TableReading = plainReading,
): AsyncGenerator<FileLine> {
  const { import_columns_max: columns_max, import_unpacked_bytes_max: unpacked_bytes_max } = limits
  const { heading, rows, since_1904, after_hidden } = await openSheet(bytes, {
    columns_max,
    unpacked_bytes_max,
  })
  const headings = heading.cells.map((cell) => cell?.text.trim() ?? '')
  requireHeadings(headings)
  yield* readTable({
    headings,
    rows: (columns) => tableRows(rows, { columns, since_1904 }),
    schema,
    reading,
    encoding: () => null,
    separator: null,
    warnings:
      after_hidden === null
        ? []
        : [`The first sheet is hidden. The first visible one, "${after_hidden}", was read.`],
    readOther: (text, { types }) => readText(text, textTypes(types)),
  })
}

interface Sheet {
  columns: readonly Column[]
  since_1904: boolean
}

async function* tableRows(rows: AsyncIterable<SheetRow>, sheet: Sheet): AsyncGenerator<TableRow> {
  for await (const row of rows) yield rowOf(row, sheet)
}

function rowOf({ line, cells }: SheetRow, { columns, since_1904 }: Sheet): TableRow {
  for (const [at, cell] of cells.entries()) {
    if (cell?.kind !== 'fault') continue
    const path = `/${columns[at]?.name ?? at + 1}`
    return { line, faults: [{ path, message: cell.message }] }
  }
  return { line, cells: cells.map((cell, at) => cell && valueOf(cell, columns[at], since_1904)) }
}

function valueOf(cell: SheetCell, column: Column | undefined, since_1904: boolean): TableCell {
  if (cell.kind === 'boolean') return { value: cell.value }
  if (cell.kind !== 'number' || !isExactNumber(cell.text)) return cell.text
  const clock = clockOf(cell, column)
  if (clock !== null) return clock
  return { value: numberOf(cell, column, since_1904) }
}

type NumberCell = Extract<SheetCell, { kind: 'number' }>

/** Returns the text of a time of day or a duration; null for other numbers. */
function clockOf({ number, shows }: NumberCell, column: Column | undefined): string | null {
  if (column && !column.types.has('string')) return null
  if (shows === 'duration') return clockFromSerial(number)
  if (shows !== 'time' && shows !== 'date') return null
  const is_time = column?.format === 'time'
  return is_time || (shows === 'time' && number < 1) ? clockFromSerial(number % 1) : null
}

/**
 * Converts a number by the schema or cell format, because spreadsheets store dates, booleans and
 * digits as numbers.
 */
function numberOf(cell: NumberCell, column: Column | undefined, since_1904: boolean): unknown {
  const { number, shows } = cell
  const { format = null, types } = column ?? {}
  const wanted = types && !types.has('number')
  if (isBoolean(cell, types)) return number === 1
  const is_day = shows === 'date' || shows === 'time'
  if (is_day && (wanted || types?.has('string'))) {
    const time = textFromSerial(number, { format: isDay(format) ? format : null, since_1904 })
    if (time !== null) return time
  }
  return wanted && types.has('string') ? String(number) : number
}

/**
 * Returns whether a 1 or 0 is a boolean: by its cell format, or because the schema allows only
 * booleans.
 */
function isBoolean({ number, shows }: NumberCell, types: ValueTypes | undefined): boolean {
  if (number !== 0 && number !== 1) return false
  if (!types) return shows === 'boolean'
  if (shows === 'boolean') return types.has('boolean')
  return types.has('boolean') && !types.has('number') && !types.has('string')
}
