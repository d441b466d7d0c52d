/** Reads the cells of a sheet from its XML, row by row. */
import { MalformedFile } from '../malformed-file.ts'
import { decodeText, newTextPath, ROW_CHARACTERS_MAX } from './shared-texts.ts'
import { XmlFault, type XmlEvent } from './xml.ts'

export interface RawCell {
  /** Attribute `t`: n, s, str, inlineStr, b, e or d. */
  type: string
  style: number
  /** Decoded text, at most CELL_CHARACTERS_MAX long. */
  value: string
}

export interface RawRow {
  /** From 1, as in spreadsheets. */
  row: number
  /** Indexed by column, with gaps. */
  cells: (RawCell | undefined)[]
}

interface Reading {
  columns_max: number
  row: RawRow | null
  rows: number
  cell: RawCell | null
  column: number
  /** Length of the encoded texts of the row. */
  characters: number
}

/** Yields rows that have cells; a sheet may declare a million empty rows. */
export async function* readRows(
  lists: AsyncIterable<XmlEvent[]>,
  columns_max: number,
): AsyncGenerator<RawRow> {
  const reading: Reading = { columns_max, row: null, rows: 0, cell: null, column: 0, characters: 0 }
  const path = newTextPath()
  for await (const events of lists) {
    for (const event of events) {
      path.take(event)
      const row = take(reading, event, path.isText('v') || path.isText('t'))
      if (row) yield row
    }
  }
}

/** Returns the row that an end tag completes; else undefined. */
function take(reading: Reading, event: XmlEvent, is_value: boolean): RawRow | null {
  if (event.kind === 'open') open(reading, event.name, event.attributes)
  if (event.kind === 'text' && is_value) text(reading, event.text)
  if (event.kind !== 'close') return null
  if (event.name === 'c') {
    if (reading.cell) reading.cell.value = decodeText(reading.cell.value)
    reading.cell = null
  }
  if (event.name !== 'row' || !reading.row) return null
  const { row } = reading
  reading.row = null
  return row.cells.length > 0 ? row : null
}

function open(reading: Reading, name: string, attributes: Readonly<Record<string, string>>): void {
  const { r: place } = attributes
  if (name === 'row') {
    reading.rows = Number(place ?? reading.rows + 1)
    if (!Number.isSafeInteger(reading.rows)) throw new XmlFault('A row has no number.')
    reading.row = { row: reading.rows, cells: [] }
    reading.column = 0
    reading.characters = 0
  }
  if (name !== 'c' || !reading.row) return
  const column = place === undefined ? reading.column : columnOf(place)
  if (column >= reading.columns_max)
    throw new XmlFault(`A row has more than ${reading.columns_max} columns.`)
  reading.column = column + 1
  reading.cell = { type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0), value: '' }
  reading.row.cells[column] = hasValue(reading.cell) ? reading.cell : undefined
}

/** Returns whether the cell has a value without an element `v`: only strings may be empty. */
function hasValue({ type }: RawCell): boolean {
  return type === 'str' || type === 'inlineStr'
}

function text(reading: Reading, piece: string): void {
  const { row, cell, column } = reading
  if (!row || !cell) return
  reading.characters += piece.length
  if (reading.characters > ROW_CHARACTERS_MAX) throw rowTooLong(row.row)
  cell.value += piece
  row.cells[column - 1] = cell
}

export function rowTooLong(line: number): MalformedFile {
  return new MalformedFile(`A row is longer than ${ROW_CHARACTERS_MAX} characters.`, { line })
}

/** Returns the column of a cell reference, from 0: `AB12` is in column 27. */
function columnOf(place: string): number {
  const [letters = ''] = /^[A-Z]{1,3}/.exec(place) ?? []
  if (letters === '') throw new XmlFault('A cell has no place.')
  return Array.from(letters).reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0) - 1
}
