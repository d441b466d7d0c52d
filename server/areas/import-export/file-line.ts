/** A line of a file of any format, or why it cannot be read. */
import type { FlatRecord } from './record.ts'

/** A line of a file, numbered from 1 as in an editor; a row of a workbook. */
export type FileLine =
  | { line: number; record: FlatRecord; texts?: CellTexts }
  | { line: number; faults: readonly CellError[] }

/** Original text by column name, where it differs from the value. */
export type CellTexts = Readonly<Record<string, string>>

export interface CellError {
  path: string
  message: string
  /** The heading of the column, and the original text of the cell. */
  column?: string
  value?: string
}
