/**
 * A table that sorts by a click on a heading. A long table renders only the rows in view, so its
 * cost does not depend on its length.
 */
import {
  createSortedRowModel,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { useUiTexts } from '../texts.ts'

/** Tables with more rows render only those in view. */
const PLAIN_ROWS_MAX = 60
const ROW_PX = 53

export interface Column<Row> {
  id: string
  title: string
  /** Hides the title except from screen readers, as for a column of buttons. */
  untitled?: true
  cell(row: Row): ReactNode
  /** The value to sort by; a column without it is not sortable. */
  sortBy?(row: Row): string | number
  align?: 'right'
  /** The screen width from which the column is shown. */
  from?: 'sm' | 'md' | 'lg'
}

export interface TableProps<Row> {
  /** The label of the table for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  onOpen?(row: Row): void
  /** Called when the last row of a long table comes near the view, to load more rows. */
  onEnd?(): void
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
})

const hidden = { sm: 'max-sm:hidden', md: 'max-md:hidden', lg: 'max-lg:hidden' } as const

function cellClass<Row>({ align, from }: Column<Row>): string {
  return cx('px-5', align === 'right' && 'text-right', from !== undefined && hidden[from])
}

export function Table<Row extends object>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, onOpen, onEnd } = props
  const scroller = useRef<HTMLDivElement>(null)
  const definitions = useMemo(() => columns.map(definitionOf), [columns])
  const data = useMemo(() => [...rows], [rows])
  const table = useTable({ features, columns: definitions, data, getRowId: keyOf })
  const sorted = table.getRowModel().rows
  const isVirtual = sorted.length > PLAIN_ROWS_MAX
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    enabled: isVirtual,
  })
  const items = virtual.getVirtualItems()
  const shown = isVirtual ? items.flatMap(({ index }) => sorted[index] ?? []) : sorted
  const isAtEnd = isVirtual && (items.at(-1)?.index ?? 0) === sorted.length - 1
  useEffect(() => {
    if (isAtEnd) onEnd?.()
  }, [isAtEnd, onEnd])
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div
      ref={scroller}
      className={cx('overflow-x-auto', isVirtual && 'max-h-[70dvh] overflow-y-auto')}
      {...(isVirtual && { tabIndex: 0, role: 'region', 'aria-label': label })}
    >
      <table className="w-full border-collapse text-left" aria-label={label}>
        <thead className={cx(isVirtual && 'sticky top-0 z-10 bg-surface')}>
          <tr className="border-b border-line">
            {columns.map((column) => (
              <Heading
                key={column.id}
                column={column}
                direction={table.getColumn(column.id)?.getIsSorted() ?? false}
                onSort={() => table.getColumn(column.id)?.toggleSorting()}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {isVirtual && <Spacer height={above} />}
          {shown.map(({ id, original }) => (
            <Row key={id} columns={columns} row={original} {...(onOpen && { onOpen })} />
          ))}
          {isVirtual && <Spacer height={below} />}
        </tbody>
      </table>
    </div>
  )
}

function definitionOf<Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> {
  const { id, sortBy } = column
  return {
    id,
    accessorFn: (row) => sortBy?.(row) ?? '',
    enableSorting: sortBy !== undefined,
    sortFn: 'basic',
  }
}

function Heading<Row>(props: {
  column: Column<Row>
  direction: false | 'asc' | 'desc'
  onSort(): void
}) {
  const { column, direction, onSort } = props
  const t = useUiTexts()
  const Arrow = direction === 'desc' ? ArrowDown : ArrowUp
  const order = { asc: 'ascending', desc: 'descending' } as const
  return (
    <th
      scope="col"
      aria-sort={direction === false ? undefined : order[direction]}
      className={cx(cellClass(column), 'h-9 text-xs font-medium whitespace-nowrap text-faint')}
    >
      {column.sortBy === undefined ? (
        <span className={cx(column.untitled && 'sr-only')}>{column.title}</span>
      ) : (
        <button
          type="button"
          onClick={onSort}
          title={t('sort_by', { column: column.title })}
          className={cx(
            'group inline-flex items-center gap-1 rounded hover:text-fg',
            column.align === 'right' && 'flex-row-reverse',
          )}
        >
          {column.title}
          <Arrow
            aria-hidden="true"
            className={cx('size-3', direction === false && 'opacity-0 group-hover:opacity-60')}
          />
        </button>
      )}
    </th>
  )
}

function Row<Row extends object>(props: {
  columns: readonly Column<Row>[]
  row: Row
  onOpen?(row: Row): void
}) {
  const { columns, row, onOpen } = props
  return (
    <tr
      onClick={onOpen && (() => onOpen(row))}
      className={cx(
        'h-13 border-b border-line last:border-0',
        onOpen && 'cursor-pointer transition-colors hover:bg-hover/60',
      )}
    >
      {columns.map((column) => (
        <td key={column.id} className={cx(cellClass(column), 'py-2')}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

function Spacer({ height }: { height: number }) {
  return (
    <tr aria-hidden="true">
      <td style={{ height }} />
    </tr>
  )
}
