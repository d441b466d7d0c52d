/** The left pane of the inbox: the filters, and the conversations below them. */
import { Inbox, SearchX } from 'lucide-react'
import { ProblemState } from '../../../api/query-state.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton.tsx'
import { useInboxTexts } from '../texts.ts'
import { ListItem } from './list-item.tsx'
import type { InboxList } from './views.ts'

export interface ConversationListProps {
  list: InboxList
  selected: string
  /** Whether the view shows only those who wait, and nothing else is filtered. */
  isWaitingView: boolean
  onSelect(id: string): void
}

export function ConversationList(props: ConversationListProps) {
  const { list, selected, isWaitingView, onSelect } = props
  const t = useInboxTexts()
  const { rows, error } = list
  if (rows === undefined) {
    if (error === null) return <SkeletonRows rows={7} />
    return (
      <div className="p-3">
        <ProblemState error={error} onRetry={list.retry} />
      </div>
    )
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={isWaitingView ? <Inbox aria-hidden="true" /> : <SearchX aria-hidden="true" />}
        title={t(isWaitingView ? 'nobody_waits' : 'nothing_found')}
        about={t(isWaitingView ? 'nobody_waits_about' : 'nothing_found_about')}
      />
    )
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <ul aria-label={t('list')}>
        {rows.map((row) => (
          <ListItem
            key={row.id}
            conversation={row}
            selected={row.id === selected}
            onSelect={() => onSelect(row.id)}
          />
        ))}
      </ul>
      {list.more !== null && (
        <p className="p-2 text-center">
          <Button kind="ghost" size="sm" busy={list.isReadingMore} onClick={list.more}>
            {t('more')}
          </Button>
        </p>
      )}
    </div>
  )
}
