/** The earlier conversations of the person. */
import { useQuery } from '@tanstack/react-query'
import { MessagesSquare, Trash2 } from 'lucide-react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { conversationsKey, conversationsQuery, deleteConversation } from './queries.ts'
import { useAssistantTexts } from './texts.ts'

export interface ConversationListProps {
  current: string | null
  onOpen(id: string): void
  onDeleted(id: string): void
}

export function ConversationList({ current, onOpen, onDeleted }: ConversationListProps) {
  const t = useAssistantTexts()
  const scope = useProjectScope()
  const query = useQuery(conversationsQuery(scope))
  const act = useAct({
    run: (id: string) => deleteConversation(scope, id),
    done: t('deleted'),
    refresh: [conversationsKey(scope)],
    onDone: (_, id) => onDeleted(id),
  })
  return (
    <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0} role="group">
      <QueryState query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState
              icon={<MessagesSquare aria-hidden="true" />}
              title={t('history')}
              about={t('history_empty')}
            />
          ) : (
            <ul aria-label={t('history')} className="divide-y divide-line">
              {data.map(({ id, title, last_message_at }) => (
                <li key={id} className="flex items-center gap-2 px-3 py-2">
                  <button
                    type="button"
                    aria-current={id === current}
                    className="min-w-0 flex-1 rounded-lg px-2 py-1 text-left hover:bg-hover"
                    onClick={() => onOpen(id)}
                  >
                    <span className="block truncate font-medium">{title}</span>
                    <span className="text-sm text-muted">
                      <Moment at={last_message_at} />
                    </span>
                  </button>
                  <Button
                    kind="ghost"
                    size="icon"
                    aria-label={t('delete', { title })}
                    onClick={() => act.mutate(id)}
                  >
                    <Trash2 aria-hidden="true" />
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </div>
  )
}
