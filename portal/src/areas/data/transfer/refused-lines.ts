/** The refused lines of an import, with the reasons, as a CSV file. */
import type { ImportReport } from './import.ts'

/** null if no line was refused. */
export function refusedLinesFile({ errors }: Pick<ImportReport, 'errors'>): Blob | null {
  if (errors.length === 0) return null
  const rows = errors.flatMap(({ line, type, errors: faults }) =>
    faults.length === 0
      ? [[line, '', '', type]]
      : faults.map(({ path, message, column, value }) => [
          line,
          column ?? path.slice(1),
          value ?? '',
          message,
        ]),
  )
  const lines = [['line', 'column', 'value', 'reason'], ...rows]
  const text = lines.map((row) => row.map(cellOf).join(',')).join('\r\n')
  return new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv' })
}

/** A spreadsheet would run a text that begins like a formula. */
function cellOf(value: string | number): string {
  const text = String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
