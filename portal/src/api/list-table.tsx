/** A list as a table: its columns, and what is said while it has no row. */
import type { ReactNode } from 'react'
import { Table, type TableProps } from '../ui/display/table.tsx'
import { EmptyState, type EmptyStateProps } from '../ui/states/empty-state.tsx'
import { InfiniteList, type InfiniteListProps } from './infinite-list.tsx'

export interface ListTableProps<Row>
  extends
    Pick<InfiniteListProps<Row>, 'query' | 'more'>,
    Pick<TableProps<Row>, 'label' | 'columns' | 'onOpen'> {
  keyOf?(row: Row): string
  icon: ReactNode
  empty: Omit<EmptyStateProps, 'icon'>
}

/** The key of a row is its id, unless the list says another one. */
export function ListTable<Row extends object>(props: ListTableProps<Row>) {
  const { query, more, icon, empty, keyOf = idOf, ...table } = props
  return (
    <InfiniteList query={query} more={more} empty={<EmptyState icon={icon} {...empty} />}>
      {(rows) => <Table {...table} rows={rows} keyOf={keyOf} />}
    </InfiniteList>
  )
}

function idOf(row: object): string {
  return 'id' in row ? String(row.id) : ''
}
