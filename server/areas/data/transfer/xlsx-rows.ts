/** The cells of a sheet as they stand in its XML, a row at a time. */
import { limits } from '../../../contract/limits.ts'
import { XmlFault, type XmlEvent } from './xml.ts'

export interface RawCell {
  /** As the attribute `t` has it: n, s, str, inlineStr, b, e or d. */
  type: string
  style: number
  value: string
}

export interface RawRow {
  /** Counted from 1, as spreadsheets show it. */
  row: number
  /** By their column, with gaps. */
  cells: (RawCell | undefined)[]
}

interface Reading {
  row: RawRow | null
  rows: number
  cell: RawCell | null
  column: number
  inside: string[]
}

/** Rows that have cells; of empty ones a sheet may have a million. */
export async function* readRows(lists: AsyncIterable<XmlEvent[]>): AsyncGenerator<RawRow> {
  const reading: Reading = { row: null, rows: 0, cell: null, column: 0, inside: [] }
  for await (const events of lists) {
    for (const event of events) {
      const row = take(reading, event)
      if (row) yield row
    }
  }
}

/** Gives the row that an event ends. */
function take(reading: Reading, event: XmlEvent): RawRow | null {
  if (event.kind === 'open') open(reading, event.name, event.attributes)
  if (event.kind === 'text') text(reading, event.text)
  if (event.kind !== 'close') return null
  reading.inside.pop()
  if (event.name === 'c') reading.cell = null
  if (event.name !== 'row' || !reading.row) return null
  const { row } = reading
  reading.row = null
  return row.cells.length > 0 ? row : null
}

// oxlint-disable-next-line max-params -- what goes on, and an element
function open(reading: Reading, name: string, attributes: Readonly<Record<string, string>>): void {
  reading.inside.push(name)
  const { r: place } = attributes
  if (name === 'row') {
    reading.rows = Number(place ?? reading.rows + 1)
    if (!Number.isSafeInteger(reading.rows)) throw new XmlFault('A row has no number.')
    reading.row = { row: reading.rows, cells: [] }
    reading.column = 0
  }
  if (name !== 'c' || !reading.row) return
  const column = place === undefined ? reading.column : columnOf(place)
  if (column >= limits.import_columns_max)
    throw new XmlFault(`A row has more than ${limits.import_columns_max} columns.`)
  reading.column = column + 1
  reading.cell = { type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0), value: '' }
  reading.row.cells[column] = hasValue(reading.cell) ? reading.cell : undefined
}

/** A cell is empty until its value comes, unless it is a text, which may be empty. */
function hasValue({ type }: RawCell): boolean {
  return type === 'str' || type === 'inlineStr'
}

function text({ row, cell, column, inside }: Reading, piece: string): void {
  const within = inside.at(-1)
  if (!row || !cell || (within !== 'v' && within !== 't') || inside.includes('rPh')) return
  cell.value += piece
  row.cells[column - 1] = cell
}

/** `AB12` is in the column 27, counted from 0. */
function columnOf(place: string): number {
  const [letters = ''] = /^[A-Z]{1,3}/.exec(place) ?? []
  if (letters === '') throw new XmlFault('A cell has no place.')
  return Array.from(letters).reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0) - 1
}
