/** The messages of a conversation, with sources, forms and proposals below the answers. */
import { Link } from '@tanstack/react-router'
import { BookOpenText, FileText, LayoutDashboard } from 'lucide-react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useLanguage } from '../../language/texts.ts'
import { pages } from '../../pages.ts'
import { useShellTexts } from '../../shell/texts.ts'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { cx } from '../../ui/class-names.ts'
import { FormCard } from './card/form-card.tsx'
import { ProposalCard } from './card/proposal-card.tsx'
import type { Message, Source } from './queries.ts'
import { useAssistantTexts } from './texts.ts'
import type { Conversation } from './use-conversation.ts'

export interface MessageListProps {
  conversation: Conversation
  /** Called when the person follows a link to a page. */
  onNavigate(): void
}

export function MessageList({ conversation, onNavigate }: MessageListProps) {
  const t = useAssistantTexts()
  const { messages, submitted, arriving, onProposal } = conversation
  const last = messages.at(-1)
  return (
    <ol className="flex flex-col gap-4">
      {messages.map((message) => (
        <li key={message.id} className={message.role === 'person' ? 'self-end' : ''}>
          <Bubble message={message} />
          {message.role === 'assistant' && (
            <Below
              message={message}
              conversation={conversation}
              hasForm={message.id === last?.id && submitted.length === 0}
              onNavigate={onNavigate}
            />
          )}
        </li>
      ))}
      {submitted.map((proposal) => (
        <li key={proposal.id}>
          <ProposalCard proposal={proposal} onChange={onProposal} onNavigate={onNavigate} />
        </li>
      ))}
      {arriving !== null && (
        <li>
          {arriving.text !== '' && <Words side="left">{arriving.text}</Words>}
          <p className="mt-1.5 text-sm text-muted">
            {t(isTool(arriving.tool) ? arriving.tool : 'thinking')}
          </p>
        </li>
      )}
    </ol>
  )
}

const tools = [
  'search_docs',
  'read_state',
  'find_records',
  'search_operations',
  'run_operation',
] as const

function isTool(name: string | null): name is (typeof tools)[number] {
  return tools.some((one) => one === name)
}

function Bubble({ message: { role, text, state } }: { message: Message }) {
  const t = useAssistantTexts()
  const isPerson = role === 'person'
  return (
    <>
      <p className="sr-only">{t(isPerson ? 'you' : 'assistant')}</p>
      {text !== '' && <Words side={isPerson ? 'right' : 'left'}>{text}</Words>}
      {state === 'stopped' && <p className="mt-1 text-sm text-muted">{t('stopped')}</p>}
    </>
  )
}

function Words({ side, children }: { side: 'left' | 'right'; children: string }) {
  return (
    <p
      className={cx(
        'w-fit max-w-full rounded-2xl px-3.5 py-2 wrap-anywhere whitespace-pre-wrap',
        side === 'right' ? 'rounded-br-md bg-accent text-on-accent' : 'rounded-bl-md bg-hover',
      )}
    >
      {children}
    </p>
  )
}

interface BelowProps extends MessageListProps {
  message: Message
  /** Whether the form can still be filled in. */
  hasForm: boolean
}

function Below({ message, conversation, hasForm, onNavigate }: BelowProps) {
  const { sources, form, proposals } = message
  const { id, onProposal } = conversation
  return (
    <div className="mt-2 flex flex-col gap-3">
      {proposals.map((proposal) => (
        <ProposalCard
          key={proposal.id}
          proposal={proposal}
          onChange={onProposal}
          onNavigate={onNavigate}
        />
      ))}
      {form !== null && hasForm && id !== null && (
        <FormCard
          form={form}
          conversation_id={id}
          onProposed={onProposal}
          onNavigate={onNavigate}
        />
      )}
      {sources.length > 0 && <Sources sources={sources} onNavigate={onNavigate} />}
      <Facts message={message} />
    </div>
  )
}

/** An answer costs less than a cent. */
const PRICE_DIGITS = 4

/** Says whether the search or a language model made the answer, and its cost. */
function Facts({ message: { made_by, model, cost_eur, text } }: { message: Message }) {
  const t = useAssistantTexts()
  const language = useLanguage()
  const price = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'EUR',
    maximumFractionDigits: PRICE_DIGITS,
  })
  return (
    <p className="flex items-center gap-1 text-xs text-faint">
      <CopyButton text={text} />
      {made_by === 'search' ? t('search_note') : `${model ?? ''} · ${price.format(cost_eur)}`}
    </p>
  )
}

const icons = { docs: BookOpenText, record: FileText, page: LayoutDashboard } as const

function Sources({ sources, onNavigate }: { sources: readonly Source[]; onNavigate(): void }) {
  const t = useAssistantTexts()
  return (
    <ul aria-label={t('sources')} className="flex flex-col gap-1.5">
      {sources.map((source) => (
        <li key={`${source.kind} ${source.href} ${source.title}`}>
          <SourceLink source={source} onNavigate={onNavigate} />
        </li>
      ))}
    </ul>
  )
}

function SourceLink({ source, onNavigate }: { source: Source; onNavigate(): void }) {
  const { kind, about, href } = source
  const { link } = useProjectScope()
  const title = useSourceTitle(source)
  const Icon = icons[kind]
  const content = (
    <>
      <Icon className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
      <span className="min-w-0">
        <span className="block font-medium wrap-anywhere text-fg">{title}</span>
        {about !== '' && <span className="line-clamp-3 text-sm text-muted">{about}</span>}
      </span>
    </>
  )
  const look =
    'flex items-start gap-2.5 rounded-lg border border-line bg-surface px-3 py-2 no-underline hover:bg-hover'
  if (kind === 'docs')
    return (
      <a href={href} target="_blank" rel="noreferrer" className={look}>
        {content}
      </a>
    )
  return (
    <Link to={link(href)} className={look} onClick={onNavigate}>
      {content}
    </Link>
  )
}

/** The name of a page in the language of the portal. */
function useSourceTitle({ kind, title, href }: Source): string {
  const t = useShellTexts()
  const page = kind === 'page' ? pages.find(({ path }) => path === href) : undefined
  return page === undefined ? title : t(page.name)
}
