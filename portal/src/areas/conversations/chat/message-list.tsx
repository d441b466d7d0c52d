/** The messages of a conversation: the visitor on the left, the assistant and people on the right. */
import { BookOpenText } from 'lucide-react'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import type { Message } from '../queries.ts'
import { useInboxTexts } from '../texts.ts'
import { usePersonName } from '../use-person-name.ts'
import { isWebAddress } from '../web-address.ts'
import type { PendingReply, Replies } from './use-replies.ts'

export interface MessageListProps {
  messages: readonly Message[]
  pending: readonly PendingReply[]
  replies: Replies
  visitor: string
  isAnswering: boolean
}

export function MessageList(props: MessageListProps) {
  const { messages, pending, replies, visitor, isAnswering } = props
  const t = useInboxTexts()
  const format = useFormat()
  const nameOf = usePersonName()
  const speakerOf = ({ role, person_id }: Message) => {
    if (role === 'visitor') return visitor
    return (person_id === null ? null : nameOf(person_id)) ?? t(`role_${role}`)
  }
  return (
    <ol aria-label={t('messages')} className="flex flex-col gap-1.5">
      {messages.map((message, index) => {
        const before = messages[index - 1]
        const day = format.date(message.created_at)
        const isNewDay = before === undefined || format.date(before.created_at) !== day
        return (
          <MessageItem
            key={message.id}
            message={message}
            speaker={speakerOf(message)}
            day={isNewDay ? day : null}
            isFirstOfRun={isNewDay || speakerOf(before) !== speakerOf(message)}
          />
        )
      })}
      {isAnswering && (
        <li className="mt-2 self-end text-sm text-muted" role="status">
          {t('is_answering')}…
        </li>
      )}
      {pending.map((reply) => (
        <PendingItem key={reply.client_message_id} reply={reply} replies={replies} />
      ))}
    </ol>
  )
}

interface MessageItemProps {
  message: Message
  speaker: string
  /** The day, if the message is the first one of it. */
  day: string | null
  isFirstOfRun: boolean
}

function MessageItem({ message, speaker, day, isFirstOfRun }: MessageItemProps) {
  const t = useInboxTexts()
  const { role, text, sources, tools, answer_kind, created_at } = message
  const isRight = role === 'assistant' || role === 'human'
  const note = noteOf(answer_kind)
  return (
    <li className={cx('flex flex-col', isRight ? 'items-end' : 'items-start')}>
      {day !== null && (
        <span className="my-3 w-full text-center text-xs font-medium text-muted">{day}</span>
      )}
      {isFirstOfRun ? (
        <p className="mt-2.5 mb-1 text-xs text-muted">
          <span className="font-medium text-fg">{speaker}</span> · <Clock at={created_at} />
        </p>
      ) : (
        <span className="sr-only">{speaker}</span>
      )}
      <Bubble role={role}>{text}</Bubble>
      {note !== null && <p className="mt-1 text-xs text-muted">{t(note)}</p>}
      <UsedTools tools={tools} />
      <Sources sources={sources} />
    </li>
  )
}

function noteOf(kind: Message['answer_kind']) {
  if (kind === 'suggestion' || kind === 'handoff' || kind === 'fallback')
    return `kind_${kind}` as const
  return null
}

const looks: Readonly<Record<Message['role'], string>> = {
  visitor: 'rounded-bl-md bg-hover',
  assistant: 'rounded-br-md bg-accent-soft',
  human: 'rounded-br-md bg-accent text-on-accent',
  system: 'border border-line text-sm text-muted',
}

function Bubble({ role, children }: { role: Message['role']; children: string }) {
  return (
    <p
      className={cx(
        'w-fit max-w-[min(85%,38rem)] rounded-2xl px-3.5 py-2 wrap-anywhere whitespace-pre-wrap',
        looks[role],
      )}
    >
      {children}
    </p>
  )
}

function Clock({ at }: { at: string }) {
  const format = useFormat()
  return (
    <time dateTime={at} title={format.moment(at)}>
      {format.time(at)}
    </time>
  )
}

/** The tools that the assistant used for its reply, and those that it was refused. */
function UsedTools({ tools }: { tools: Message['tools'] }) {
  const t = useInboxTexts()
  const format = useFormat()
  if (tools.length === 0) return null
  return (
    <ul aria-label={t('tools')} className="mt-1 flex flex-col items-end text-xs text-muted">
      {tools.map(({ name, subject, outcome, count }, index) => (
        // The index is a stable key: the list of a message never changes.
        <li key={index} className="max-w-[min(85%,38rem)] text-right wrap-anywhere">
          {toolNames.some((one) => one === name) ? t(`tool_${name as ToolName}`) : name}
          {subject !== null && ` ${subject}`}:{' '}
          {t(`tool_is_${outcome}`, { found: format.number(count) })}
        </li>
      ))}
    </ul>
  )
}

const toolNames = ['look_up', 'identify', 'check_hours', 'take_message', 'transfer_call'] as const
type ToolName = (typeof toolNames)[number]

/** Links a source only if visitors cannot have written its address. */
function Sources({ sources }: { sources: Message['sources'] }) {
  const t = useInboxTexts()
  if (sources.length === 0) return null
  return (
    <ul aria-label={t('sources')} className="mt-1.5 flex flex-wrap justify-end gap-1.5">
      {sources.map(({ title, url, source_id }) => (
        <li
          key={source_id}
          className="flex max-w-72 items-center gap-1.5 rounded-md border border-line px-2 py-0.5 text-xs text-muted"
        >
          <BookOpenText className="size-3.5 shrink-0 text-accent" aria-hidden="true" />
          {url !== null && isWebAddress(url) ? (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="truncate text-accent underline"
            >
              {title || url}
            </a>
          ) : (
            <span className="truncate">{title || source_id}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

function PendingItem({ reply, replies }: { reply: PendingReply; replies: Replies }) {
  const t = useInboxTexts()
  const { text, fault } = reply
  return (
    <li className="mt-1 flex flex-col items-end">
      <Bubble role="human">{text}</Bubble>
      {fault === null ? (
        <p className="mt-1 text-xs text-muted">{t('sending')}</p>
      ) : (
        <div role="alert" className="mt-1 flex flex-wrap items-center justify-end gap-2 text-sm">
          <span className="text-bad">{fault === '' ? t('not_sent') : fault}</span>
          <Button size="sm" onClick={() => replies.resend(reply)}>
            {t('resend')}
          </Button>
          <Button size="sm" kind="ghost" onClick={() => replies.discard(reply)}>
            {t('discard')}
          </Button>
        </div>
      )}
    </li>
  )
}
