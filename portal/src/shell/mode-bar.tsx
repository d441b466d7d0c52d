/** Shows the mode of the page, test or live: a band at the top, a badge, and a switch. */
import { FlaskConical } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useProjectScope } from '../api/project-scope.tsx'
import { projectsQuery } from '../api/session.ts'
import { Badge } from '../ui/display/badge.tsx'
import { cx } from '../ui/class-names.ts'
import { keepMode } from './kept-mode.ts'
import { useShellTexts } from './texts.ts'

export function ModeBand() {
  const t = useShellTexts()
  const { mode } = useProjectScope()
  if (mode === 'live') {
    return <div className="sticky top-0 z-30 h-1 shrink-0 bg-live-band" aria-hidden="true" />
  }
  return (
    <div
      role="status"
      className="sticky top-0 z-30 flex h-(--band) shrink-0 items-center justify-center gap-2 bg-test-band px-4 text-center text-xs font-medium text-[var(--on-test-band)]"
    >
      <FlaskConical className="size-3.5 shrink-0" aria-hidden="true" />
      <p className="truncate">
        <b className="font-semibold">{t('test_mode')}.</b>{' '}
        <span className="max-sm:hidden">{t('test_note')}</span>
      </p>
    </div>
  )
}

export function ModeBadge() {
  const t = useShellTexts()
  const { mode } = useProjectScope()
  return (
    <Badge tone={mode === 'test' ? 'warn' : 'good'} dot>
      {t(mode)}
    </Badge>
  )
}

/**
 * Switches between test and live: the mode of a single project, or the project of a live and test
 * pair.
 */
export function ModeSwitch() {
  const t = useShellTexts()
  const { mode, project } = useProjectScope()
  const { data: projects = [] } = useQuery(projectsQuery)
  const setMode = useSetMode()
  const hasBoth = projects.some(({ id }) => id === project.pair_id)
  if (project.shape !== 'single' && !hasBoth) return <ModeBadge />
  return (
    <div
      role="group"
      aria-label={t('mode')}
      className="flex rounded-lg border border-line bg-bg p-0.5 text-sm font-medium"
    >
      {(['test', 'live'] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={mode === one}
          onClick={() => setMode(one)}
          className={cx(
            'flex h-7 items-center gap-1.5 rounded-md px-2.5 transition-colors',
            mode === one ? 'bg-surface text-fg shadow-card' : 'text-muted hover:text-fg',
          )}
        >
          <span
            aria-hidden="true"
            className={cx(
              'size-1.5 rounded-full',
              one === 'test' ? 'bg-test-band' : 'bg-live-band',
            )}
          />
          {t(one)}
        </button>
      ))}
    </div>
  )
}

export function useSetMode(): (mode: 'test' | 'live') => void {
  const navigate = useNavigate()
  const { project } = useProjectScope()
  return (mode) => {
    if (project.shape === 'single') {
      keepMode(project.id, mode)
      return void navigate({ to: '.', search: { mode } })
    }
    if (project.shape === mode || project.pair_id === null) return
    void navigate({ to: `/projects/${project.pair_id}`, search: { mode: undefined } })
  }
}
