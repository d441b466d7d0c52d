/** One source in the list, with its actions. */
import {
  Database,
  Ellipsis,
  Eye,
  FileText,
  Globe,
  LayoutTemplate,
  RefreshCw,
  Settings,
  Trash2,
  Type,
} from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Menu, MenuItem } from '../../ui/actions/menu.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { collectionsKey } from '../data/queries.ts'
import {
  deleteSource,
  knowledgeKey,
  refreshSource,
  setAssistantFacts,
  type Source,
} from './queries.ts'
import { SourceFault, SourceProgress, SourceState } from './source-state.tsx'
import { useKnowledgeTexts } from './texts.ts'

const icons = {
  website: Globe,
  site: LayoutTemplate,
  collection: Database,
  text: Type,
  media: FileText,
} as const

export interface SourceRowProps {
  source: Source
  onOpen(): void
}

export function SourceRow({ source, onOpen }: SourceRowProps) {
  const t = useKnowledgeTexts()
  const { mode } = useProjectScope()
  const { title, kind, test } = source
  const Icon = icons[kind]
  return (
    <li className="flex items-start gap-3 px-5 py-4">
      <Icon className="mt-0.75 size-4 shrink-0 text-accent" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <button
            type="button"
            onClick={onOpen}
            className="min-w-0 truncate rounded font-medium hover:underline"
          >
            {title}
          </button>
          <SourceState source={source} />
          {test && mode === 'live' && <Badge tone="warn">{t('is_test')}</Badge>}
        </div>
        <SourceSize source={source} />
        <SourceProgress source={source} />
        <SourceFault source={source} />
      </div>
      <SourceActions source={source} onOpen={onOpen} />
    </li>
  )
}

function SourceSize({ source }: { source: Source }) {
  const t = useKnowledgeTexts()
  const format = useFormat()
  const { kind, pages, chunks, bytes, indexed_at } = source
  const hasPages = kind === 'website' || kind === 'site'
  const parts = [
    t(kind),
    ...(hasPages && pages > 0 ? [t('pages', { count: pages })] : []),
    kind === 'collection' ? t('documents', { count: chunks }) : t('passages', { count: chunks }),
    format.bytes(bytes),
  ]
  return (
    <p className="mt-0.5 text-sm text-muted">
      {parts.join(' · ')} ·{' '}
      {indexed_at === null ? (
        t('never_read')
      ) : (
        <>
          {t('read_at')} <Moment at={indexed_at} />
        </>
      )}
    </p>
  )
}

function SourceActions({ source, onOpen }: SourceRowProps) {
  const t = useKnowledgeTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const { id, title, kind, managed_by, collection, status } = source
  const refresh = [knowledgeKey(scope), ...(collection === null ? [] : [collectionsKey(scope)])]
  const remove = useAct({
    run: () =>
      collection === null ? deleteSource(scope, id) : setAssistantFacts(scope, collection, false),
    done: t('removed'),
    refresh,
    onDone: () => setAsks(false),
  })
  const again = useAct({ run: () => refreshSource(scope, id), done: t('refreshed'), refresh })
  const go = (path: string) => void navigate({ to: scope.link(path), search: true })
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button kind="ghost" size="icon" aria-label={t('actions', { title })}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem icon={<Eye aria-hidden="true" />} onSelect={onOpen}>
          {t('open')}
        </MenuItem>
        {kind !== 'collection' && status !== 'pending' && (
          <MenuItem
            icon={<RefreshCw aria-hidden="true" />}
            onSelect={() => again.mutate(undefined)}
          >
            {t('refresh')}
          </MenuItem>
        )}
        {collection !== null && (
          <MenuItem
            icon={<Database aria-hidden="true" />}
            onSelect={() => go(`/data/${collection}`)}
          >
            {t('to_collection')}
          </MenuItem>
        )}
        {managed_by === 'assistant' ? (
          <MenuItem icon={<Settings aria-hidden="true" />} onSelect={() => go('/assistant')}>
            {t('to_settings')}
          </MenuItem>
        ) : (
          <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => setAsks(true)}>
            {t('remove')}
          </MenuItem>
        )}
      </Menu>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('remove_title', { title })}
        about={t(collection === null ? 'remove_about' : 'remove_collection')}
        action={t('remove')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      />
    </>
  )
}
