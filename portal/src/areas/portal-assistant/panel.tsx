/** The panel of the portal assistant: a conversation, or the list of earlier ones. */
import { useQuery } from '@tanstack/react-query'
import { History, MessageSquarePlus, Send, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ProblemState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Textarea } from '../../ui/forms/input.tsx'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { ConversationList } from './conversation-list.tsx'
import { MessageList } from './message-list.tsx'
import { conversationsQuery } from './queries.ts'
import { useAssistantTexts } from './texts.ts'
import { useConversation, type Conversation } from './use-conversation.ts'

const general = ['ask_general', 'ask_go_live', 'ask_new_webhook'] as const

const ofPages = {
  '/webhooks': ['ask_webhooks', 'ask_new_webhook'],
  '/requests': ['ask_webhooks', 'ask_key'],
  '/data': ['ask_data', 'ask_new_data'],
  '/sites': ['ask_site', 'ask_media'],
  '/media': ['ask_media', 'ask_site'],
  '/numbers': ['ask_number', 'ask_calls'],
  '/calls': ['ask_calls', 'ask_number'],
  '/billing': ['ask_billing', 'ask_top_up'],
  '/team': ['ask_team', 'ask_key'],
  '/keys': ['ask_key', 'ask_webhooks'],
  '/go-live': ['ask_go_live', 'ask_number'],
} as const

export interface AssistantPanelProps {
  open: boolean
  onOpenChange(open: boolean): void
}

const CHARACTERS_MAX = 4_000

export function AssistantPanel({ open, onOpenChange }: AssistantPanelProps) {
  const t = useAssistantTexts()
  const conversation = useConversation()
  const [isListing, setListing] = useState(false)
  const reopen = async (id: string) => {
    await conversation.open(id)
    setListing(false)
  }
  return (
    <Drawer open={open} onClose={() => onOpenChange(false)} title={t('title')}>
      <div className="flex h-full flex-col">
        <div className="flex gap-1 border-b border-line px-3 py-1.5">
          <Button
            size="sm"
            kind="ghost"
            aria-pressed={isListing}
            onClick={() => setListing(!isListing)}
          >
            <History aria-hidden="true" />
            {t('history')}
          </Button>
          <Button
            size="sm"
            kind="ghost"
            onClick={() => {
              conversation.clear()
              setListing(false)
            }}
          >
            <MessageSquarePlus aria-hidden="true" />
            {t('new')}
          </Button>
        </div>
        {isListing ? (
          <ConversationList
            current={conversation.id}
            onOpen={(id) => void reopen(id)}
            onDeleted={(id) => id === conversation.id && conversation.clear()}
          />
        ) : (
          <Talk conversation={conversation} onNavigate={() => onOpenChange(false)} />
        )}
      </div>
    </Drawer>
  )
}

function Talk(props: { conversation: Conversation; onNavigate(): void }) {
  const { conversation, onNavigate } = props
  const { messages, arriving, refused, ask } = conversation
  const list = useRef<HTMLDivElement>(null)
  const isArriving = arriving !== null
  useEffect(() => {
    const last = list.current?.querySelector('ol > li:last-child')
    // A finished answer is read from its beginning.
    last?.scrollIntoView({ block: isArriving ? 'end' : 'start' })
  }, [messages.length, arriving?.text, isArriving, conversation.submitted.length])
  return (
    <>
      <div ref={list} className="min-h-0 flex-1 overflow-y-auto p-4" tabIndex={0} role="group">
        {messages.length === 0 && arriving === null && refused === null ? (
          <Beginning page={conversation.page} onAsk={ask} />
        ) : (
          <MessageList conversation={conversation} onNavigate={onNavigate} />
        )}
        {refused !== null && (
          <div className="mt-3">
            <ProblemState error={refused.problem} onRetry={() => ask(refused.text)} />
          </div>
        )}
      </div>
      <FinishedAnswer conversation={conversation} />
      <Composer conversation={conversation} />
    </>
  )
}

/** Announces a finished answer once, and not each piece of it. */
function FinishedAnswer({ conversation: { messages, arriving } }: { conversation: Conversation }) {
  const last = messages.at(-1)
  const text = arriving === null && last?.role === 'assistant' ? last.text : ''
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  )
}

function Beginning({ page, onAsk }: { page: string; onAsk(text: string): void }) {
  const t = useAssistantTexts()
  const { data } = useQuery(conversationsQuery(useProjectScope()))
  return (
    <div className="flex flex-col gap-4 py-2">
      <div>
        <h3 className="text-lg font-semibold tracking-tight">{t('empty_title')}</h3>
        {data !== undefined && (
          <p className="mt-1 text-muted">
            {t(data.model === null ? 'empty_search' : 'empty_model')}
          </p>
        )}
      </div>
      <ul className="flex flex-col items-start gap-2">
        {suggestFor(page).map((key) => (
          <li key={key}>
            <button
              type="button"
              className="rounded-lg border border-line-strong bg-surface px-3 py-2 text-left shadow-card hover:bg-hover"
              onClick={() => onAsk(t(key))}
            >
              {t(key)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Composer({ conversation: { ask, stop, arriving } }: { conversation: Conversation }) {
  const t = useAssistantTexts()
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => input.current?.focus(), [])
  const submit = () => {
    if (text.trim() === '' || arriving !== null) return
    ask(text.trim())
    setText('')
  }
  return (
    <form
      className="flex items-end gap-2 border-t border-line p-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Textarea
        ref={input}
        rows={2}
        aria-label={t('ask')}
        placeholder={t('ask')}
        maxLength={CHARACTERS_MAX}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          submit()
        }}
      />
      {arriving === null ? (
        <Button type="submit" kind="primary" size="icon" aria-label={t('send')}>
          <Send aria-hidden="true" />
        </Button>
      ) : (
        <Button size="icon" aria-label={t('stop')} onClick={stop}>
          <Square aria-hidden="true" />
        </Button>
      )}
    </form>
  )
}

type Suggestion = (typeof general)[number] | (typeof ofPages)[keyof typeof ofPages][number]

/** `page` is a path below the project, such as `/data/bookings`. */
function suggestFor(page: string): readonly Suggestion[] {
  const [, first = ''] = page.split('/')
  const found = Object.entries(ofPages).find(([path]) => path === `/${first}`)
  return found === undefined ? general : [...found[1], 'ask_general']
}
