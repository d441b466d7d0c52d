/** One source: its state, the pages that were read and the passages that are searched. */
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { useServerText } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { Tabs } from '../../ui/display/tabs.tsx'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import { EditText } from './add/edit-text.tsx'
import { sourceQuery, type SourceDetail } from './queries.ts'
import { SourceFault, SourceProgress, SourceState } from './source-state.tsx'
import { useKnowledgeTexts } from './texts.ts'
import { TryQuestion } from './try-question.tsx'
import { Passages } from './passages.tsx'

export interface SourceDrawerProps {
  /** null if it is closed. */
  id: string | null
  onClose(): void
}

export function SourceDrawer({ id, onClose }: SourceDrawerProps) {
  const t = useKnowledgeTexts()
  const scope = useProjectScope()
  const query = useQuery({ ...sourceQuery(scope, id ?? ''), enabled: id !== null })
  return (
    <RecordDrawer record={id} onClose={onClose} title={() => query.data?.title ?? t('title')}>
      {() => (
        <QueryState query={query}>
          {(source) => <Detail key={source.id} source={source} onClose={onClose} />}
        </QueryState>
      )}
    </RecordDrawer>
  )
}

type TabName = 'pages' | 'passages' | 'try'

interface DetailProps {
  source: SourceDetail
  onClose(): void
}

function Detail({ source, onClose }: DetailProps) {
  const t = useKnowledgeTexts()
  const hasPages = source.kind === 'website' || source.kind === 'site'
  const [tab, setTab] = useState<TabName>(hasPages ? 'pages' : 'passages')
  const passages = {
    value: 'passages' as const,
    title: t('passages_tab'),
    count: source.chunks,
    body: <Passages source={source} />,
  }
  const pages = {
    value: 'pages' as const,
    title: t('pages_tab'),
    count: source.page_list.length,
    body: <PageList source={source} />,
  }
  const tries = { value: 'try' as const, title: t('try'), body: <TryQuestion /> }
  return (
    <div className="flex flex-col gap-5">
      <SourceFacts source={source} />
      <TextEditor source={source} onClose={onClose} />
      <Tabs
        label={source.title}
        value={tab}
        onChange={setTab}
        tabs={hasPages ? [pages, passages, tries] : [passages, tries]}
      />
    </div>
  )
}

/** The button that opens the editor of a text. */
function TextEditor({ source: { id, kind, title, text, managed_by }, onClose }: DetailProps) {
  const t = useKnowledgeTexts()
  const [edits, setEdits] = useState(false)
  if (kind !== 'text' || text === null || managed_by === 'assistant') return null
  return (
    <div>
      <Button size="sm" onClick={() => setEdits(true)}>
        <Pencil aria-hidden="true" />
        {t('edit_text')}
      </Button>
      {edits && (
        <EditText source={{ id, title, text }} onClose={() => setEdits(false)} onSaved={onClose} />
      )}
    </div>
  )
}

function SourceFacts({ source }: { source: SourceDetail }) {
  const t = useKnowledgeTexts()
  const format = useFormat()
  const { kind, url, bytes, indexed_at, next_refresh_at } = source
  return (
    <div>
      <Facts
        facts={[
          [t('state'), <SourceState source={source} />],
          [t('kind'), t(kind)],
          ...(url === null ? [] : [[t('address'), <Address key="address" url={url} />] as const]),
          [t('size'), format.bytes(bytes)],
          [t('last_read'), indexed_at === null ? t('never_read') : <Moment at={indexed_at} />],
        ]}
      />
      <SourceProgress source={source} />
      <SourceFault source={source} />
      {next_refresh_at !== null && (
        <p className="mt-1 text-sm text-muted">
          {t('next_read', { when: format.ago(next_refresh_at) })}
        </p>
      )}
    </div>
  )
}

function Address({ url }: { url: string }) {
  return <span className="break-all">{url}</span>
}

const tones = { waiting: 'neutral', read: 'good', failed: 'bad' } as const

function PageList({ source: { page_list } }: { source: SourceDetail }) {
  const t = useKnowledgeTexts()
  const said = useServerText()
  if (page_list.length === 0) return <p className="text-sm text-muted">{t('no_pages')}</p>
  return (
    <ul aria-label={t('pages_tab')} className="divide-y divide-line">
      {page_list.map(({ url, title, status, error }) => (
        <li key={url} className="flex items-start gap-3 py-2.5">
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium">{title || url}</p>
            <p className="truncate font-mono text-xs text-muted">{url}</p>
            {error !== null && <p className="text-sm text-bad">{said(error)}</p>}
          </div>
          <Badge tone={tones[status]}>{t(`page_${status}`)}</Badge>
        </li>
      ))}
    </ul>
  )
}
