/** The sources of an answer: the quoted one, and others that the search found. */
import { BookOpenText, Clock, Database, Globe, ScrollText } from 'lucide-react'
import type { Source } from '../queries.ts'
import { useTryOutTexts } from './texts.ts'

const icons = {
  fact: BookOpenText,
  instruction: ScrollText,
  website: Globe,
  document: Database,
  opening_hours: Clock,
} as const

export function Sources({ sources }: { sources: readonly Source[] }) {
  const t = useTryOutTexts()
  const quoted = sources.filter((source) => source.quoted)
  const others = sources.filter((source) => !source.quoted)
  if (sources.length === 0) return <p className="text-sm text-muted">{t('nothing_found')}</p>
  return (
    <>
      {quoted.length > 0 && <SourceList label={t('from')} sources={quoted} />}
      {others.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer text-muted hover:text-fg">
            {t('also_found', { count: others.length })}
          </summary>
          <SourceList label={t('also_found', { count: others.length })} sources={others} />
        </details>
      )}
    </>
  )
}

function SourceList({ label, sources }: { label: string; sources: readonly Source[] }) {
  const t = useTryOutTexts()
  return (
    <ul aria-label={label} className="mt-1 flex flex-col gap-1">
      {sources.map(({ kind, title, text }) => {
        const Icon = icons[kind]
        return (
          <li
            key={`${kind} ${title} ${text}`}
            className="flex items-start gap-2 rounded-lg border border-line bg-bg px-2.5 py-1.5 text-sm"
          >
            <Icon className="mt-0.75 size-3.5 shrink-0 text-accent" aria-hidden="true" />
            <span className="min-w-0">
              <span className="font-medium">{t(kind)}</span>
              {title !== '' && <span className="text-muted"> · {title}</span>}
              {title === '' && text !== '' && <span className="text-muted"> · {text}</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
