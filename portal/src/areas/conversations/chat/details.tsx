/** The details of a conversation: summary, visitor, page, cost and result. */
import type { ReactNode } from 'react'
import { useFormat } from '../../../language/format.ts'
import { Facts } from '../../../ui/display/facts.tsx'
import { LanguageName } from '../list/list-filters.tsx'
import type { Conversation } from '../queries.ts'
import { useInboxTexts } from '../texts.ts'
import { DeleteConversation, DeleteSummary } from './delete-conversation.tsx'
import { usePersonName } from '../use-person-name.ts'
import { isWebAddress } from '../web-address.ts'

export function Details({ conversation }: { conversation: Conversation }) {
  return (
    <div className="flex flex-col gap-6 p-5">
      <Summary conversation={conversation} />
      <MessagesLeft conversation={conversation} />
      <Visitor conversation={conversation} />
      <About conversation={conversation} />
      <Metadata conversation={conversation} />
      <DeleteConversation id={conversation.id} />
    </div>
  )
}

interface PartProps {
  conversation: Conversation
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function Summary({ conversation: { id, summary, status } }: PartProps) {
  const t = useInboxTexts()
  if (status !== 'closed') return null
  return (
    <section className="rounded-xl bg-accent-soft p-4">
      <h3 className="text-sm font-semibold">{t('summary')}</h3>
      <p className="mt-1 text-sm">{summary?.text ?? t('summary_waits')}</p>
      {summary !== null && summary.action_items.length > 0 && (
        <>
          <h4 className="mt-3 text-sm font-medium">{t('todo')}</h4>
          <ul className="list-disc pl-5 text-sm">
            {summary.action_items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </>
      )}
      {summary !== null && <DeleteSummary id={id} />}
    </section>
  )
}

function MessagesLeft({ conversation: { messages_left } }: PartProps) {
  const t = useInboxTexts()
  if (messages_left.length === 0) return null
  return (
    <Part title={t('messages_left')}>
      <ul className="flex flex-col gap-2 text-sm">
        {messages_left.map(({ text, left_at }) => (
          <li key={left_at} className="border-l-2 border-accent pl-3 wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Visitor({ conversation: { visitor } }: PartProps) {
  const t = useInboxTexts()
  const known = (['name', 'email', 'phone', 'external_id'] as const).flatMap((field) => {
    const value = visitor[field]
    return value === null ? [] : [[t(field), <Value key={field}>{value}</Value>] as const]
  })
  return (
    <Part title={t('about_visitor')}>
      {known.length === 0 ? (
        <p className="text-sm text-muted">{t('unknown_visitor')}</p>
      ) : (
        <SmallFacts facts={known} />
      )}
    </Part>
  )
}

function About({ conversation }: PartProps) {
  const t = useInboxTexts()
  const format = useFormat()
  const { created_at, channel, language, page_url, turns, max_turns, cost_eur } = conversation
  const { resolution, handoff } = conversation
  return (
    <Part title={t('about_conversation')}>
      <SmallFacts
        facts={[
          [t('started'), format.moment(created_at)],
          [t('channel'), t(`channel_${channel}`)],
          [t('language'), <LanguageName key="language" tag={language} />],
          ...(page_url === null
            ? []
            : [[t('page'), <PageUrl key="page" url={page_url} />] as const]),
          [t('turns'), t('turns_of', { turns, max: max_turns })],
          [t('cost'), format.cost(cost_eur)],
          ...(handoff === null
            ? []
            : [[t('handoff'), <Handoff key="handoff" handoff={handoff} />] as const]),
          ...(resolution === null
            ? []
            : [[t('resolution'), t(`resolution_${resolution}`)] as const]),
        ]}
      />
    </Part>
  )
}

function Handoff({ handoff }: { handoff: NonNullable<Conversation['handoff']> }) {
  const t = useInboxTexts()
  const nameOf = usePersonName()
  const { reason, assigned_to } = handoff
  if (assigned_to === null) return t(`handoff_${reason}`)
  const name = nameOf(assigned_to)
  const by = name === null ? t('assigned_colleague') : t('assigned_to', { name })
  return `${t(`handoff_${reason}`)}, ${by}`
}

/**
 * The visitor's browser sends this address, so it becomes a link only if it is an http or https
 * URL.
 */
function PageUrl({ url }: { url: string }) {
  if (!isWebAddress(url)) return <Value>{url}</Value>
  return (
    <a href={url} target="_blank" rel="noreferrer" className="text-accent underline wrap-anywhere">
      {url.replace(/^https?:\/\//, '')}
    </a>
  )
}

function Metadata({ conversation: { metadata } }: PartProps) {
  const t = useInboxTexts()
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <Part title={t('metadata')}>
      <SmallFacts
        facts={entries.map(([name, value]) => [name, <Value key={name}>{value}</Value>])}
      />
    </Part>
  )
}

function Value({ children }: { children: string }) {
  return <span className="wrap-anywhere">{children}</span>
}

function SmallFacts({ facts }: Parameters<typeof Facts>[0]) {
  return (
    <div className="text-sm [&_dl]:grid-cols-[5.5rem_1fr] [&_dl]:gap-x-3 [&_dl]:gap-y-2">
      <Facts facts={facts} />
    </div>
  )
}
