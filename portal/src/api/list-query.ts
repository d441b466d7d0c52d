/** The query of a list that is read page by page and kept current. */
import { infiniteQueryOptions, keepPreviousData, type QueryKey } from '@tanstack/react-query'
import { pollEvery } from './live.ts'

const PAGE_SIZE = 50

export interface List<Page> {
  key: QueryKey
  read(page: { limit: number; cursor?: string }, signal: AbortSignal): Promise<Page>
  size?: number
  /** How often it is read without the stream of changes; absent: only when it is shown. */
  refresh_ms?: number
  /** For a log: false pauses it, true follows it while only its newest page is shown. */
  tail?: boolean
}

/** With another filter the rows of the former one are shown until the new ones are there. */
export function listQuery<Page extends { next_cursor: string | null }>(list: List<Page>) {
  const { key, read, size = PAGE_SIZE, refresh_ms, tail } = list
  const poll = refresh_ms !== undefined && pollEvery(refresh_ms)
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      read({ limit: size, ...(pageParam !== '' && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: Page) => next_cursor,
    placeholderData: keepPreviousData,
    meta: { paused: tail === false },
    refetchInterval: ({ state }) =>
      poll && (tail === undefined || (tail && (state.data?.pages.length ?? 0) <= 1)) && poll(),
  })
}
