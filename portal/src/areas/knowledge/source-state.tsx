/** The state of a source: a badge, and while it is read a progress bar. */
import { useServerText } from '../../language/texts.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { ProgressBar } from '../../ui/display/progress-bar.tsx'
import type { Source } from './queries.ts'
import { useKnowledgeTexts } from './texts.ts'

const ofWebsites: readonly [RegExp, Advice][] = [
  [/robots\.txt does not allow/, 'advice_robots'],
  [/status (?:404|410)/, 'advice_gone'],
  [/status (?:401|403)/, 'advice_login'],
  [/status (?:429|5\d\d)/, 'advice_busy'],
]

interface Shown {
  source: Source
}

export function SourceState({ source: { status, error } }: Shown) {
  const t = useKnowledgeTexts()
  if (status === 'pending')
    return (
      <Badge tone="info" dot>
        {t('pending')}
      </Badge>
    )
  if (status === 'failed') return <Badge tone="bad">{t('failed')}</Badge>
  return error === null ? (
    <Badge tone="good">{t('indexed')}</Badge>
  ) : (
    <Badge tone="warn">{t('partly')}</Badge>
  )
}

export function SourceProgress({ source: { title, progress } }: Shown) {
  const t = useKnowledgeTexts()
  if (progress === null) return null
  const { done, total } = progress
  return (
    <div className="mt-2 max-w-sm">
      <ProgressBar
        label={t('progress', { title })}
        value={total === 0 ? null : Math.min(1, done / total)}
      />
      {total > 0 && (
        <p className="mt-1 text-sm text-muted tabular-nums">{t('progress_of', { done, total })}</p>
      )}
    </div>
  )
}

/** The last error, and what to do about it. */
export function SourceFault({ source }: Shown) {
  const t = useKnowledgeTexts()
  const said = useServerText()
  const advice = adviceFor(source)
  if (advice === null) return null
  return (
    <p className="mt-1 text-sm">
      <span className={source.status === 'failed' ? 'text-bad' : 'text-warn'}>
        {source.error !== null && said(source.error)}
      </span>{' '}
      <span className="text-muted">{t(advice)}</span>
    </p>
  )
}

type Advice =
  | 'advice_robots'
  | 'advice_gone'
  | 'advice_login'
  | 'advice_busy'
  | 'advice_site'
  | 'advice_file'
  | 'advice_full'
  | 'advice_check'

/** What to do about a source that could not be read. */
function adviceFor({ kind, error }: Pick<Source, 'kind' | 'error'>): Advice | null {
  if (error === null) return null
  if (error.includes('left out')) return 'advice_full'
  if (kind === 'site') return 'advice_site'
  if (kind === 'media') return 'advice_file'
  return ofWebsites.find(([pattern]) => pattern.test(error))?.[1] ?? 'advice_check'
}
