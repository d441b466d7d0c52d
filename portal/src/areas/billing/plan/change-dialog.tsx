/** Confirms a change of the plan, with its sums, its date and the limits that change. */
import { useState, type ReactNode } from 'react'
import type { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { ProblemState } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button, ButtonAnchor } from '../../../ui/actions/button.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { nameBrand } from '../card-brand.ts'
import { billingKey } from '../queries.ts'
import { usePlanFeatures } from './limits.tsx'
import { changePlan, planKey, type OfferedPlan, type ProjectPlan } from './queries.ts'
import { usePlanTexts } from './texts.ts'

export interface ChangeDialogProps {
  plan: ProjectPlan
  offer: OfferedPlan
  onClose(): void
}

export function ChangeDialog({ plan, offer, onClose }: ChangeDialogProps) {
  const t = usePlanTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const { title, change, price_now_eur, takes_effect_on } = offer
  const isUpgrade = change === 'upgrade'
  const act = useAct({
    run: () => changePlan(scope, offer),
    refresh: [
      planKey(scope),
      billingKey(scope),
      ['usage', scope.project_id],
      ['rails'],
      ['projects'],
    ],
    onDone: onClose,
    onFault(found) {
      setProblem(found)
      return true
    },
  })
  const canPay = price_now_eur <= plan.balance_eur || plan.card !== null
  const price = format.euro(price_now_eur)
  const confirm = isUpgrade
    ? t(price_now_eur > 0 ? 'confirm_up' : 'confirm_up_free', { price })
    : t('confirm_down', { date: format.date(takes_effect_on) })
  return (
    <Dialog
      onClose={onClose}
      title={t(isUpgrade ? 'upgrade_to' : 'downgrade_to', { plan: title })}
      about={t(isUpgrade ? 'dialog_up' : 'dialog_down')}
    >
      <Sums plan={plan} offer={offer} />
      <Differences plan={plan} offer={offer} />
      {problem !== null && (
        <div className="mt-4">
          <ProblemState error={problem} />
        </div>
      )}
      <DialogButtons>
        <Button onClick={onClose}>{t('cancel')}</Button>
        {isUpgrade && !canPay ? (
          <ButtonAnchor
            kind="primary"
            href={`/portal/app${scope.link('/billing')}?mode=${scope.mode}&upgrade=${offer.plan}#new`}
          >
            {t('top_up')}
          </ButtonAnchor>
        ) : (
          <Button kind="primary" busy={act.isPending} onClick={() => act.mutate(undefined)}>
            {confirm}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  )
}

function Sums({ plan, offer }: Omit<ChangeDialogProps, 'onClose'>) {
  const t = usePlanTexts()
  const format = useFormat()
  const { change, price_now_eur, price_month_eur, takes_effect_on } = offer
  const isUpgrade = change === 'upgrade'
  return (
    <dl className="divide-y divide-line border-y border-line">
      {isUpgrade && <Line name={t('now')}>{format.euro(price_now_eur)}</Line>}
      <Line name={t('monthly', { date: format.date(monthlyFrom(plan, offer)) })}>
        {format.euro(price_month_eur)}
      </Line>
      <Line name={t('effect')}>{isUpgrade ? t('at_once') : format.date(takes_effect_on)}</Line>
      {isUpgrade && price_now_eur > 0 && (
        <Line name={t('pays')}>
          <Payer plan={plan} price_now_eur={price_now_eur} />
        </Line>
      )}
    </dl>
  )
}

/** The day from which the monthly price is charged: the first of the next month. */
function monthlyFrom({ plans }: ProjectPlan, { takes_effect_on, change }: OfferedPlan): string {
  if (change === 'downgrade') return takes_effect_on
  const [year = 0, month = 1] = takes_effect_on.split('-').map(Number)
  const smaller = plans.find((one) => one.change === 'downgrade')
  if (smaller) return smaller.takes_effect_on
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-2.5">
      <dt className="text-muted">{name}</dt>
      <dd className="text-right font-medium tabular-nums">{children}</dd>
    </div>
  )
}

function Payer({ plan, price_now_eur }: { plan: ProjectPlan; price_now_eur: number }) {
  const t = usePlanTexts()
  const format = useFormat()
  const { balance_eur, card } = plan
  if (price_now_eur <= balance_eur)
    return t('pays_balance', { amount: format.euro(balance_eur - price_now_eur) })
  if (card !== null) return t('pays_card', { brand: nameBrand(card.brand), last4: card.last4 })
  return <span className="text-bad">{t('pays_none')}</span>
}

function Differences({ plan, offer }: { plan: ProjectPlan; offer: OfferedPlan }) {
  const t = usePlanTexts()
  const factsOf = usePlanFeatures()
  const current = plan.plans.find(({ change }) => change === null)
  const before = new Map((current ? factsOf(current) : []).map(({ key, value }) => [key, value]))
  const changed = factsOf(offer).filter(({ key, value }) => before.get(key) !== value)
  if (changed.length === 0) return null
  return (
    <div className="mt-4">
      <h3 className="font-medium">{t('changes')}</h3>
      <dl className="mt-2 flex flex-col gap-1 text-sm">
        {changed.map(({ key, name, value }) => (
          <div key={key} className="flex items-baseline justify-between gap-4">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right tabular-nums">
              {t('from_to', { from: before.get(key) ?? '', to: value })}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
