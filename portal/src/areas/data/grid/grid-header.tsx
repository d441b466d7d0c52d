/** The headings of the grid; a click sorts on the server. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import { cx } from '../../../ui/class-names.ts'
import { fieldText } from '../filter/suggest.ts'
import { CREATED_PX, OPEN_PX, ROW_PX, type GridColumn } from './columns.ts'
import { useGridTexts } from './texts.ts'

export interface GridHeaderProps {
  columns: readonly GridColumn[]
  sort: string
  onSort(sort: string): void
}

export function GridHeader({ columns, sort, onSort }: GridHeaderProps) {
  const t = useGridTexts()
  return (
    <div role="rowgroup" className="sticky top-0 z-20 bg-bg">
      <div
        role="row"
        aria-rowindex={1}
        className="flex border-b border-line"
        style={{ height: ROW_PX }}
      >
        <div
          role="columnheader"
          className="sticky left-0 z-10 shrink-0 bg-bg"
          style={{ width: OPEN_PX }}
        >
          <span className="sr-only">{t('open_column')}</span>
        </div>
        {columns.map(({ field, width, isRight }) => (
          <Heading
            key={field.name}
            title={field.title}
            name={fieldText(field.name)}
            width={width}
            isRight={isRight}
            canSort={field.kind !== 'json' && field.kind !== 'long'}
            sort={sort}
            onSort={onSort}
          />
        ))}
        <Heading
          title={t('created_at')}
          name="created_at"
          width={CREATED_PX}
          isRight
          canSort
          isLast
          sort={sort}
          onSort={onSort}
        />
      </div>
    </div>
  )
}

interface HeadingProps {
  title: string
  /** As `sort` names the field. */
  name: string
  width: number
  isRight: boolean
  canSort: boolean
  isLast?: boolean
  sort: string
  onSort(sort: string): void
}

function Heading({ title, name, width, isRight, canSort, isLast, sort, onSort }: HeadingProps) {
  const t = useGridTexts()
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  const className = cx(
    'flex h-full w-full items-center gap-1 px-3 text-xs font-medium text-muted',
    isRight && 'justify-end',
  )
  return (
    <div
      role="columnheader"
      aria-sort={direction}
      className={cx('shrink-0 overflow-hidden', isLast && 'ml-auto')}
      style={{ width }}
    >
      {canSort ? (
        <button
          type="button"
          title={t('sort_by', { column: title })}
          onClick={() => onSort(direction === 'ascending' ? `-${name}` : name)}
          className={cx(className, 'group -outline-offset-2! hover:text-fg')}
        >
          <span className="truncate">{title}</span>
          <Arrow
            aria-hidden="true"
            className={cx(
              'size-3 shrink-0',
              direction === undefined && 'opacity-0 group-hover:opacity-60',
            )}
          />
        </button>
      ) : (
        <span className={className}>
          <span className="truncate">{title}</span>
        </span>
      )}
    </div>
  )
}
