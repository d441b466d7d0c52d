/** The focused cell of the grid, the cell that is edited, and what keys do. */
import { useCallback, useRef, useState, type KeyboardEvent } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import type { DataField } from '../fields.ts'
import type { Document } from '../queries.ts'
import type { Leave } from './cell-editor.tsx'
import { editedText, valueOf } from './cell-value.ts'
import type { GridColumn } from './columns.ts'
import { useEdits, type CellEdit } from './use-edits.ts'

const PAGE_ROWS = 12

/** The document is named by its id, because rows move when others arrive. */
export interface EditingCell {
  id: string
  name: string
  text: string
  fault: string | null
}

interface Shown {
  documents: readonly Document[]
  columns: readonly GridColumn[]
  scrollTo(row: number): void
}

const steps: Readonly<Record<Exclude<Leave, 'blur'>, Cell>> = {
  down: { row: 1, column: 0 },
  right: { row: 0, column: 1 },
  left: { row: 0, column: -1 },
  stay: { row: 0, column: 0 },
}

export function useGrid({ documents, columns, scrollTo }: Shown) {
  const mayEdit = useProjectScope().may('member')
  const [cell, setCell] = useState<Cell>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<EditingCell | null>(null)
  const wantsFocus = useRef(false)
  const onRefused = useCallback(
    ({ document: { id }, name, value }: CellEdit, fault: string) =>
      setEditing({ id, name, text: editedText(value), fault }),
    [],
  )
  const edits = useEdits(onRefused)
  const go = (next: Cell) => {
    wantsFocus.current = true
    setCell(next)
    scrollTo(next.row)
  }
  const leave = (how: Leave) => {
    setEditing(null)
    if (how === 'blur') return
    const row = Math.min(documents.length - 1, cell.row + steps[how].row)
    go({ row, column: Math.max(1, Math.min(columns.length, cell.column + steps[how].column)) })
  }
  const begin = ({ row, column }: Cell, text?: string) => {
    const document = documents[row]
    const field = columns[column - 1]?.field
    if (!mayEdit || document === undefined || field === undefined) return
    const { id, data } = document
    setCell({ row, column })
    setEditing({ id, name: field.name, text: text ?? editedText(data[field.name]), fault: null })
  }
  const save = (document: Document, field: DataField, text: string) => {
    if (!mayEdit || text === editedText(document.data[field.name])) return
    edits.edit({ document, name: field.name, value: valueOf(field, text) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveOf(event, cell, { rows: documents.length, columns: columns.length + 1 })
    const isHandled = next !== null || act(event, { cell, documents, columns, begin, save, edits })
    if (isHandled) event.preventDefault()
    if (next !== null) go(next)
  }
  return { cell, setCell, editing, wantsFocus, begin, save, leave, onKeyDown, ...edits }
}

interface Acting extends Pick<Shown, 'documents' | 'columns'> {
  cell: Cell
  begin(cell: Cell, text?: string): void
  save(document: Document, field: DataField, text: string): void
  edits: { undo(): void }
}

/** Does what a key means in the focused cell; false if it means nothing there. */
function act(
  event: KeyboardEvent,
  { cell, documents, columns, begin, save, edits }: Acting,
): boolean {
  const { key } = event
  const isCommand = event.ctrlKey || event.metaKey
  if (isCommand && key === 'z') {
    edits.undo()
    return true
  }
  return actInCell(event, { document: documents[cell.row], cell, columns, begin, save })
}

interface ActingInCell extends Omit<Acting, 'documents' | 'edits'> {
  document: Document | undefined
}

function actInCell(event: KeyboardEvent, acting: ActingInCell): boolean {
  const { document, cell, columns, begin, save } = acting
  const { key } = event
  const isCommand = event.ctrlKey || event.metaKey
  const field = columns[cell.column - 1]?.field
  if (document === undefined || field === undefined) return false
  if (isCommand && key === 'c') {
    void navigator.clipboard?.writeText(editedText(document.data[field.name]))
  } else if (['Enter', 'F2'].includes(key)) begin(cell)
  else if (['Delete', 'Backspace'].includes(key)) save(document, field, '')
  else if (isTyped(event) && typedKinds.has(field.kind)) begin(cell, key)
  else return false
  return true
}

/** Kinds whose edit a typed character begins. */
const typedKinds = new Set<DataField['kind']>(['text', 'long', 'number', 'json'])

/** Column 0 has the button that opens the document. */
interface Cell {
  row: number
  column: number
}

/** The cell that a key leads to; null for a key that does not move. */
function moveOf(
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
function isTyped({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}
