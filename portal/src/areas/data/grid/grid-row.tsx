/** A row of the grid. It renders again only if its document, focus or edit changes. */
import { Check, Maximize2 } from 'lucide-react'
import { memo, useEffect, useRef, type RefObject } from 'react'
import type { Format } from '../../../language/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { textOf, type DataField } from '../fields.ts'
import type { Document } from '../queries.ts'
import { CellEditor, type Leave } from './cell-editor.tsx'
import { CREATED_PX, OPEN_PX, ROW_PX, type GridColumn } from './columns.ts'
import type { EditingCell } from './use-grid.ts'

export interface GridRowProps {
  document: Document
  index: number
  start: number
  columns: readonly GridColumn[]
  format: Format
  openLabel: string
  /** The focused column, or null. */
  focused: number | null
  /** Set by a key that moves, so that the cell takes the focus once. */
  wantsFocus: RefObject<boolean>
  editing: EditingCell | null
  onOpen(document: Document): void
  onFocusCell(column: number): void
  onBegin(column: number): void
  onSave(field: DataField, text: string, leave: Leave): void
  onCancel(): void
}

export const GridRow = memo(
  function Row(props: GridRowProps) {
    const { document, index, start, columns, format, openLabel, focused, editing } = props
    const { wantsFocus, onOpen, onFocusCell } = props
    const isFirst = focused === null && index === 0
    const row = useRef<HTMLDivElement>(null)
    // A key has moved to a cell of this row, which may just have been rendered.
    useEffect(() => {
      if (focused === null || editing !== null || !wantsFocus.current) return
      wantsFocus.current = false
      row.current?.querySelector<HTMLElement>(`[data-column="${focused}"]`)?.focus()
    })
    return (
      <div
        ref={row}
        role="row"
        aria-rowindex={index + 2}
        className={cx(
          'group absolute top-0 left-0 flex w-full border-b border-line hover:bg-hover/50',
          editing !== null && 'z-10',
        )}
        style={{ height: ROW_PX, transform: `translateY(${start}px)` }}
      >
        <div
          role="gridcell"
          className="sticky left-0 z-10 grid shrink-0 place-items-center bg-surface group-hover:bg-hover"
          style={{ width: OPEN_PX }}
        >
          <button
            type="button"
            data-column={0}
            aria-label={openLabel}
            title={openLabel}
            tabIndex={focused === 0 || isFirst ? 0 : -1}
            onFocus={() => onFocusCell(0)}
            onClick={() => onOpen(document)}
            className="grid size-7 place-items-center rounded-md text-faint hover:bg-accent-soft hover:text-accent"
          >
            <Maximize2 className="size-3.5" aria-hidden="true" />
          </button>
        </div>
        {columns.map((column, at) => (
          <DataCell key={column.field.name} {...props} column={column} at={at + 1} />
        ))}
        <div
          role="gridcell"
          className="ml-auto flex shrink-0 items-center justify-end px-3 text-sm whitespace-nowrap text-muted"
          style={{ width: CREATED_PX }}
          title={format.moment(document.created_at)}
        >
          {format.ago(document.created_at)}
        </div>
      </div>
    )
  },
  (one, other) =>
    one.document === other.document &&
    one.index === other.index &&
    one.start === other.start &&
    one.columns === other.columns &&
    one.focused === other.focused &&
    one.editing === other.editing &&
    one.format === other.format &&
    one.openLabel === other.openLabel &&
    // The handlers of these use the state of the grid.
    one.focused === null &&
    one.editing === null,
)

function DataCell(props: GridRowProps & { column: GridColumn; at: number }) {
  const { document, column, at, focused, editing } = props
  const { onFocusCell, onBegin, onSave, onCancel } = props
  const { field, width, isRight } = column
  const value = document.data[field.name]
  const isEdited = editing?.name === field.name
  return (
    <div
      role="gridcell"
      data-column={at}
      tabIndex={focused === at && !isEdited ? 0 : -1}
      onFocus={() => focused !== at && onFocusCell(at)}
      onDoubleClick={() => onBegin(at)}
      className={cx(
        'relative flex shrink-0 cursor-default items-center border-l border-line/60 px-3 -outline-offset-2!',
        'focus:outline-2 focus:outline-accent',
        isRight && 'justify-end',
      )}
      style={{ width }}
    >
      {isEdited ? (
        <CellEditor
          field={field}
          text={editing.text}
          fault={editing.fault}
          onSave={(text, leave) => onSave(field, text, leave)}
          onCancel={onCancel}
        />
      ) : (
        <CellText field={field} value={value} />
      )}
    </div>
  )
}

const TEXT_MAX = 300

function CellText({ field, value }: { field: DataField; value: unknown }) {
  if (value === undefined || value === null) return null
  if (field.kind === 'boolean' && typeof value === 'boolean') {
    return value ? (
      <Check className="size-4 text-good" role="img" aria-label="✓" />
    ) : (
      <span className="text-faint">–</span>
    )
  }
  const text = textOf(value).slice(0, TEXT_MAX)
  if (field.kind === 'choice') {
    return <span className="truncate rounded-full bg-hover px-2 text-sm">{text}</span>
  }
  return (
    <span className={cx('truncate', field.kind === 'json' && 'text-muted')}>
      {field.kind === 'number' ? <span className="tabular-nums">{text}</span> : text}
    </span>
  )
}
