/**
 * The documents as a grid whose cells are edited in place. Only the rows in view are rendered, so ten
 * thousand documents scroll like thirty. Keys are those of a spreadsheet.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { Undo2 } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { textOf, type DataField } from '../fields.ts'
import type { Document } from '../queries.ts'
import { columnsOf, ROW_PX, widthOf, type GridColumn } from './columns.ts'
import { GridHeader } from './grid-header.tsx'
import { GridRow } from './grid-row.tsx'
import { useGridTexts } from './texts.ts'
import type { EditState } from './use-edits.ts'
import { useGrid } from './use-grid.ts'

export interface DocumentGridProps {
  label: string
  fields: readonly DataField[]
  documents: readonly Document[]
  /** The number of all documents of the selection. */
  count: number
  sort: string
  onSort(sort: string): void
  onOpen(row: Document): void
  /** Is called while the last row is near, to load more. */
  onEnd(): void
}

export function DocumentGrid(props: DocumentGridProps) {
  const { label, fields, documents, count, sort, onSort, onOpen, onEnd } = props
  const t = useGridTexts()
  const format = useFormat()
  const scroller = useRef<HTMLDivElement>(null)
  const columns = useMemo(() => columnsOf(fields), [fields])
  const virtual = useVirtualizer({
    count: documents.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  })
  const grid = useGrid({ documents, columns, scrollTo: (row) => virtual.scrollToIndex(row) })
  const { cell, editing, state, mayUndo, undo } = grid
  const items = virtual.getVirtualItems()
  const isAtEnd = (items.at(-1)?.index ?? 0) >= documents.length - 1
  useEffect(() => {
    if (isAtEnd) onEnd()
  }, [isAtEnd, onEnd, documents.length])
  const rowOf = (index: number, start: number) => {
    const document = documents[index]
    if (document === undefined) return null
    return (
      <GridRow
        key={document.id}
        {...{ document, index, start, columns, format, onOpen }}
        openLabel={t('open', { title: titleOf(document, columns) })}
        focused={cell.row === index ? cell.column : null}
        wantsFocus={grid.wantsFocus}
        editing={editing?.id === document.id ? editing : null}
        onFocusCell={(column) => grid.setCell({ row: index, column })}
        onBegin={(column) => grid.begin({ row: index, column })}
        onSave={(field, text, leave) => {
          grid.leave(leave)
          grid.save(document, field, text)
        }}
        onCancel={() => grid.leave('stay')}
      />
    )
  }
  return (
    <section className="min-w-0 rounded-xl border border-line bg-surface shadow-card">
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length + 2}
        onKeyDown={editing === null ? grid.onKeyDown : undefined}
        className="max-h-[calc(100dvh-19rem)] min-h-60 overflow-auto overscroll-contain rounded-t-xl [contain:layout_paint]"
      >
        <div role="presentation" style={{ width: widthOf(columns), minWidth: '100%' }}>
          <GridHeader columns={columns} sort={sort} onSort={onSort} />
          <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start }) => rowOf(index, start))}
          </div>
        </div>
      </div>
      <GridFooter loaded={documents.length} onUndo={undo} {...{ count, state, mayUndo }} />
    </section>
  )
}

const TITLE_MAX = 60

/** The first value of the document in the order of the columns; its id if it is empty. */
function titleOf({ id, data }: Document, columns: readonly GridColumn[]): string {
  const named = columns.map(({ field }) => textOf(data[field.name])).find((text) => text !== '')
  return named === undefined ? id.slice(0, 8) : named.slice(0, TITLE_MAX)
}

interface GridFooterProps {
  loaded: number
  count: number
  state: EditState
  mayUndo: boolean
  onUndo(): void
}

/** How much of the list is loaded, and what became of the last edit. */
function GridFooter({ loaded, count, state, mayUndo, onUndo }: GridFooterProps) {
  const t = useGridTexts()
  const format = useFormat()
  const mayEdit = useProjectScope().may('member')
  const shown = format.number(loaded)
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 border-t border-line px-4 py-1 text-sm text-muted">
      <span className="tabular-nums">
        {loaded < count
          ? t('loaded', { shown, count: format.number(count) })
          : t('all_loaded', { count: loaded, shown })}
      </span>
      {mayEdit && <span className="text-faint max-md:hidden">{t('keys')}</span>}
      <span className="ml-auto flex items-center gap-2" role="status">
        {state !== 'none' && t(state)}
        {mayUndo && (
          <Button size="sm" kind="ghost" onClick={onUndo} title="Ctrl+Z">
            <Undo2 aria-hidden="true" />
            {t('undo')}
          </Button>
        )}
      </span>
    </div>
  )
}
