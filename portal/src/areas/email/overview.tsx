/** The state of email: limits, bounces, a chart, the pause, and the switch. */
import { ChartColumn } from 'lucide-react'
import { ConfirmedAct } from '../../api/confirmed-act.tsx'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { Button, ButtonLink } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Chart } from '../../ui/display/chart.tsx'
import { StatCard } from '../../ui/display/stat-card.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { emailKey, resumeSending, switchEmail, type EmailStatus } from './queries.ts'
import { useEmailTexts } from './texts.ts'

const percent = (share: number) => `${Math.round(share * 1000) / 10}%`
const outcomes = ['delivered', 'bounced', 'complained', 'waiting'] as const

export interface OverviewProps {
  status: EmailStatus
  onAddresses(): void
}

export function Overview({ status, onAddresses }: OverviewProps) {
  const t = useEmailTexts()
  const format = useFormat()
  const { reputation } = status
  return (
    <div className="flex flex-col gap-6 pt-6">
      <Notices status={status} />
      <Waiting count={status.recipients_waiting} onAddresses={onAddresses} />
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <StatCard
          label={t('today')}
          value={status.used_today}
          note={t('of', { limit: format.number(status.daily_limit) })}
        />
        <StatCard
          label={t('new_today')}
          value={status.new_recipients_today}
          note={t('new_about')}
        />
        <StatCard
          label={t('bounce_rate')}
          value={percent(reputation.bounce_rate)}
          note={t('bounce_about', { count: reputation.sent_last_200 })}
        />
        <StatCard
          label={t('complaints')}
          value={reputation.complaints}
          note={t('complaints_about')}
        />
      </div>
      <DaysCard days={status.days} />
      <SwitchOff />
    </div>
  )
}

function Notices({ status }: { status: EmailStatus }) {
  const t = useEmailTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: () => resumeSending(scope),
    done: t('resumed'),
    refresh: [emailKey(scope)],
  })
  const resume = (
    <Button kind="primary" size="sm" busy={act.isPending} onClick={() => act.mutate(undefined)}>
      {t('resume')}
    </Button>
  )
  const isTest = status.rails.email === 'test' || scope.mode === 'test'
  return (
    <>
      {status.paused_reason !== null && (
        <Card
          title={t('paused')}
          about={t(`paused_${status.paused_reason}`)}
          aside={scope.may('owner') && resume}
        />
      )}
      {isTest && (
        <p className="flex flex-wrap items-center gap-3 text-muted">
          {t('test_mode')}
          <ButtonLink size="sm" to={scope.link('/go-live')}>
            {t('go_live')}
          </ButtonLink>
        </p>
      )}
      {!isTest && status.delivery === 'log' && <p className="text-muted">{t('log_mode')}</p>}
    </>
  )
}

function Waiting({ count, onAddresses }: { count: number; onAddresses(): void }) {
  const t = useEmailTexts()
  const scope = useProjectScope()
  if (count === 0 || !scope.may('owner')) return null
  return (
    <p className="flex flex-wrap items-center gap-3">
      {t('people_wait', { count })}
      <Button size="sm" onClick={onAddresses}>
        {t('see_addresses')}
      </Button>
    </p>
  )
}

function DaysCard({ days }: { days: EmailStatus['days'] }) {
  const t = useEmailTexts()
  const format = useFormat()
  const series = outcomes.map((key) => ({ key, name: t(key) }))
  const summary = days.map(({ day, delivered, bounced }) => `${day}: ${delivered}, ${bounced}`)
  return (
    <Card title={t('chart')}>
      {days.length === 0 ? (
        <EmptyState
          icon={<ChartColumn aria-hidden="true" />}
          title={t('chart_empty')}
          about={t('chart_empty_about')}
        />
      ) : (
        <Chart
          label={`${t('chart')}: ${summary.join('; ')}`}
          bars={days.map(({ day, ...counts }) => ({ name: format.day(day), ...counts }))}
          series={series}
          legend
          format={String}
        />
      )}
    </Card>
  )
}

function SwitchOff() {
  const t = useEmailTexts()
  const scope = useProjectScope()
  if (!scope.may('owner')) return null
  return (
    <ConfirmedAct
      text={t('turn_off')}
      title={t('turn_off_title')}
      about={t('turn_off_about')}
      run={() => switchEmail(scope, false)}
      done={t('turned_off')}
      refresh={[emailKey(scope)]}
    />
  )
}
