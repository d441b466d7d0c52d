/** The form for a reply to the visitor, or the reason why there is none. */
import { Send } from 'lucide-react'
import { useState, type RefObject } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Textarea } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import type { Conversation } from '../queries.ts'
import { useInboxTexts } from '../texts.ts'
import type { Replies } from './use-replies.ts'

const CHARACTERS_MAX = 4_000

export interface ReplyBoxProps {
  conversation: Conversation
  replies: Replies
  field: RefObject<HTMLTextAreaElement | null>
}

export function ReplyBox({ conversation, replies, field }: ReplyBoxProps) {
  const t = useInboxTexts()
  const { may } = useProjectScope()
  const { status, closed_reason } = conversation
  if (status === 'closed') {
    return (
      <Note>
        {t('is_closed')} {t(`closed_${closed_reason ?? 'api'}`)}
      </Note>
    )
  }
  if (!may('member')) return <Note>{t('read_only')}</Note>
  return <Writing conversation={conversation} replies={replies} field={field} />
}

function Note({ children }: { children: React.ReactNode }) {
  return <p className="border-t border-line px-5 py-4 text-center text-muted">{children}</p>
}

function Writing({ conversation: { id, status }, replies, field }: ReplyBoxProps) {
  const t = useInboxTexts()
  const [text, setText] = useState(replies.draftOf(id))
  const write = (next: string) => {
    setText(next)
    replies.keepDraft(id, next)
  }
  const send = () => {
    if (text.trim() === '') return
    replies.send(id, text.trim())
    write('')
  }
  return (
    <form className="border-t border-line p-3 sm:px-5 sm:py-4" onSubmit={submit(() => send())}>
      <div className="flex items-end gap-2">
        <Textarea
          ref={field}
          rows={2}
          aria-label={t('reply')}
          placeholder={t('reply_as_person')}
          maxLength={CHARACTERS_MAX}
          value={text}
          onChange={({ target }) => write(target.value)}
          onKeyDown={(event) => {
            // An Enter that ends the composition of a character, as in Japanese, does not send.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
          className="field-sizing-content max-h-48 min-h-16! flex-1 resize-none"
        />
        <Button
          type="submit"
          kind="primary"
          size="icon"
          aria-label={t('send')}
          disabled={text.trim() === ''}
        >
          <Send aria-hidden="true" />
        </Button>
      </div>
      <p className="mt-1.5 flex flex-wrap gap-x-3 text-xs text-muted">
        {status === 'active' && <span>{t('reply_takes_over')}</span>}
        <span className="max-sm:hidden">{t('reply_keys')}</span>
      </p>
    </form>
  )
}
