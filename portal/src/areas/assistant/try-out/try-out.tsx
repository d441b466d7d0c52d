/** A conversation with the assistant by typing, with the knowledge behind each answer. */
import { MessagesSquare, Plus, RotateCcw, Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/actions/button.tsx'
import { Conversation, type Utterance } from '../../../ui/display/conversation.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import type { Reply } from '../queries.ts'
import type { Exchange, TriedConversation } from './conversation.ts'
import { Sources } from './sources.tsx'
import { useTryOutTexts } from './texts.ts'

/** The API accepts sixty turns: thirty questions with their answers. */
const EXCHANGES_MAX = 30
const CHARACTERS_MAX = 2_000

export interface TryOutProps {
  conversation: TriedConversation
  /** Whether there are unsaved changes, which the answers do not use. */
  isDraft: boolean
  onAddFact(question: string): void
}

export function TryOut({ conversation, isDraft, onAddFact }: TryOutProps) {
  const t = useTryOutTexts()
  const { exchanges, isWaiting, clear } = conversation
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [exchanges])
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        className="min-h-56 flex-1 overflow-y-auto p-5"
        tabIndex={0}
        role="log"
        aria-label={t('title')}
      >
        {exchanges.length === 0 ? (
          <Beginning onStart={conversation.start} onSay={conversation.say} />
        ) : (
          <Conversation utterances={utterancesOf(exchanges, t, onAddFact)} />
        )}
        {isWaiting && (
          <p role="status" className="mt-3 text-sm text-faint">
            {t('waiting')}
          </p>
        )}
        <div ref={end} />
      </div>
      <div className="border-t border-line p-4">
        {isDraft && <p className="mb-2.5 text-sm text-warn">{t('draft')}</p>}
        <SayForm
          onSay={conversation.say}
          disabled={isWaiting || exchanges.length >= EXCHANGES_MAX}
        />
        {exchanges.length > 0 && (
          <Button size="sm" kind="ghost" className="mt-2" disabled={isWaiting} onClick={clear}>
            <RotateCcw aria-hidden="true" />
            {t('again')}
          </Button>
        )}
      </div>
    </div>
  )
}

type Words = ReturnType<typeof useTryOutTexts>

function utterancesOf(
  exchanges: readonly Exchange[],
  t: Words,
  onAddFact: (question: string) => void,
): Utterance[] {
  return exchanges.flatMap(({ said, reply }, index) => {
    const asked: Utterance[] =
      said === null ? [] : [{ key: `${index} said`, side: 'right', speaker: t('you'), text: said }]
    if (reply === null) return asked
    const below = <Below said={said} reply={reply} onAddFact={onAddFact} />
    return [
      ...asked,
      { key: `${index} reply`, side: 'left', speaker: t('assistant'), text: reply.text, below },
    ]
  })
}

interface BelowProps {
  said: string | null
  reply: Reply
  onAddFact(question: string): void
}

/** Shows below an answer its sources, its action, or how to get a better answer. */
function Below({ said, reply: { action, sources }, onAddFact }: BelowProps) {
  const t = useTryOutTexts()
  if (said === null) return null
  if (action !== null) return <p className="mt-1.5 text-sm text-muted">{t(`action_${action}`)}</p>
  return (
    <div className="mt-1.5 flex flex-col items-start gap-1.5">
      <Sources sources={sources} />
      {!sources.some(({ quoted }) => quoted) && (
        <Button size="sm" onClick={() => onAddFact(said)}>
          <Plus aria-hidden="true" />
          {t('add_fact')}
        </Button>
      )}
    </div>
  )
}

function Beginning({ onStart, onSay }: { onStart(): void; onSay(text: string): void }) {
  const t = useTryOutTexts()
  return (
    <div className="flex flex-col items-center gap-3 py-4 text-center">
      <MessagesSquare className="size-6 text-accent" aria-hidden="true" />
      <p className="max-w-64 text-sm text-muted">{t('about')}</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button size="sm" onClick={onStart}>
          {t('hear_greeting')}
        </Button>
        {(['question_open', 'question_person'] as const).map((key) => (
          <Button key={key} size="sm" onClick={() => onSay(t(key))}>
            {t(key)}
          </Button>
        ))}
      </div>
    </div>
  )
}

function SayForm({ onSay, disabled }: { onSay(text: string): void; disabled: boolean }) {
  const t = useTryOutTexts()
  const [text, setText] = useState('')
  return (
    <form
      className="flex gap-2"
      onSubmit={submit(() => {
        if (text.trim() === '' || disabled) return
        onSay(text.trim())
        setText('')
      })}
    >
      <Input
        aria-label={t('say')}
        autoComplete="off"
        maxLength={CHARACTERS_MAX}
        placeholder={t('say')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" kind="primary" size="icon" aria-label={t('send')} disabled={disabled}>
        <Send aria-hidden="true" />
      </Button>
    </form>
  )
}
