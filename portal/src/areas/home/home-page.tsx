/** The first page of a project: next steps, pending approvals, and the latest activity. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { ModeBadge } from '../../shell/mode-bar.tsx'
import { ButtonAnchor } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { StatCard } from '../../ui/display/stat-card.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { ApprovalCard } from '../approvals/approval-card.tsx'
import { approvalsQuery } from '../approvals/queries.ts'
import { Review } from '../approvals/review.tsx'
import { balanceQuery } from '../billing/queries.ts'
import { ConnectBox } from '../connections/connect-box.tsx'
import { Activity } from './activity.tsx'
import { NextSteps } from './next-steps.tsx'
import { callsQuery, numbersQuery, offlineSitesQuery } from './queries.ts'
import { ServiceNotice } from './service-notice.tsx'
import { useHomeTexts } from './texts.ts'

const APPROVALS_SHOWN = 3

export function Page() {
  const t = useHomeTexts()
  const { project } = useProjectScope()
  const isLimited = project.access !== null
  return (
    <>
      <title>{`${t('title')} · ${project.name}`}</title>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-3">
            {project.name}
            <ModeBadge />
          </span>
        }
        {...(isLimited && { about: t('limited') })}
      />
      {project.offline === null ? <Overview /> : <Offline reason={project.offline.reason} />}
    </>
  )
}

/** The server refuses every request about an offline project, so the page asks for nothing. */
function Offline({ reason }: { reason: string }) {
  const t = useHomeTexts()
  return (
    <ErrorState
      user_message={t('offline', { reason })}
      next_step={t('offline_next')}
      request_id={null}
    />
  )
}

function Overview() {
  const t = useHomeTexts()
  const { project } = useProjectScope()
  const isLimited = project.access !== null
  return (
    <div className="flex flex-col gap-6">
      <ServiceNotice />
      <OfflineSites />
      {!isLimited && <NextSteps />}
      {!isLimited && <Stats />}
      <Waiting />
      <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
        <Card title={t('connect')} about={t('connect_about')}>
          <ConnectBox />
        </Card>
        {!isLimited && <Activity />}
      </div>
    </div>
  )
}

function Stats() {
  const t = useHomeTexts()
  const scope = useProjectScope()
  const { data: approvals } = useQuery(approvalsQuery(scope, 'pending'))
  const { data: numbers } = useQuery(numbersQuery(scope))
  const waiting = approvals?.data.length
  const active = numbers?.filter(({ status }) => status === 'active').length ?? 0
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <BalanceStat />
      <StatCard
        label={t('approvals')}
        value={waiting ?? wait}
        note={t(waiting === 0 ? 'approvals_none' : 'approvals_some')}
        action={<StatLink to={scope.link('/approvals')} text={t('see_all')} />}
      />
      <StatCard
        label={t('numbers')}
        value={numbers?.length ?? wait}
        note={t('numbers_note', { count: active })}
        action={<StatLink to={scope.link('/numbers')} text={t('see_all')} />}
      />
      <CallsStat />
    </div>
  )
}

const wait = <Skeleton className="h-9 w-24" />

function BalanceStat() {
  const t = useHomeTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const { data } = useQuery(balanceQuery(scope))
  return (
    <StatCard
      label={t('balance')}
      value={data === undefined ? wait : format.euro(data.balance_eur)}
      note={t('spent', { amount: format.euro(data?.spent_this_month_eur ?? 0) })}
      action={scope.may('admin') && <StatLink to={scope.link('/billing')} text={t('top_up')} />}
    />
  )
}

function CallsStat() {
  const t = useHomeTexts()
  const scope = useProjectScope()
  const { link } = scope
  const { data } = useQuery(callsQuery(scope))
  const answered = data?.filter(({ answered_at }) => answered_at !== null).length ?? 0
  return (
    <StatCard
      label={t('calls')}
      value={data?.length ?? wait}
      note={data?.length === 0 ? t('no_calls') : t('calls_note', { count: answered })}
      action={<StatLink to={link('/calls')} text={t('see_all')} />}
    />
  )
}

function StatLink({ to, text }: { to: string; text: string }) {
  return (
    <Link
      to={to}
      className="inline-flex items-center gap-1 text-sm font-medium text-accent no-underline hover:underline"
    >
      {text}
      <ArrowRight className="size-3.5" aria-hidden="true" />
    </Link>
  )
}

function Waiting() {
  const t = useHomeTexts()
  const scope = useProjectScope()
  const [open, setOpen] = useState<string | null>(null)
  const { data } = useQuery(approvalsQuery(scope, 'pending'))
  const rows = data?.data.slice(0, APPROVALS_SHOWN) ?? []
  return (
    <>
      {rows.length > 0 && (
        <Card
          flush
          title={t('waiting')}
          aside={<StatLink to={scope.link('/approvals')} text={t('see_all')} />}
        >
          <ul className="divide-y divide-line">
            {rows.map((row) => (
              <ApprovalCard key={row.id} approval={row} onReview={() => setOpen(row.id)} />
            ))}
          </ul>
        </Card>
      )}
      <Review id={open} onClose={() => setOpen(null)} />
    </>
  )
}

/** The sites that were taken offline, each with its reason and the page of the appeal. */
function OfflineSites() {
  const t = useHomeTexts()
  const { data = [] } = useQuery(offlineSitesQuery(useProjectScope()))
  return data.map(({ id, slug, reason, appeal_url }) => (
    <div
      key={id}
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl bg-bad-soft px-5 py-4 text-bad"
    >
      <p className="min-w-48 flex-1">
        <b className="font-semibold">{t('site_offline', { slug })}</b> {reason}
      </p>
      <ButtonAnchor size="sm" href={appeal_url}>
        {t('appeal')}
      </ButtonAnchor>
    </div>
  ))
}
