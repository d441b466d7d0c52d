/** The header of a conversation: the visitor, the state, and the actions of a person. */
import {
  ArrowLeft,
  Bot,
  CheckCheck,
  Copy,
  Download,
  Ellipsis,
  Hand,
  Info,
  Link2,
} from 'lucide-react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Menu, MenuItem } from '../../../ui/actions/menu.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { say } from '../../../ui/overlays/toast.tsx'
import { saveFile } from '../../../work/save-file.ts'
import { conversationsKey, handOff, readTranscript, type Conversation } from '../queries.ts'
import { useInboxTexts } from '../texts.ts'
import { Avatar, useVisitorName } from '../visitor.tsx'

export interface ChatHeaderProps {
  conversation: Conversation
  onBack(): void
  onClose(): void
  onDetails(): void
}

export function ChatHeader({ conversation, onBack, onClose, onDetails }: ChatHeaderProps) {
  const t = useInboxTexts()
  const { may } = useProjectScope()
  const name = useVisitorName()(conversation)
  const acts = may('member') && conversation.status !== 'closed'
  return (
    <header className="flex items-center gap-2.5 border-b border-line px-3 py-2.5 sm:px-5">
      <span className="lg:hidden">
        <Button kind="ghost" size="icon" aria-label={t('back')} onClick={onBack}>
          <ArrowLeft aria-hidden="true" />
        </Button>
      </span>
      <span className="max-sm:hidden">
        <Avatar name={name} id={conversation.id} />
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="truncate font-semibold">{name}</h2>
        <StateBadge conversation={conversation} />
      </div>
      {acts && (
        <div className="flex gap-2">
          <HandOffButton conversation={conversation} />
          <Button size="sm" onClick={onClose} aria-label={t('close')}>
            <CheckCheck aria-hidden="true" />
            <span className="max-sm:hidden lg:max-xl:hidden">{t('close')}</span>
          </Button>
        </div>
      )}
      <span className="xl:hidden">
        <Button kind="ghost" size="icon" aria-label={t('details')} onClick={onDetails}>
          <Info aria-hidden="true" />
        </Button>
      </span>
      <MoreActions conversation={conversation} name={name} />
    </header>
  )
}

function HandOffButton({ conversation: { id, status } }: Pick<ChatHeaderProps, 'conversation'>) {
  const t = useInboxTexts()
  const scope = useProjectScope()
  const takes = status === 'active'
  const act = useAct({
    run: () => handOff(scope, id, takes),
    done: t(takes ? 'taken_over' : 'given_back'),
    refresh: [conversationsKey(scope)],
  })
  const text = t(takes ? 'take_over' : 'give_back')
  return (
    <Button size="sm" aria-label={text} busy={act.isPending} onClick={() => act.mutate(undefined)}>
      {takes ? <Hand aria-hidden="true" /> : <Bot aria-hidden="true" />}
      <span className="max-sm:hidden lg:max-xl:hidden">{text}</span>
    </Button>
  )
}

interface MoreActionsProps {
  conversation: Conversation
  name: string
}

function MoreActions({ conversation: { id, created_at }, name }: MoreActionsProps) {
  const t = useInboxTexts()
  const scope = useProjectScope()
  const save = useAct({
    async run() {
      const text = await readTranscript(scope, id)
      const filename = `${name.replaceAll(/[^\p{L}\p{N}@.]+/gu, '-')}-${created_at.slice(0, 10)}.txt`
      saveFile({ blob: new Blob([`${text}\n`], { type: 'text/plain' }), filename })
    },
  })
  const copy = useAct({
    run: async () => navigator.clipboard.writeText(await readTranscript(scope, id)),
    done: t('transcript_copied'),
  })
  const copyLink = async () => {
    await navigator.clipboard.writeText(location.href)
    say(t('link_copied'))
  }
  return (
    <Menu
      align="end"
      trigger={
        <Button kind="ghost" size="icon" aria-label={t('more_actions')}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem icon={<Download aria-hidden="true" />} onSelect={() => save.mutate(undefined)}>
        {t('transcript_save')}
      </MenuItem>
      <MenuItem icon={<Copy aria-hidden="true" />} onSelect={() => copy.mutate(undefined)}>
        {t('transcript_copy')}
      </MenuItem>
      <MenuItem icon={<Link2 aria-hidden="true" />} onSelect={() => void copyLink()}>
        {t('link_copy')}
      </MenuItem>
    </Menu>
  )
}

type State = Pick<Conversation, 'status' | 'waiting_since'>

/** The state of a conversation as a badge. */
function StateBadge({ conversation: { status, waiting_since } }: { conversation: State }) {
  const t = useInboxTexts()
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
