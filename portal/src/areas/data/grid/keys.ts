/** The keys that move between the cells of the grid. */
import type { KeyboardEvent } from 'react'

/** Column 0 has the button that opens the document. */
export interface Cell {
  row: number
  column: number
}

const PAGE_ROWS = 12

/** The cell that a key leads to; null for a key that does not move. */
export function moveOf(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { row, column }: Cell,
  { rows, columns }: { rows: number; columns: number },
): Cell | null {
  const isFar = ctrlKey || metaKey
  const lastRow = rows - 1
  const lastColumn = columns - 1
  const target: Record<string, Cell> = {
    ArrowDown: { row: isFar ? lastRow : row + 1, column },
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowRight: { row, column: isFar ? lastColumn : column + 1 },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? lastRow : row, column: lastColumn },
    PageDown: { row: row + PAGE_ROWS, column },
    PageUp: { row: row - PAGE_ROWS, column },
  }
  const next = target[key]
  if (next === undefined) return null
  return { row: within(next.row, lastRow), column: within(next.column, lastColumn) }
}

function within(value: number, last: number): number {
  return Math.max(0, Math.min(last, value))
}

/** Whether a key types a character that begins an edit. */
export function isTyped({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}
