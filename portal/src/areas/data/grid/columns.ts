/** The columns of the grid: the fields of the data, and when the document was created. */
import type { DataField, FieldKind } from '../fields.ts'

export interface GridColumn {
  field: DataField
  width: number
  isRight: boolean
}

/** More fields are shown in the document only. */
const COLUMNS_MAX = 40
/** Of the button that opens the document, and of the time at the end. */
export const OPEN_PX = 44
export const CREATED_PX = 150
export const ROW_PX = 40

const widths: Readonly<Record<FieldKind, number>> = {
  text: 200,
  long: 280,
  number: 120,
  boolean: 100,
  choice: 150,
  date: 140,
  json: 220,
}

export function columnsOf(fields: readonly DataField[]): GridColumn[] {
  return fields.slice(0, COLUMNS_MAX).map((field) => ({
    field,
    width: widths[field.kind],
    isRight: field.kind === 'number',
  }))
}

export function widthOf(columns: readonly GridColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, OPEN_PX + CREATED_PX)
}
