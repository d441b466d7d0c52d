/** One conversation: its header, its messages and the box to reply. */
import { useQuery } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { ProblemState } from '../../../api/query-state.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { AlertDialog } from '../../../ui/overlays/alert-dialog.tsx'
import { Drawer } from '../../../ui/overlays/drawer.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton.tsx'
import {
  conversationQuery,
  closeConversation,
  conversationsKey,
  type WholeConversation,
} from '../queries.ts'
import { useInboxTexts } from '../texts.ts'
import { useVisitorName } from '../visitor.tsx'
import { ChatHeader } from './chat-header.tsx'
import { Details } from './details.tsx'
import { MessageList } from './message-list.tsx'
import { ReplyBox } from './reply-box.tsx'
import type { Replies } from './use-replies.ts'

export interface ChatPaneProps {
  id: string
  replies: Replies
  field: RefObject<HTMLTextAreaElement | null>
  /** Whether the question to close the conversation is open. */
  closes: boolean
  onCloses(closes: boolean): void
  onBack(): void
}

export function ChatPane(props: ChatPaneProps) {
  const query = useQuery(conversationQuery(useProjectScope(), props.id))
  if (query.data !== undefined) return <OpenChat {...props} whole={query.data} />
  if (query.error === null) return <SkeletonRows />
  return (
    <div className="p-5 lg:col-span-2">
      <ProblemState error={query.error} onRetry={() => void query.refetch()} />
    </div>
  )
}

function OpenChat(props: ChatPaneProps & { whole: WholeConversation }) {
  const { whole, replies, field, closes, onCloses, onBack } = props
  const { conversation } = whole
  const t = useInboxTexts()
  const [shows, setShows] = useState(false)
  const isOpen = conversation.status !== 'closed'
  return (
    <>
      <section
        aria-label={t('about_conversation')}
        className="flex min-h-0 min-w-0 flex-col bg-surface"
      >
        <ChatHeader
          conversation={conversation}
          onBack={onBack}
          onClose={() => onCloses(true)}
          onDetails={() => setShows(true)}
        />
        <Messages whole={whole} replies={replies} />
        <ReplyBox conversation={conversation} replies={replies} field={field} />
      </section>
      <section
        aria-label={t('details')}
        className="min-h-0 overflow-y-auto border-l border-line max-xl:hidden"
        tabIndex={0}
      >
        <Details conversation={conversation} />
      </section>
      <Drawer open={shows} onClose={() => setShows(false)} title={t('details')}>
        <Details conversation={conversation} />
      </Drawer>
      <CloseDialog id={conversation.id} open={closes && isOpen} onOpenChange={onCloses} />
    </>
  )
}

const NEAR_END_PX = 80

/** Scrolls to a new message if the end of the list was in view; otherwise shows a button to it. */
function Messages({ whole, replies }: { whole: WholeConversation; replies: Replies }) {
  const t = useInboxTexts()
  const { conversation, messages } = whole
  const visitor = useVisitorName()(conversation)
  const pending = replies.pendingOf(conversation.id)
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [hasNew, setHasNew] = useState(false)
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  const last = messages.at(-1)?.id
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd()
    else setHasNew(true)
  }, [last])
  useEffect(() => {
    if (pending.length > 0) toEnd()
  }, [pending.length])
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        tabIndex={0}
        role="log"
        aria-label={t('messages')}
        className="-outline-offset-2! h-full overflow-y-auto px-3 pb-5 sm:px-5"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX
          if (isAtEnd.current) setHasNew(false)
        }}
      >
        <MessageList
          messages={messages}
          pending={pending}
          replies={replies}
          visitor={visitor}
          isAnswering={conversation.turn_state === 'answering'}
        />
      </div>
      {hasNew && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button size="sm" className="pointer-events-auto shadow-pop" onClick={toEnd}>
            <ArrowDown aria-hidden="true" />
            {t('new_messages')}
          </Button>
        </div>
      )}
    </div>
  )
}

interface CloseDialogProps {
  id: string
  open: boolean
  onOpenChange(open: boolean): void
}

/** Asks before a conversation is closed, because it cannot be opened again. */
function CloseDialog({ id, open, onOpenChange }: CloseDialogProps) {
  const t = useInboxTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: () => closeConversation(scope, id),
    done: t('closed'),
    refresh: [conversationsKey(scope)],
    onDone: () => onOpenChange(false),
  })
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('close_title')}
      about={t('close_about')}
      action={t('close')}
      busy={act.isPending}
      onConfirm={() => act.mutate(undefined)}
    />
  )
}
