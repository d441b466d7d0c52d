/** The state of a number in badges, and the steps of its calls in a line. */
import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { Badge } from '../../ui/display/badge.tsx'
import type { NumberDetails } from './queries.ts'
import { stepIcons } from './step-icons.ts'
import { useNumberTexts } from './texts.ts'

export function NumberBadges({ number: { test, status, is_owed } }: { number: NumberDetails }) {
  const t = useNumberTexts()
  return (
    <span className="flex flex-wrap gap-1.5">
      {test ? <Badge tone="warn">{t('test')}</Badge> : <Badge tone="accent">{t('live')}</Badge>}
      {status === 'pending' ? (
        <Badge tone="info" dot>
          {t('pending')}
        </Badge>
      ) : (
        <Badge tone="good" dot>
          {t('active')}
        </Badge>
      )}
      {is_owed && <Badge tone="bad">{t('owed')}</Badge>}
    </span>
  )
}

/** The first steps of a call: `Rings phones › Assistant answers`. */
export function StepLine({ number: { steps } }: { number: NumberDetails }) {
  const t = useNumberTexts()
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
      {steps.map(({ type, label }, index) => {
        const Icon = stepIcons[type]
        return (
          <Fragment key={index}>
            {index > 0 && (
              <>
                <ChevronRight className="size-3.5 text-faint" aria-hidden="true" />
                <span className="sr-only">{t('and_then')}</span>
              </>
            )}
            <span className="inline-flex items-center gap-1.5">
              <Icon className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
              {label ?? t(`step_${type}`)}
            </span>
          </Fragment>
        )
      })}
    </span>
  )
}
