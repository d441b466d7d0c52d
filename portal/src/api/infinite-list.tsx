/**
 * The states of a list that is read page by page: waiting, failed, empty, and the rows with a button
 * for more.
 */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { Button } from '../ui/actions/button.tsx'
import { SkeletonRows } from '../ui/states/skeleton.tsx'
import { ProblemState } from './query-state.tsx'

export interface InfiniteListProps<Row> {
  query: UseInfiniteQueryResult<InfiniteData<{ data: Row[] }>>
  /** The text of the button that reads the next page. */
  more: string
  empty: ReactNode
  children(rows: readonly Row[]): ReactNode
}

export function InfiniteList<Row>({ query, more, empty, children }: InfiniteListProps<Row>) {
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  if (rows === undefined) {
    if (query.error === null) return <SkeletonRows />
    return (
      <div className="p-5">
        <ProblemState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  }
  if (rows.length === 0) return empty
  return (
    <>
      {children(rows)}
      {query.hasNextPage && (
        <p className="border-t border-line px-3 py-2">
          <Button
            kind="ghost"
            size="sm"
            busy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {more}
          </Button>
        </p>
      )}
    </>
  )
}
