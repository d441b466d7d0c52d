/** The plans side by side; on a phone one below the other. */
import { Check } from 'lucide-react'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { ExcessList, usePlanFeatures } from './limits.tsx'
import type { OfferedPlan, ProjectPlan } from './queries.ts'
import { usePlanTexts } from './texts.ts'

export interface PlanCardsProps {
  plan: ProjectPlan
  /** Whether the person may change the plan here. */
  isChangeable: boolean
  onChoose(offer: OfferedPlan): void
}

export function PlanCards({ plan, isChangeable, onChoose }: PlanCardsProps) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] gap-4">
      {plan.plans.map((offer) => (
        <PlanCard
          key={offer.plan}
          offer={offer}
          isPlanned={plan.planned?.plan === offer.plan}
          isOwed={plan.state === 'past_due'}
          isChangeable={isChangeable}
          onChoose={onChoose}
        />
      ))}
    </ul>
  )
}

interface PlanCardProps extends Omit<PlanCardsProps, 'plan'> {
  offer: OfferedPlan
  isPlanned: boolean
  /** Whether this month has to be paid before a change. */
  isOwed: boolean
}

function PlanCard({ offer, isPlanned, isOwed, isChangeable, onChoose }: PlanCardProps) {
  const t = usePlanTexts()
  const format = useFormat()
  const factsOf = usePlanFeatures()
  const { title, change, price_month_eur, does_not_fit } = offer
  const isCurrent = change === null
  return (
    <li
      aria-current={isCurrent || undefined}
      className={cx(
        'flex min-w-0 flex-col rounded-xl border bg-surface p-4 shadow-card',
        isCurrent ? 'border-accent ring-1 ring-accent' : 'border-line',
      )}
    >
      <div className="flex min-h-6 flex-wrap items-center gap-2">
        <h3 className="flex-1 text-lg font-semibold tracking-tight">{title}</h3>
        {isPlanned && <Badge tone="info">{t('planned')}</Badge>}
      </div>
      <p className="mt-1 flex items-baseline gap-1.5 whitespace-nowrap">
        <span className="text-2xl font-semibold tracking-tight tabular-nums">
          {format.euro(price_month_eur)}
        </span>
        <span className="text-sm text-muted">{t('per_month')}</span>
      </p>
      <dl className="mt-4 flex flex-1 flex-col gap-1.5 text-sm">
        {factsOf(offer).map(({ key, name, value }) => (
          <div key={key} className="flex items-baseline justify-between gap-2">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-medium whitespace-nowrap tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {change === 'downgrade' && does_not_fit.length > 0 && (
        <div className="mt-4 rounded-lg bg-warn-soft p-3 text-sm">
          <p className="mb-1.5 font-medium text-warn">{t('does_not_fit')}</p>
          <ExcessList excess={does_not_fit} />
        </div>
      )}
      <div className="mt-4">
        {isCurrent && (
          <p className="flex h-9 items-center justify-center gap-1.5 text-muted">
            <Check className="size-4" aria-hidden="true" />
            {t('current')}
          </p>
        )}
        {isChangeable && change !== null && !isPlanned && (
          <Button
            className="w-full"
            kind={change === 'upgrade' ? 'primary' : 'secondary'}
            aria-label={t(`${change}_to`, { plan: title })}
            disabled={isOwed || (change === 'downgrade' && does_not_fit.length > 0)}
            onClick={() => onChoose(offer)}
          >
            {t(change)}
          </Button>
        )}
      </div>
    </li>
  )
}
