/** One conversation in the list: who, the latest message, and whether the visitor waits. */
import { useFormat } from '../../../language/format.ts'
import { cx } from '../../../ui/class-names.ts'
import type { ListedConversation } from '../queries.ts'
import { useInboxTexts } from '../texts.ts'
import { Avatar, useVisitorName } from '../visitor.tsx'

export interface ListItemProps {
  conversation: ListedConversation
  selected: boolean
  onSelect(): void
}

export function ListItem({ conversation, selected, onSelect }: ListItemProps) {
  const t = useInboxTexts()
  const format = useFormat()
  const name = useVisitorName()(conversation)
  const { id, status, waiting_since, last_message_at, turn_state } = conversation
  const isWaiting = waiting_since !== null
  return (
    <li>
      <button
        type="button"
        aria-current={selected || undefined}
        data-conversation={id}
        onClick={onSelect}
        className={cx(
          '-outline-offset-2! flex w-full gap-3 border-b border-line px-3 py-3 text-left',
          selected ? 'bg-accent-soft' : 'hover:bg-hover/60',
        )}
      >
        <Avatar name={name} id={id} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={cx('min-w-0 flex-1 truncate', isWaiting && 'font-semibold')}>
              {name}
            </span>
            <time
              dateTime={last_message_at}
              title={format.moment(last_message_at)}
              className="shrink-0 text-xs text-muted"
            >
              {format.ago(last_message_at)}
            </time>
          </span>
          <span className="mt-0.5 flex items-center gap-2">
            <span
              className={cx(
                'min-w-0 flex-1 truncate text-sm',
                isWaiting ? 'font-medium text-fg' : 'text-muted',
              )}
            >
              <Preview conversation={conversation} />
            </span>
            {isWaiting && <Dot tone="bg-test-band" label={t('is_waiting')} />}
            {turn_state === 'answering' && (
              <Dot tone="animate-bounce bg-accent" label={t('is_answering')} />
            )}
          </span>
          {status === 'closed' && <span className="sr-only">{t('state_closed')}</span>}
        </span>
      </button>
    </li>
  )
}

function Dot({ tone, label }: { tone: string; label: string }) {
  return <span role="img" aria-label={label} className={cx('size-2 shrink-0 rounded-full', tone)} />
}

function Preview({ conversation: { last_message } }: { conversation: ListedConversation }) {
  const t = useInboxTexts()
  const { role, text } = last_message
  const before = role === 'human' || role === 'assistant' ? t(`preview_${role}`) : ''
  return before + text
}
