/** One change, and the way to its record. */
import { Link } from '@tanstack/react-router'
import { ArrowRight, ExternalLink } from 'lucide-react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import { ActorIcon, useActorName } from './actor.tsx'
import { useChangeName, useChangeNote } from './change-name.tsx'
import type { ActivityEntry, ActivityFilter } from './queries.ts'
import { useActivityTexts } from './texts.ts'

export interface ActivityDrawerProps {
  entry: ActivityEntry | null
  onClose(): void
  onFilter(filter: ActivityFilter): void
}

export function ActivityDrawer({ entry, onClose, onFilter }: ActivityDrawerProps) {
  const changeName = useChangeName()
  return (
    <RecordDrawer record={entry} onClose={onClose} title={({ operation }) => changeName(operation)}>
      {(entry) => <Detail entry={entry} onFilter={onFilter} />}
    </RecordDrawer>
  )
}

interface DetailProps {
  entry: ActivityEntry
  onFilter(filter: ActivityFilter): void
}

function Detail({ entry, onFilter }: DetailProps) {
  const t = useActivityTexts()
  const format = useFormat()
  const actorName = useActorName()
  const { actor, resource } = entry
  return (
    <>
      <div className="flex items-center gap-3 rounded-lg border border-line bg-bg px-4 py-3">
        <ActorIcon actor={actor} />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-all">{actorName(actor)}</p>
          <p className="text-sm text-muted">{format.moment(entry.created_at)}</p>
        </div>
        <Badge>{t(entry.entry_point)}</Badge>
      </div>
      <EntryFacts entry={entry} />
      <div className="flex flex-wrap gap-2">
        <OpenRecord entry={entry} />
        {resource.id !== null && (
          <Button size="sm" onClick={() => onFilter({ resource_id: resource.id ?? '' })}>
            {t('same_record')}
          </Button>
        )}
        {actor.id !== null && (
          <Button size="sm" onClick={() => onFilter({ actor_id: actor.id ?? '' })}>
            {t('same_actor')}
          </Button>
        )}
      </div>
    </>
  )
}

function EntryFacts({ entry }: { entry: ActivityEntry }) {
  const t = useActivityTexts()
  const changeNote = useChangeNote()
  const { actor, error, mode, note, operation, request_id, resource } = entry
  const isKnown = (fact: readonly [string, unknown]) => fact[1] !== null
  const actorKind = actor.kind === 'system' || actor.kind === 'operator' ? null : actor.kind
  return (
    <Facts
      facts={[
        [t('record'), changeNote(entry)] as const,
        [t('reason'), note] as const,
        [t('error'), error && <ErrorLink slug={error} />] as const,
        [t('who'), actorKind && t(actorKind)] as const,
        [t('mode'), mode && t(mode)] as const,
        [t('operation'), <Mono key="operation" text={operation} />] as const,
        [t('record_id'), resource.id && <Copied text={resource.id} />] as const,
        [t('request_id'), request_id && <Copied text={request_id} />] as const,
      ].filter(isKnown)}
    />
  )
}

/** The page of a kind of records; a record of some kinds has a page of its own. */
const pages: Readonly<Record<string, string>> = {
  agents: '/agents',
  approvals: '/approvals',
  calls: '/calls',
  collections: '/data',
  connections: '/keys',
  go_live: '/go-live',
  invitations: '/team',
  keys: '/keys',
  media: '/media',
  members: '/team',
  sites: '/sites',
  top_ups: '/billing',
  webhooks: '/webhooks',
}

function OpenRecord({ entry: { operation, resource } }: { entry: ActivityEntry }) {
  const t = useActivityTexts()
  const { link } = useProjectScope()
  const page = pages[resource.type]
  if (page === undefined) return null
  const isThere = resource.id !== null && !operation.endsWith('.delete')
  const own = resource.type === 'sites' && isThere ? `/${resource.id}` : ''
  return (
    <Link
      to={link(page + own)}
      className="inline-flex h-8 items-center gap-1.5 rounded-lg border border-line bg-surface px-3 text-sm font-medium text-fg no-underline shadow-card hover:border-line-strong"
    >
      {t('open')}
      <ArrowRight className="size-4" aria-hidden="true" />
    </Link>
  )
}

function ErrorLink({ slug }: { slug: string }) {
  return (
    <a href={`/docs/errors/${slug}`} target="_blank" rel="noreferrer">
      <code className="font-mono text-sm">{slug}</code>
      <ExternalLink className="ml-1 inline size-3.5" aria-hidden="true" />
    </a>
  )
}

function Mono({ text }: { text: string }) {
  return <code className="font-mono text-sm break-all">{text}</code>
}

function Copied({ text }: { text: string }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <Mono text={text} />
      <CopyButton text={text} />
    </span>
  )
}
