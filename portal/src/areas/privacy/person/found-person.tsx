/** The records about one person by kind, with their download and erasure. */
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { usePrivacyTexts } from '../texts.ts'
import { usePhoneCountry } from '../../company/use-phone-country.ts'
import { ErasePerson } from './erase-person.tsx'
import { exportPerson, toPerson, type FoundKind, type PersonSearch } from './queries.ts'
import { usePersonTexts } from './texts.ts'

const SHOWN = 5

export interface FoundPersonProps {
  /** The number, address or id that was searched. */
  typed: string
  result: PersonSearch
  onErased(): void
}

export function FoundPerson({ typed, result, onErased }: FoundPersonProps) {
  const t = usePersonTexts()
  const names = usePrivacyTexts()
  const { may } = useProjectScope()
  const kinds = result.kinds.filter(({ own, mentions }) => own + mentions > 0)
  if (kinds.length === 0)
    return (
      <div className="mt-6 rounded-lg bg-hover px-4 py-3">
        <p className="font-medium">{t('nothing')}</p>
        <p className="text-sm text-muted">{t('nothing_about')}</p>
      </div>
    )
  return (
    <div className="mt-6 flex flex-col gap-5">
      <ul className="divide-y divide-line rounded-lg border border-line">
        {kinds.map((kind) => (
          <KindFound key={kind.kind} kind={kind} />
        ))}
      </ul>
      <p className="text-sm text-muted">
        {t('not_searched')}: {result.not_searched.map(({ kind }) => names(kind)).join(', ')}.{' '}
        {t('backups')}
      </p>
      {may('admin') && (
        <div className="flex flex-wrap gap-3">
          <DownloadCopy typed={typed} />
          <ErasePerson typed={typed} kinds={kinds} onErased={onErased} />
        </div>
      )}
    </div>
  )
}

/** The link works for fifteen minutes, so it is followed at once. */
function DownloadCopy({ typed }: { typed: string }) {
  const t = usePersonTexts()
  const scope = useProjectScope()
  const country = usePhoneCountry()
  const act = useAct({
    run: () => exportPerson(scope, toPerson(typed, country)),
    done: t('exported'),
    onDone: ({ url }) => location.assign(url),
  })
  return (
    <Button busy={act.isPending} onClick={() => act.mutate(undefined)}>
      <Download aria-hidden="true" />
      {t('export')}
    </Button>
  )
}

function KindFound({ kind: { kind, own, mentions, records } }: { kind: FoundKind }) {
  const t = usePersonTexts()
  const names = usePrivacyTexts()
  const [all, setAll] = useState(false)
  const counts = [
    ...(own > 0 ? [t('found', { count: own })] : []),
    ...(mentions > 0 ? [t('mentions', { count: mentions })] : []),
  ]
  const shown = all ? records : records.slice(0, SHOWN)
  const rest = own + mentions - shown.length
  return (
    <li className="px-4 py-3">
      <h3 className="font-medium">{names(kind)}</h3>
      <p className="text-sm text-muted">{counts.join(', ')}</p>
      <ul className="mt-2 flex flex-col gap-1 text-sm">
        {shown.map((record) => (
          <li key={record.id} className="flex flex-wrap items-center gap-2">
            <RecordLink kind={kind} record={record} />
            {record.match === 'mention' && <Badge tone="warn">{t('mention')}</Badge>}
          </li>
        ))}
      </ul>
      {rest > 0 &&
        (shown.length < records.length ? (
          <Button kind="ghost" size="sm" onClick={() => setAll(true)}>
            {t('more', { count: rest })}
          </Button>
        ) : (
          <p className="mt-1 text-sm text-muted">{t('more', { count: rest })}</p>
        ))}
    </li>
  )
}

interface RecordLinkProps {
  kind: FoundKind['kind']
  record: FoundKind['records'][number]
}

function RecordLink({ kind, record: { id, collection, created_at } }: RecordLinkProps) {
  const scope = useProjectScope()
  const path = pathOf(kind, id, collection)
  const name = collection === null ? null : <span className="font-mono">{collection}</span>
  if (path === null)
    return (
      <span className="flex gap-2">
        {name}
        <Moment at={created_at} />
      </span>
    )
  return (
    <Link to={scope.link(path)} className="flex gap-2 text-accent underline">
      {name}
      <Moment at={created_at} />
    </Link>
  )
}

function pathOf(kind: string, id: string, collection: string | null): string | null {
  if (kind === 'calls') return `/calls/${id}`
  if (kind === 'messages') return `/messages/${id}`
  if (kind === 'conversations') return `/conversations/${id}`
  if (kind === 'unanswered_questions') return '/unanswered'
  return kind === 'documents' && collection !== null ? `/data/${collection}` : null
}
