/** Whether the installation works: waiting work, failed jobs, providers. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheckBig, Lightbulb, RotateCcw } from 'lucide-react'
import { useAct } from '../../api/mutations.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Badge, type Tone } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Chart } from '../../ui/display/chart.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { StatCard } from '../../ui/display/stat-card.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { proposalsQuery } from './incidents/queries.ts'
import {
  operatorKey,
  providersQuery,
  retryJobs,
  reviewsQuery,
  workQuery,
  type Provider,
  type Work,
} from './queries.ts'
import { useOperatorTexts } from './texts.ts'
import { WorkHistoryCard } from './work-history.tsx'

const ages = ['under_10_s', 'under_1_min', 'under_10_min', 'under_1_h', 'over_1_h'] as const

export function Page() {
  const t = useOperatorTexts()
  const work = useQuery(workQuery)
  const providers = useQuery(providersQuery)
  return (
    <>
      <title>{t('console')}</title>
      <PageHeader title={<>{t('overview')}</>} about={t('overview_about')} />
      <div className="flex flex-col gap-6">
        <Proposed />
        <QueryState query={work}>{(now) => <Stats work={now} />}</QueryState>
        <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
          <Card title={t('ages')} about={t('ages_about')}>
            <QueryState query={work}>{(now) => <AgesChart work={now} />}</QueryState>
          </Card>
          <Card flush title={t('providers')}>
            <QueryState query={providers}>{(rows) => <Providers rows={rows} />}</QueryState>
          </Card>
        </div>
        <WorkHistoryCard />
        <QueryState query={work}>{(now) => <FailedJobs jobs={now.failed_jobs} />}</QueryState>
      </div>
    </>
  )
}

/** Links to the incidents that failed checks propose. */
function Proposed() {
  const t = useOperatorTexts()
  const { data } = useQuery(proposalsQuery)
  if (data === undefined || data.length === 0) return null
  return (
    <section className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl bg-warn-soft px-5 py-4 text-warn">
      <Lightbulb className="size-5 shrink-0" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-60">
        <h2 className="font-semibold">{t('proposed', { count: data.length })}</h2>
        <p>{t('proposed_about')}</p>
      </div>
      <Link to="/operator/incidents" className="font-medium text-warn! underline">
        {t('proposed_action')}
      </Link>
    </section>
  )
}

function Stats({ work: { jobs, deliveries } }: { work: Work }) {
  const t = useOperatorTexts()
  const { data: appeals } = useQuery(reviewsQuery(true))
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <StatCard label={t('jobs_due')} value={jobs.due} note={<Late seconds={jobs.oldest_s} />} />
      <StatCard
        label={t('deliveries_due')}
        value={deliveries.due}
        note={t('failed_24h', { count: deliveries.failed_24h })}
      />
      <StatCard label={t('jobs_failed')} value={jobs.failed} note={t('failed_about')} />
      <StatCard label={t('appeals')} value={appeals?.length ?? '–'} note={t('appeals_about')} />
    </div>
  )
}

function Late({ seconds }: { seconds: number | null }) {
  const t = useOperatorTexts()
  if (seconds === null) return t('none_late')
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)]
  const time = hours > 0 ? `${hours} h` : minutes > 0 ? `${minutes} min` : `${seconds} s`
  return t('oldest', { time })
}

function AgesChart({ work: { jobs, deliveries } }: { work: Work }) {
  const t = useOperatorTexts()
  const format = useFormat()
  if (jobs.oldest_s === null && deliveries.oldest_s === null) {
    return (
      <EmptyState
        icon={<CircleCheckBig aria-hidden="true" />}
        title={t('none_late')}
        about={t('none_late_about')}
      />
    )
  }
  return (
    <Chart
      label={t('ages')}
      bars={ages.map((age) => ({
        name: t(age),
        jobs: jobs.ages[age],
        deliveries: deliveries.ages[age],
      }))}
      series={[
        { key: 'jobs', name: t('jobs') },
        { key: 'deliveries', name: t('deliveries') },
      ]}
      format={(value) => format.number(value)}
    />
  )
}

const tones: Readonly<Record<Provider['status'], Tone>> = {
  operational: 'good',
  degraded: 'warn',
  down: 'bad',
  not_in_use: 'neutral',
  unknown: 'neutral',
}

function Providers({ rows }: { rows: readonly Provider[] }) {
  const t = useOperatorTexts()
  return (
    <ul className="divide-y divide-line">
      {rows.map(({ interface: name, provider, status, last_error }) => (
        <li key={name} className="flex items-start gap-3 px-5 py-3">
          <div className="min-w-0 flex-1">
            <p className="font-medium">
              {t(name)} <span className="font-normal text-muted">· {provider}</span>
            </p>
            <p className="text-sm break-words text-muted">
              {last_error === null ? (
                t('no_error')
              ) : (
                <>
                  {last_error.message} <Moment at={last_error.at} />
                </>
              )}
            </p>
          </div>
          <Badge tone={tones[status]}>{t(status)}</Badge>
        </li>
      ))}
    </ul>
  )
}

function FailedJobs({ jobs }: { jobs: Work['failed_jobs'] }) {
  const t = useOperatorTexts()
  const retry = useAct({
    run: () => retryJobs(),
    done: t('retried'),
    refresh: [operatorKey],
  })
  return (
    <Card
      flush
      title={t('jobs_failed')}
      aside={
        jobs.length > 0 && (
          <Button size="sm" busy={retry.isPending} onClick={() => retry.mutate(undefined)}>
            <RotateCcw aria-hidden="true" />
            {t('retry')}
          </Button>
        )
      }
    >
      {jobs.length === 0 ? (
        <EmptyState
          icon={<CircleCheckBig aria-hidden="true" />}
          title={t('no_failed')}
          about={t('no_failed_about')}
        />
      ) : (
        <ul className="divide-y divide-line">
          {jobs.map(({ id, job, attempt, last_error, failed_at }) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-5 py-3">
              <code className="font-mono text-sm">{job}</code>
              <span className="min-w-0 flex-1 basis-60 break-words text-muted">{last_error}</span>
              <span className="text-sm text-faint">{t('attempts', { count: attempt })}</span>
              {failed_at !== null && <Moment at={failed_at} />}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
