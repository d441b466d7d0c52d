/** The plan page: current use, notices, and a comparison of all plans. */
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { ButtonLink } from '../../../ui/actions/button.tsx'
import { Badge, type Tone } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { PageHeader } from '../../../ui/display/page-header.tsx'
import { UsageBars, type UsageBar } from '../../../ui/display/usage-bars.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { PlanCards } from './plan-cards.tsx'
import { PlanNotices } from './plan-notices.tsx'
import { planQuery, type ProjectPlan } from './queries.ts'
import { usePlanTexts } from './texts.ts'

export function Page() {
  const t = usePlanTexts()
  const scope = useProjectScope()
  const query = useQuery(planQuery(scope))
  return (
    <>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={
          <ButtonLink to={scope.link('/billing')}>
            <ArrowLeft aria-hidden="true" />
            {t('billing')}
          </ButtonLink>
        }
      />
      <QueryState query={query} loading={<Loading />}>
        {(plan) => <PlanView plan={plan} />}
      </QueryState>
    </>
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-6">
      <Skeleton className="h-44 rounded-xl!" />
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-5">
        {['free', 'online', 'reachable', 'business', 'enterprise'].map((name) => (
          <Skeleton key={name} className="h-96 rounded-xl!" />
        ))}
      </div>
    </div>
  )
}

function PlanView({ plan }: { plan: ProjectPlan }) {
  const t = usePlanTexts()
  const { may } = useProjectScope()
  const { upgrade } = useSearch({ strict: false })
  const [chosen, setChosen] = useState<string | null>(upgrade ?? null)
  const offer = plan.plans.find((one) => one.plan === chosen && one.change !== null)
  const isOwner = may('owner')
  const isChangeable = isOwner && plan.is_changeable && plan.pending_payment === null
  return (
    <div className="flex flex-col gap-6">
      <PlanNotices plan={plan} link_to="/billing" />
      {!plan.is_changeable && <p className="text-muted">{t('live_project')}</p>}
      {plan.is_changeable && !isOwner && <p className="text-muted">{t('owner_only')}</p>}
      <CurrentPlan plan={plan} />
      <PlanCards
        plan={plan}
        isChangeable={isChangeable}
        onChoose={({ plan: name }) => setChosen(name)}
      />
      {offer && isChangeable && (
        <ChangeDialog plan={plan} offer={offer} onClose={() => setChosen(null)} />
      )}
    </div>
  )
}

const tones: Readonly<Record<ProjectPlan['state'], Tone>> = {
  free: 'neutral',
  granted: 'info',
  active: 'good',
  past_due: 'bad',
  ended: 'warn',
}

function aboutKeyOf(planned: ProjectPlan['planned']): 'renews' | 'ends' | 'until' {
  if (planned === null) return 'renews'
  return planned.plan === 'free' ? 'ends' : 'until'
}

function CurrentPlan({ plan }: { plan: ProjectPlan }) {
  const t = usePlanTexts()
  const format = useFormat()
  const { title, state, price_month_eur, renews_on, planned, used, plans } = plan
  const current = plans.find(({ change }) => change === null)
  const price = format.euro(price_month_eur)
  const date = format.date(renews_on ?? planned?.on ?? new Date().toISOString())
  const about =
    renews_on !== null
      ? t(aboutKeyOf(planned), { price, date })
      : t(state === 'granted' ? 'granted' : 'free_about')
  const bars = (current?.limits ?? []).flatMap(({ name, max }): UsageBar[] => {
    const amount = used.find((one) => one.name === name)?.used ?? 0
    if (name === 'live_payments' || (max === 0 && amount === 0)) return []
    const is_bytes = name.endsWith('_bytes')
    return [{ key: name, label: t(`limit_${name}`), used: amount, max, is_bytes }]
  })
  return (
    <Card
      title={`${t('your_plan')}: ${title}`}
      about={about}
      aside={<Badge tone={tones[state]}>{t(`state_${state}`)}</Badge>}
    >
      <UsageBars bars={bars} />
    </Card>
  )
}
