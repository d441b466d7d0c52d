/** Which documents would not fit a new schema, and why. */
import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { ProblemState } from '../../../api/query-state.tsx'
import { useServerText } from '../../../language/texts.ts'
import type { SchemaPreview } from '../queries.ts'
import { useSchemaTexts } from './texts.ts'

const SHOWN_MAX = 8

export function Misfits({ query }: { query: UseQueryResult<SchemaPreview> }) {
  const t = useSchemaTexts()
  const said = useServerText()
  if (query.error !== null) return <ProblemState error={query.error} />
  if (query.data === undefined) {
    return (
      <p role="status" className="flex items-center gap-2 text-muted">
        <LoaderCircle className="size-4 animate-spin" aria-hidden="true" />
        {t('checking')}
      </p>
    )
  }
  const { count, first } = query.data.misfits ?? { count: 0, first: [] }
  if (count === 0) {
    return (
      <p role="status" className="flex items-center gap-2 font-medium text-good">
        <CircleCheck className="size-4" aria-hidden="true" />
        {t('all_fit')}
      </p>
    )
  }
  const shown = first.slice(0, SHOWN_MAX)
  return (
    <div role="status" className="rounded-xl border border-line bg-warn-soft p-4">
      <p className="flex items-center gap-2 font-medium">
        <TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden="true" />
        {t('misfits', { count })}
      </p>
      <p className="mt-1 text-sm text-muted">{t('misfits_about')}</p>
      <ul className="mt-3 flex flex-col gap-1.5 text-sm">
        {shown.map(({ id, errors }) => (
          <li key={id} className="flex flex-wrap gap-x-3">
            <code className="font-mono text-xs leading-6 text-muted">{id.slice(0, 13)}…</code>
            <span className="min-w-0 flex-1">
              {errors.map(({ path, message }) => `${path.slice(1)} ${said(message)}`).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {count > shown.length && (
        <p className="mt-2 text-sm text-muted">
          {t('more_misfits', { count: count - shown.length })}
        </p>
      )}
    </div>
  )
}
