/** A list as a table: its columns, and what is said while it has no row. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Table, type TableProps } from '../ui/display/table.tsx'
import { EmptyState, type EmptyStateProps } from '../ui/states/empty-state.tsx'
import { InfiniteList, type InfiniteListProps } from './infinite-list.tsx'
import { QueryState } from './query-state.tsx'

/** A list that is read page by page, or a short one that is read at once. */
type ListSource<Row> =
  | Pick<InfiniteListProps<Row>, 'query' | 'more'>
  | { query: UseQueryResult<readonly Row[]>; more?: undefined }

export type ListTableProps<Row> = ListSource<Row> &
  Pick<TableProps<Row>, 'label' | 'columns' | 'onOpen'> & {
    keyOf?(row: Row): string
    icon: ReactNode
    empty: Omit<EmptyStateProps, 'icon'>
  }

/** The key of a row is its id, unless the list says another one. */
export function ListTable<Row extends object>(props: ListTableProps<Row>) {
  const { label, columns, onOpen, icon, keyOf = idOf } = props
  const table = { label, columns, keyOf, ...(onOpen && { onOpen }) }
  const empty = <EmptyState icon={icon} {...props.empty} />
  if (props.more === undefined)
    return (
      <QueryState query={props.query}>
        {(rows) => (rows.length === 0 ? empty : <Table {...table} rows={rows} />)}
      </QueryState>
    )
  return (
    <InfiniteList query={props.query} more={props.more} empty={empty}>
      {(rows) => <Table {...table} rows={rows} />}
    </InfiniteList>
  )
}

function idOf(row: object): string {
  return 'id' in row ? String(row.id) : ''
}
