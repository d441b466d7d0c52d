/** The versions of a document: what each one changed, who wrote it, and a button to restore it. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import {
  documentsKey,
  restoreVersion,
  versionsQuery,
  type Document,
  type DocumentVersion,
  type DocumentData,
} from './queries.ts'
import { useDataTexts } from './texts.ts'

export interface DocumentHistoryProps {
  document: Document
  onRestored(): void
}

export function DocumentHistory({ document, onRestored }: DocumentHistoryProps) {
  const t = useDataTexts()
  const scope = useProjectScope()
  const query = useQuery(versionsQuery(scope, document))
  const restore = useAct({
    run: (version: number) => restoreVersion(scope, document, version),
    done: t('restored'),
    refresh: [documentsKey(scope, document.collection)],
    onDone: onRestored,
  })
  return (
    <QueryState query={query}>
      {(versions) => (
        <>
          <ol className="flex flex-col divide-y divide-line">
            {versions.map((version, index) => (
              <li key={version.version} className="flex flex-col gap-2 py-4 first:pt-0">
                <Heading version={version}>
                  {!version.current && scope.may('member') && (
                    <Button
                      size="sm"
                      busy={restore.isPending && restore.variables === version.version}
                      onClick={() => restore.mutate(version.version)}
                    >
                      {t('restore')}
                    </Button>
                  )}
                </Heading>
                <Changes version={version} before={versions[index + 1]} />
              </li>
            ))}
          </ol>
          {versions.length === 1 && <p className="text-sm text-muted">{t('no_history')}</p>}
        </>
      )}
    </QueryState>
  )
}

function Heading({ version, children }: { version: DocumentVersion; children: ReactNode }) {
  const t = useDataTexts()
  const { author, through, current, written_at } = version
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
        <span className="font-medium">{t('version_number', { version: version.version })}</span>
        {current && (
          <Badge tone="good" dot>
            {t('current')}
          </Badge>
        )}
        <span className="text-sm text-muted">
          <Moment at={written_at} />
          {author !== null && ` · ${author.name ?? t('unknown_author')}`}
          {through !== null && ` · ${t(`through_${through}`)}`}
        </span>
      </p>
      {children}
    </div>
  )
}

interface ChangesProps {
  version: DocumentVersion
  /** The version before; undefined if it is not kept. */
  before: DocumentVersion | undefined
}

function Changes({ version, before }: ChangesProps) {
  const t = useDataTexts()
  if (before === undefined) {
    return version.version === 1 ? (
      <p className="text-sm text-muted">{t('created_here')}</p>
    ) : (
      <p className="text-sm text-muted">{t('before_not_kept')}</p>
    )
  }
  const changes = changesBetween(before.data, version.data)
  if (changes.length === 0) return <p className="text-sm text-muted">{t('no_difference')}</p>
  return (
    <dl className="flex flex-col gap-2 rounded-lg border border-line bg-bg p-3 text-sm">
      {changes.map((change) => (
        <ChangedField key={change.name} change={change} />
      ))}
    </dl>
  )
}

function ChangedField({ change: { name, before, after } }: { change: FieldChange }) {
  return (
    <div className="min-w-0">
      <dt className="font-mono text-xs text-faint">{name}</dt>
      <dd className="flex flex-col font-mono text-xs break-words">
        {before !== null && (
          <del className="rounded bg-bad-soft px-1.5 py-0.5 text-bad no-underline">− {before}</del>
        )}
        {after !== null && (
          <ins className="rounded bg-good-soft px-1.5 py-0.5 text-good no-underline">+ {after}</ins>
        )}
      </dd>
    </div>
  )
}

interface FieldChange {
  name: string
  /** The values as text; null where the field is absent. */
  before: string | null
  after: string | null
}

/** The fields in which two versions of a document differ. */
function changesBetween(before: DocumentData, after: DocumentData): FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name): FieldChange[] => {
    const change = { name, before: textOf(before, name), after: textOf(after, name) }
    return change.before === change.after ? [] : [change]
  })
}

function textOf(data: DocumentData, name: string): string | null {
  if (!Object.hasOwn(data, name)) return null
  const value = data[name]
  return typeof value === 'string' ? value : JSON.stringify(value)
}
