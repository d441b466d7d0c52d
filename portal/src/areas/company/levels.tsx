/** The levels of verification: what each unlocks, and its missing requirements. */
import { Link } from '@tanstack/react-router'
import { ArrowRight, BadgeCheck, Check, Circle, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import type { Company, Level } from './queries.ts'
import { levelTexts } from './level-texts.ts'

export interface LevelsProps {
  levels: readonly Level[]
  /** Missing details of the company, which the first level requires too. */
  missing: Company['missing']
}

export function Levels({ levels, missing }: LevelsProps) {
  const t = useTexts(levelTexts)
  return (
    <Card title={t('title')} about={t('about')} flush>
      <ol className="divide-y divide-line">
        {levels.map((level) => (
          <LevelRow
            key={level.level}
            level={level}
            detailsMissing={level.level === 'company' && missing.length > 0}
          />
        ))}
      </ol>
    </Card>
  )
}

function LevelRow({ level, detailsMissing }: { level: Level; detailsMissing: boolean }) {
  const t = useTexts(levelTexts)
  const { status, reason, missing, unlocks } = level
  const isApproved = status === 'approved'
  const Icon = isApproved ? BadgeCheck : CircleDashed
  return (
    <li className="px-5 py-4">
      <h3 className="flex flex-wrap items-center gap-2 font-semibold">
        <Icon
          aria-hidden="true"
          className={isApproved ? 'size-4.5 text-good' : 'size-4.5 text-faint'}
        />
        <span className="flex-1">{t(`level_${level.level}`)}</span>
        <Badge tone={isApproved ? 'good' : 'neutral'}>{t(status)}</Badge>
      </h3>
      {reason !== null && <p className="mt-1 text-sm text-bad">{reason}</p>}
      <p className="mt-2 text-xs font-medium text-faint">{t('unlocks')}</p>
      <ul className="mt-1 flex flex-col gap-0.5 text-sm">
        {unlocks.map((name) => (
          <li key={name} className="flex items-start gap-2 text-muted">
            <Check className="mt-0.75 size-3.5 shrink-0 text-good" aria-hidden="true" />
            {wordOf(name, t)}
          </li>
        ))}
      </ul>
      {!isApproved && (
        <>
          <p className="mt-3 text-xs font-medium text-faint">{t('missing')}</p>
          <ul className="mt-1 flex flex-col gap-1 text-sm">
            {detailsMissing && <Task>{t('task_details')}</Task>}
            {missing.map((code) => (
              <MissingTask key={code} code={code} />
            ))}
            <Task>{t('task_approval')}</Task>
          </ul>
        </>
      )}
    </li>
  )
}

function MissingTask({ code }: { code: string }) {
  const t = useTexts(levelTexts)
  const { link } = useProjectScope()
  const text = wordOf(code, t)
  if (!code.startsWith('payment_')) return <Task>{text}</Task>
  return (
    <Task>
      <Link
        to={link('/billing')}
        className="inline-flex items-center gap-1 font-medium text-accent no-underline hover:underline"
      >
        {text} <ArrowRight className="size-3.5 shrink-0" aria-hidden="true" />
      </Link>
    </Task>
  )
}

function Task({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <Circle className="mt-0.75 size-3.5 shrink-0 text-faint" aria-hidden="true" />
      <span>{children}</span>
    </li>
  )
}

type Words = ReturnType<typeof useTexts<(typeof levelTexts)['table']>>

/**
 * Returns the text of a code. A code that only a newer server knows is shown with spaces instead of
 * underscores.
 */
function wordOf(code: string, t: Words): string {
  const key = code === 'level.company' ? 'level_company_needed' : code.replaceAll('.', '_')
  return isKnown(key) ? t(key) : code.replaceAll(/[._]/g, ' ')
}

function isKnown(key: string): key is keyof (typeof levelTexts)['table'] {
  return Object.hasOwn(levelTexts.table, key)
}
