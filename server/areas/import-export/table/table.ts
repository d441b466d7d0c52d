/** Converts between records and table rows. */
import { isObject } from '../../json-schema/service.ts'
import type { Column, Layout } from './columns.ts'
import type { FileLine } from '../file-line.ts'
import { MORE_COLUMN, type FlatRecord } from '../record.ts'

const columnSets = new WeakMap<Layout, Set<string>>()

/** Returns the values in column order; undefined where the record has no such field. */
export function valuesOf(record: FlatRecord, layout: Layout): unknown[] {
  const names = columnSets.get(layout) ?? new Set(layout.columns.map(({ name }) => name))
  columnSets.set(layout, names)
  const others = Object.entries(record).filter(([name]) => !names.has(name))
  if (others.length > 0 && !layout.more)
    throw new Error('A document has a field that came after the columns were written.')
  const more = others.length > 0 ? Object.fromEntries(others) : undefined
  return layout.columns.map(({ name }) => {
    if (name === MORE_COLUMN) return more
    return Object.hasOwn(record, name) ? record[name] : undefined
  })
}

export interface Row {
  line: number
  columns: readonly Column[]
  cells: readonly unknown[]
}

/** Returns whether all cells are empty. Spreadsheets often append such rows. */
export function isEmpty(cells: readonly unknown[]): boolean {
  return cells.every((cell) => cell === undefined)
}

/** Returns the record of a row, or its errors. Undefined cells are missing fields. */
export function recordOf({ line, columns, cells }: Row): FileLine {
  const given = cells.flatMap((value, at) => (value === undefined ? [] : [{ value, at }]))
  const stray = given.find(({ at }) => (columns[at]?.name ?? '') === '')
  if (stray) {
    const message = `has a value in column ${stray.at + 1}, which has no name`
    return { line, faults: [{ path: '', message }] }
  }
  const named = given.map(({ value, at }) => [columns[at]!.name, value] as const)
  const record: FlatRecord = Object.fromEntries(named)
  if (!Object.hasOwn(record, MORE_COLUMN)) return { line, record }
  const { [MORE_COLUMN]: more, ...rest } = record
  if (!isObject(more)) {
    const message = `must hold a JSON object in the column ${MORE_COLUMN}`
    return { line, faults: [{ path: '', message }] }
  }
  return { line, record: Object.fromEntries([...Object.entries(rest), ...Object.entries(more)]) }
}
