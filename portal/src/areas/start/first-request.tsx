/** Waits until the project receives its first request, and shows it. */
import { Link } from '@tanstack/react-router'
import { ArrowRight, CircleCheck } from 'lucide-react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { StatusBadge } from '../requests/status-badge.tsx'
import type { LoggedRequest } from './queries.ts'
import { useStartTexts } from './texts.ts'

export function FirstRequest({ request }: { request: LoggedRequest | null }) {
  const t = useStartTexts()
  return (
    <div aria-live="polite">
      {request === null ? (
        <>
          <p className="flex items-center gap-2.5 font-medium">
            <span aria-hidden="true" className="relative flex size-2.5">
              <span className="absolute inline-flex size-full animate-ping rounded-full bg-accent opacity-60" />
              <span className="relative inline-flex size-2.5 rounded-full bg-accent" />
            </span>
            {t('waiting')}
          </p>
          <p className="mt-1 text-sm text-muted">{t('waiting_about')}</p>
        </>
      ) : (
        <Arrived request={request} />
      )}
    </div>
  )
}

function Arrived({ request }: { request: LoggedRequest }) {
  const t = useStartTexts()
  const format = useFormat()
  const { link } = useProjectScope()
  const { status, created_at, operation } = request
  return (
    <>
      <p className="flex items-center gap-2 font-medium text-good">
        <CircleCheck className="size-4.5" aria-hidden="true" />
        {t('arrived')}
      </p>
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-bg px-3.5 py-2.5">
        <StatusBadge status={status} />
        <code className="min-w-0 flex-1 font-mono text-sm">{operation ?? request.path}</code>
        <span className="text-sm text-muted">{format.ago(created_at)}</span>
      </p>
      <Link
        to={link('/requests')}
        className="mt-3 inline-flex items-center gap-1 font-medium text-accent no-underline hover:underline"
      >
        {t('all_requests')} <ArrowRight className="size-3.5" aria-hidden="true" />
      </Link>
    </>
  )
}
