/** The refused lines of an import in words of an owner, on the page and as a CSV file. */
import { useLanguage, useServerText } from '../../../language/texts.ts'
import type { ImportReport } from './import.ts'
import { useTransferTexts } from './texts.ts'

export interface Refusal {
  line: number
  /** The heading in the file; of JSON lines the field. Empty if it is about the whole line. */
  column: string
  value: string
  message: string
}

type Refused = Pick<ImportReport, 'errors'>

export interface RefusedLines {
  /** The refusals of one line. */
  refusalsOf(line: ImportReport['errors'][number]): Refusal[]
  /** null if no line was refused. */
  fileOf(report: Refused): Blob | null
}

export function useRefusedLines(): RefusedLines {
  const t = useTransferTexts()
  const said = useServerText()
  // Spreadsheets in Dutch split lines at semicolons.
  const separator = useLanguage() === 'nl' ? ';' : ','
  const refusalsOf: RefusedLines['refusalsOf'] = ({ line, errors }) =>
    errors.length === 0
      ? [{ line, column: '', value: '', message: t('refused_line') }]
      : errors.map(({ path, message, column, value }) => ({
          line,
          column: column ?? path.slice(1).replaceAll('/', '.'),
          value: value ?? '',
          message: said(message),
        }))
  return {
    refusalsOf,
    fileOf({ errors }) {
      if (errors.length === 0) return null
      const headings = [t('file_line'), t('file_column'), t('file_value'), t('file_message')]
      const rows = errors.flatMap(refusalsOf).map((row) => Object.values(row))
      const lines = [headings, ...rows].map((row) => row.map(cellOf).join(separator))
      return new Blob(['\uFEFF', lines.join('\r\n'), '\r\n'], { type: 'text/csv' })
    },
  }
}

/** A spreadsheet would run a text that begins like a formula. */
function cellOf(value: string | number): string {
  const text = String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
