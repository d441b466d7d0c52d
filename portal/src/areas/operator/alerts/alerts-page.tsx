/** Alerts of the installation: what fires, where alerts are sent, and the last 30 days. */
import { useQuery } from '@tanstack/react-query'
import { CircleCheckBig, TriangleAlert } from 'lucide-react'
import { useAct } from '../../../api/mutations.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { PageHeader } from '../../../ui/display/page-header.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { AlertHistory } from './alert-history.tsx'
import { AlertList } from './alert-list.tsx'
import { Channels } from './channels.tsx'
import { alertsKey, alertsQuery, sendTest, type Alerts } from './queries.ts'
import { useAlertTexts } from './texts.ts'

const UNCHECKED_MS = 5 * 60_000

export function Page() {
  const t = useAlertTexts()
  const query = useQuery(alertsQuery)
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} actions={<TestButton />} />
      <QueryState query={query}>{(alerts) => <Content alerts={alerts} />}</QueryState>
    </>
  )
}

function TestButton() {
  const t = useAlertTexts()
  const act = useAct({ run: sendTest, done: t('tested'), refresh: [alertsKey] })
  return (
    <Button busy={act.isPending} onClick={() => act.mutate(undefined)}>
      {t('test')}
    </Button>
  )
}

function Content({ alerts }: { alerts: Alerts }) {
  const t = useAlertTexts()
  const { checked_at, firing, watched, history, hold_minutes } = alerts
  const is_unchecked = checked_at === null || Date.now() - Date.parse(checked_at) > UNCHECKED_MS
  return (
    <div className="flex flex-col gap-6">
      {is_unchecked && <Unchecked />}
      {firing.length > 0 ? (
        <Card flush title={t('firing')} aside={<Checked at={checked_at} />}>
          <AlertList alerts={firing} tone="bad" />
        </Card>
      ) : (
        !is_unchecked && (
          <Card flush>
            <EmptyState
              icon={<CircleCheckBig aria-hidden="true" />}
              title={t('none')}
              about={t('none_about')}
              action={<Checked at={checked_at} />}
            />
          </Card>
        )
      )}
      {watched.length > 0 && (
        <Card flush title={t('watched')} about={t('watched_about', { count: hold_minutes })}>
          <AlertList alerts={watched} tone="warn" />
        </Card>
      )}
      <Channels alerts={alerts} />
      <AlertHistory alerts={history} />
    </div>
  )
}

function Checked({ at }: { at: string | null }) {
  const t = useAlertTexts()
  if (at === null) return null
  return (
    <p className="text-sm text-muted">
      {t('checked')} <Moment at={at} />
    </p>
  )
}

function Unchecked() {
  const t = useAlertTexts()
  return (
    <section className="flex items-start gap-4 rounded-xl bg-warn-soft px-5 py-4 text-warn">
      <TriangleAlert className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
      <div>
        <h2 className="font-semibold">{t('unchecked')}</h2>
        <p>{t('unchecked_about')}</p>
      </div>
    </section>
  )
}
