/** Resolved alerts, newest first. */
import { useLanguage } from '../../../language/texts.ts'
import { Card } from '../../../ui/display/card.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { Table, type Column } from '../../../ui/display/table.tsx'
import type { Alert } from './queries.ts'
import { useAlertTexts } from './texts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export function AlertHistory({ alerts }: { alerts: readonly Alert[] }) {
  const t = useAlertTexts()
  const language = useLanguage()
  const columns: Column<Alert>[] = [
    {
      id: 'alert',
      title: t('alert'),
      cell: ({ texts, since }) => (
        <>
          {texts[language].title}
          <span className="block text-sm text-muted md:hidden">
            <Moment at={since} />
          </span>
        </>
      ),
      sortBy: ({ texts }) => texts[language].title,
    },
    {
      id: 'began',
      title: t('began'),
      from: 'md',
      cell: ({ since }) => <Moment at={since} />,
      sortBy: ({ since }) => since,
    },
    {
      id: 'lasted',
      title: t('lasted'),
      align: 'right',
      cell: (alert) => <Lasted ms={durationOf(alert)} />,
      sortBy: durationOf,
    },
    {
      id: 'ended',
      title: t('ended'),
      from: 'md',
      cell: ({ resolved_at }) => resolved_at !== null && <Moment at={resolved_at} />,
      sortBy: ({ resolved_at }) => resolved_at ?? '',
    },
  ]
  if (alerts.length === 0)
    return (
      <Card title={t('history')}>
        <p className="text-muted">{t('no_history')}</p>
      </Card>
    )
  return (
    <Card flush title={t('history')}>
      <Table label={t('history')} columns={columns} rows={alerts} keyOf={({ id }) => id} />
    </Card>
  )
}

function durationOf({ since, resolved_at }: Alert): number {
  return resolved_at === null ? 0 : Date.parse(resolved_at) - Date.parse(since)
}

function Lasted({ ms }: { ms: number }) {
  const t = useAlertTexts()
  if (ms < HOUR_MS) return t('minutes', { count: Math.max(1, Math.round(ms / MINUTE_MS)) })
  if (ms < DAY_MS) return t('hours', { count: Math.round(ms / HOUR_MS) })
  return t('days', { count: Math.round(ms / DAY_MS) })
}
