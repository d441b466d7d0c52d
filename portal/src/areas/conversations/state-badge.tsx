/** The state of a conversation as a badge. */
import { useTexts } from '../../language/texts.ts'
import { Badge } from '../../ui/display/badge.tsx'
import type { Conversation } from './queries.ts'
import { inboxTexts } from './texts.ts'

type State = Pick<Conversation, 'status' | 'waiting_since'>

export function StateBadge({ conversation: { status, waiting_since } }: { conversation: State }) {
  const t = useTexts(inboxTexts)
  if (waiting_since !== null) {
    return (
      <Badge tone="warn" dot>
        {t('state_waiting')}
      </Badge>
    )
  }
  const tone = { active: 'accent', handed_off: 'good', closed: 'neutral' } as const
  return <Badge tone={tone[status]}>{t(`state_${status}`)}</Badge>
}
