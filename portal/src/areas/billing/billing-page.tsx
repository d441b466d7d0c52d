/** The page of the balance: spending by month, and top-ups. */
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Button, ButtonLink } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { StatCard } from '../../ui/display/stat-card.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { ModelUsageCard } from '../model-usage/model-usage-card.tsx'
import { BalanceWarning } from './balance-warning.tsx'
import { nameBrand } from './card-brand.ts'
import { AutoReloadDialog, CapDialog, TopUpDialog } from './money-forms.tsx'
import { MonthSection } from './month-section.tsx'
import { PlanNotices } from './plan/plan-notices.tsx'
import { planQuery } from './plan/queries.ts'
import { usePaymentNote } from './payment-note.ts'
import { balanceQuery, monthsQuery, type Balance } from './queries.ts'
import { useBillingTexts } from './texts.ts'
import { TopUpNotice } from './top-up-notice.tsx'
import { UsageChart } from './usage-chart.tsx'

export function Page() {
  const t = useBillingTexts()
  const scope = useProjectScope()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const balance = useQuery(balanceQuery(scope))
  const months = useQuery(monthsQuery(scope))
  const plan = useQuery(planQuery(scope))
  const topUp = (open: boolean) => void navigate({ to: '.', hash: open ? 'new' : '' })
  const manages = scope.may('admin')
  const hasSpent = (months.data ?? []).some(({ spent_on }) => spent_on.length > 0)
  const paymentNote = usePaymentNote()
  const about = [t('about'), paymentNote].filter((text) => text !== null).join(' ')
  return (
    <>
      <PageHeader
        title={t('title')}
        about={about}
        actions={
          <>
            <ButtonLink to={scope.link('/billing/plan')}>{t('plan')}</ButtonLink>
            {manages && (
              <>
                <ButtonLink to={scope.link('/company')}>{t('company')}</ButtonLink>
                <Button kind="primary" onClick={() => topUp(true)}>
                  <Plus aria-hidden="true" />
                  {t('top_up')}
                </Button>
              </>
            )}
          </>
        }
      />
      <TopUpNotice />
      <div className="flex flex-col gap-6">
        {plan.data?.state === 'past_due' && (
          <PlanNotices plan={plan.data} link_to="/billing/plan" />
        )}
        <QueryState query={balance} loading={<StatsLoading />}>
          {(data) => (
            <>
              <BalanceWarning balance={data} onTopUp={() => topUp(true)} />
              <Stats balance={data} />
            </>
          )}
        </QueryState>
        {(hasSpent || months.isError) && (
          <Card title={t('usage')} about={t('usage_about')}>
            <QueryState query={months} loading={<Skeleton className="h-60" />}>
              {(data) => <UsageChart months={data} />}
            </QueryState>
          </Card>
        )}
        <MonthSection months={months.data ?? []} hasSpent={hasSpent} />
        <ModelUsageCard />
      </div>
      {manages && hash === 'new' && <TopUpDialog onClose={() => topUp(false)} />}
    </>
  )
}

function StatsLoading() {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      {['balance', 'spent', 'reload'].map((name) => (
        <Skeleton key={name} className="h-36 rounded-xl!" />
      ))}
    </div>
  )
}

function Stats({ balance }: { balance: Balance }) {
  const t = useBillingTexts()
  const format = useFormat()
  const { may } = useProjectScope()
  const [asksCap, setAsksCap] = useState(false)
  const [asksReload, setAsksReload] = useState(false)
  const { balance_eur, spent_this_month_eur, spend_cap_eur, auto_reload } = balance
  const manages = may('admin')
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <StatCard label={t('balance')} value={format.euro(balance_eur)} note={t('balance_note')} />
      <StatCard
        label={t('spent')}
        value={format.euro(spent_this_month_eur)}
        note={<CapMeter spent={spent_this_month_eur} cap={spend_cap_eur} />}
        action={
          manages && (
            <Button size="sm" onClick={() => setAsksCap(true)}>
              {t(spend_cap_eur === null ? 'set_cap' : 'change_cap')}
            </Button>
          )
        }
      />
      <StatCard
        label={t('reload')}
        value={<ReloadState reload={auto_reload} />}
        note={<CardLine card={auto_reload.card} />}
        action={
          manages && (
            <Button size="sm" onClick={() => setAsksReload(true)}>
              {t(auto_reload.enabled ? 'manage' : 'turn_on')}
            </Button>
          )
        }
      />
      {asksCap && <CapDialog onClose={() => setAsksCap(false)} cap={spend_cap_eur} />}
      {asksReload && <AutoReloadDialog onClose={() => setAsksReload(false)} now={auto_reload} />}
    </div>
  )
}

function CapMeter({ spent, cap }: { spent: number; cap: number | null }) {
  const t = useBillingTexts()
  const format = useFormat()
  if (cap === null) return t('no_cap')
  const share = Math.min(100, Math.round((spent / cap) * 100))
  return (
    <>
      {t('cap_of', { cap: format.euro(cap) })}
      <span
        role="meter"
        aria-label={t('spent')}
        aria-valuenow={share}
        aria-valuemin={0}
        aria-valuemax={100}
        className="mt-2 block h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <span
          className={`block h-full rounded-full ${share >= 80 ? 'bg-test-band' : 'bg-accent'}`}
          style={{ width: `${share}%` }}
        />
      </span>
    </>
  )
}

function ReloadState({ reload }: { reload: Balance['auto_reload'] }) {
  const t = useBillingTexts()
  const format = useFormat()
  if (!reload.enabled) return t('reload_off')
  if (!reload.active) return <Badge tone="bad">{t('reload_broken')}</Badge>
  const threshold = format.euro(reload.threshold_eur)
  return (
    <span className="text-lg">
      {t('reload_on', { amount: format.euro(reload.amount_eur), threshold })}
    </span>
  )
}

function CardLine({ card }: Pick<Balance['auto_reload'], 'card'>) {
  const t = useBillingTexts()
  return card === null
    ? t('no_card')
    : t('card', { brand: nameBrand(card.brand), last4: card.last4 })
}
