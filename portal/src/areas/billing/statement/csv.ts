/** Rows as a CSV file, such as the transactions of a month. */
import type { Transaction } from '../queries.ts'
import { saveFile } from './save-file.ts'

const columns = [
  'created_at',
  'type',
  'source',
  'description',
  'quantity',
  'unit',
  'amount_eur',
  'balance_after_eur',
  'id',
  'reference_id',
] as const satisfies readonly (keyof Transaction)[]

export function saveCsv(name: string, rows: readonly Transaction[]): void {
  saveTable(name, columns, rows)
}

type Cell = string | number | null

export function saveTable<Column extends string>(
  name: string,
  names: readonly Column[],
  rows: readonly Readonly<Record<Column, Cell>>[],
): void {
  const lineOf = (row: Readonly<Record<Column, Cell>>) =>
    names.map((column) => cellOf(row[column])).join(',')
  const lines = [names.join(','), ...rows.map(lineOf)]
  // Spreadsheets recognize UTF-8 by the byte order mark.
  const text = `\uFEFF${lines.join('\r\n')}\r\n`
  saveFile(`${name}.csv`, new Blob([text], { type: 'text/csv;charset=utf-8' }))
}

/** A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cellOf(value: Cell): string {
  if (typeof value !== 'string') return String(value ?? '')
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
