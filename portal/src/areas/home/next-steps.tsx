/** The steps from a new project to a live one; the first incomplete one is highlighted. */
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ButtonLink } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { cx } from '../../ui/class-names.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { mcpAddress } from '../connections/connect-box.tsx'
import { railsQuery } from '../go-live/queries.ts'
import { useIsConnected } from '../start/is-connected.ts'
import { numbersQuery } from './queries.ts'
import { useHomeTexts } from './texts.ts'

interface Step {
  name: string
  title: string
  about: string
  done: boolean
  action: ReactNode
}

/** Renders nothing if every step is complete. */
export function NextSteps() {
  const t = useHomeTexts()
  const { link } = useProjectScope()
  const steps = useSteps()
  if (steps === null || steps.every(({ done }) => done)) return null
  const next = steps.find(({ done }) => !done)
  const done = steps.filter((step) => step.done).length
  return (
    <Card
      flush
      title={t('start')}
      about={t('start_about', { done, all: steps.length })}
      aside={
        <ButtonLink size="sm" to={link('/start')}>
          {t('guide')}
        </ButtonLink>
      }
    >
      <div className="mx-5 mt-1 h-1 overflow-hidden rounded-full bg-hover" aria-hidden="true">
        <div
          className="h-full rounded-full bg-accent"
          style={{ width: `${(done / steps.length) * 100}%` }}
        />
      </div>
      <ol className="mt-1 grid divide-line max-md:divide-y md:grid-cols-3 md:divide-x">
        {steps.map((step, index) => (
          <StepItem key={step.name} step={step} number={index + 1} isNext={step === next} />
        ))}
      </ol>
    </Card>
  )
}

function useSteps(): Step[] | null {
  const t = useHomeTexts()
  const scope = useProjectScope()
  const isConnected = useIsConnected()
  const { data: numbers } = useQuery(numbersQuery(scope))
  const { data: rails } = useQuery(railsQuery(scope))
  if (isConnected === null || !numbers || !rails) return null
  return [
    {
      name: 'connect',
      title: t('step_connect'),
      about: t('step_connect_about'),
      done: isConnected,
      action: <CopyButton text={mcpAddress()} label={t('copy_address')} kind="secondary" />,
    },
    {
      name: 'number',
      title: t('step_number'),
      about: t('step_number_about'),
      done: numbers.length > 0,
      action: (
        <span className="flex flex-wrap gap-2">
          <ButtonLink size="sm" to={scope.link('/numbers')}>
            {t('step_number_action')}
          </ButtonLink>
          <CopyButton text={t('step_number_sentence')} label={t('copy_request')} kind="ghost" />
        </span>
      ),
    },
    {
      name: 'live',
      title: t('step_live'),
      about: t('step_live_about'),
      done: rails.data.some(({ mode }) => mode === 'live'),
      action: (
        <ButtonLink size="sm" to={scope.link('/go-live')}>
          {t('step_live_action')}
        </ButtonLink>
      ),
    },
  ]
}

function StepItem({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) {
  const t = useHomeTexts()
  const { title, about, done, action } = step
  return (
    <li className="flex flex-col p-5">
      <p className="flex items-center gap-2.5">
        <span
          className={cx(
            'grid size-6 shrink-0 place-items-center rounded-full text-xs font-semibold tabular-nums',
            done && 'bg-good-soft text-good',
            !done && isNext && 'bg-accent text-on-accent',
            !done && !isNext && 'bg-hover text-muted',
          )}
        >
          {done ? <Check className="size-3.5" aria-label={t('done')} /> : number}
        </span>
        <b className={cx('font-semibold', done && 'text-muted')}>{title}</b>
        {isNext && <Badge tone="accent">{t('next')}</Badge>}
      </p>
      <p className="mt-1.5 pl-8.5 text-sm text-muted">{about}</p>
      {!done && <div className="mt-auto pt-3 pl-8.5">{action}</div>}
    </li>
  )
}
