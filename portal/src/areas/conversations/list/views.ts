/** The views of the inbox, and the conversations of the selected one in their order. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../../api/project-scope.tsx'
import {
  conversationsQuery,
  waitingQuery,
  type ConversationFilter,
  type ListedConversation,
} from '../queries.ts'

export const views = ['all', 'waiting', 'assistant', 'closed'] as const
export type View = (typeof views)[number]

const filters: Readonly<Record<View, ConversationFilter>> = {
  all: {},
  waiting: { waiting: true },
  assistant: { status: 'active' },
  closed: { status: 'closed' },
}

export interface InboxList {
  /** undefined while they are being read. */
  rows: readonly ListedConversation[] | undefined
  error: Error | null
  retry(): void
  /** Reads older conversations; null if all are shown. */
  more: (() => void) | null
  isReadingMore: boolean
}

/** In the view `all`, waiting conversations come first, and the longest waiting is at the top. */
export function useInboxList(view: View, filter: ConversationFilter): InboxList {
  const scope = useProjectScope()
  const list = useInfiniteQuery(conversationsQuery(scope, { ...filter, ...filters[view] }))
  const waiting = useQuery({ ...waitingQuery(scope, filter), enabled: view === 'all' })
  const found = list.data?.pages.flatMap(({ data }) => data)
  const first = view === 'all' ? waiting.data : []
  return {
    rows: found && first && inOrder(found, first),
    error: list.error ?? waiting.error,
    retry() {
      void list.refetch()
      void waiting.refetch()
    },
    more: list.hasNextPage ? () => void list.fetchNextPage() : null,
    isReadingMore: list.isFetchingNextPage,
  }
}

function inOrder(
  found: readonly ListedConversation[],
  waiting: readonly ListedConversation[],
): ListedConversation[] {
  const known = new Map([...found, ...waiting].map((row) => [row.id, row]))
  const rows = [...known.values()]
  const latest = (row: ListedConversation) => Date.parse(row.last_message_at)
  const waits = rows
    .filter((row) => row.waiting_since !== null)
    .toSorted((one, other) => since(one) - since(other))
  const others = rows
    .filter((row) => row.waiting_since === null)
    .toSorted((one, other) => latest(other) - latest(one))
  return [...waits, ...others]
}

function since({ waiting_since }: ListedConversation): number {
  return waiting_since === null ? 0 : Date.parse(waiting_since)
}
