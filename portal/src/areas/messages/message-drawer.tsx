/** The details of one message: its text, its times and why it failed. */
import { Reply } from 'lucide-react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import { personOf, tones } from './message-status.ts'
import type { Message } from './queries.ts'
import { useMessageTexts } from './texts.ts'

export interface MessageDrawerProps {
  message: Message | null
  onClose(): void
  onReply(to: string): void
}

export function MessageDrawer({ message, onClose, onReply }: MessageDrawerProps) {
  const t = useMessageTexts()
  const scope = useProjectScope()
  return (
    <RecordDrawer
      record={message}
      onClose={onClose}
      title={(message) => `${t('message')} ${personOf(message)}`}
    >
      {(message) => (
        <>
          <div>
            <Badge tone={tones[message.status]}>{t(message.status)}</Badge>
          </div>
          <p className="rounded-xl border border-line bg-accent-soft p-4 whitespace-pre-wrap wrap-anywhere">
            {message.text}
          </p>
          <MessageFacts message={message} />
          {message.direction === 'inbound' && scope.may('member') && (
            <Button onClick={() => onReply(message.from)}>
              <Reply aria-hidden="true" />
              {t('reply')}
            </Button>
          )}
        </>
      )}
    </RecordDrawer>
  )
}

function MessageFacts({ message }: { message: Message }) {
  const t = useMessageTexts()
  const format = useFormat()
  const { failure_reason, segments, encoding, cost_eur } = message
  const moment = (name: 'sent_at' | 'delivered_at' | 'failed_at'): [string, string][] => {
    const at = message[name]
    return at === null ? [] : [[t(name), format.moment(at)]]
  }
  const reason: [string, string][] =
    failure_reason === null ? [] : [[t('reason'), t(failure_reason)]]
  return (
    <Facts
      facts={[
        [t('from'), message.from],
        [t('to'), message.to],
        ...reason,
        [
          t(message.direction === 'inbound' ? 'received' : 'accepted_at'),
          format.moment(message.created_at),
        ],
        ...moment('sent_at'),
        ...moment('delivered_at'),
        ...moment('failed_at'),
        [t('encoding'), `${segments} · ${encoding === 'gsm7' ? 'GSM-7' : 'UCS-2'}`],
        [t('cost_label'), cost_eur === 0 ? t('free') : format.cost(cost_eur)],
      ]}
    />
  )
}
