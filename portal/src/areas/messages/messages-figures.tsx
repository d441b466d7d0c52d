/** Figures about messages: the count of today, the price, deliveries and opt-outs; and the chart. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Chart } from '../../ui/display/chart.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { StatCard } from '../../ui/display/stat-card.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { optOutsQuery, type MessagesOverview } from './queries.ts'
import { useMessageTexts } from './texts.ts'

interface FiguresProps {
  overview: MessagesOverview
}

export function MessageFigures({ overview }: FiguresProps) {
  const t = useMessageTexts()
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const delivered = sum(overview, 'delivered')
  const ended = delivered + sum(overview, 'failed')
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <StatCard
        label={t('today')}
        value={format.number(overview.sent_today)}
        note={t('of_max', { max: format.number(overview.per_day_max) })}
      />
      <StatCard
        label={t('delivered_rate')}
        value={ended === 0 ? '–' : `${Math.round((100 * delivered) / ended)}%`}
        note={t('last_days')}
      />
      <StatCard
        label={t('price')}
        value={overview.test ? t('free') : format.cost(overview.segment_price_eur)}
        note={t(overview.test ? 'in_test_mode' : 'per_segment')}
      />
      <StatCard
        label={t('opted_out')}
        value={format.number(overview.opted_out)}
        note={t('opted_out_note')}
        action={
          overview.opted_out > 0 && (
            <Button size="sm" onClick={() => setOpen(true)}>
              {t('show_opt_outs')}
            </Button>
          )
        }
      />
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('opt_outs_title')}
        about={t('opt_outs_about')}
      >
        <OptOuts />
      </Dialog>
    </div>
  )
}

function OptOuts() {
  const t = useMessageTexts()
  const query = useQuery(optOutsQuery(useProjectScope()))
  return (
    <QueryState query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-muted">{t('nobody')}</p>
        ) : (
          <ul className="flex flex-col divide-y divide-line">
            {data.map(({ phone, opted_out_at }) => (
              <li key={phone} className="flex justify-between gap-4 py-2 tabular-nums">
                {phone}
                <Moment at={opted_out_at} />
              </li>
            ))}
          </ul>
        )
      }
    </QueryState>
  )
}

type Counted = 'delivered' | 'pending' | 'failed' | 'received'

function sum({ days }: MessagesOverview, status: Counted): number {
  return days.reduce((total, day) => total + day[status], 0)
}

const counted: readonly Counted[] = ['delivered', 'pending', 'failed', 'received']

export function hasMessages(overview: MessagesOverview): boolean {
  return counted.some((status) => sum(overview, status) > 0)
}

export function MessagesChart({ overview }: FiguresProps) {
  const t = useMessageTexts()
  const format = useFormat()
  const series = counted.map((status) => ({ key: status, name: t(`series_${status}`) }))
  const totals = counted.map((status) => {
    return `${t(`series_${status}`)} ${format.number(sum(overview, status))}`
  })
  const bars = overview.days.map(({ day, ...counts }) => ({ name: format.day(day), ...counts }))
  return (
    <>
      <Chart
        label={`${t('chart')}: ${totals.join(', ')}`}
        bars={bars}
        series={series}
        format={format.number}
      />
      <ul className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
        {counted.map((status, index) => (
          <li key={status} className="flex items-center gap-2">
            <span
              aria-hidden="true"
              className="size-2.5 rounded-sm"
              style={{ background: `var(--series-${index + 1})` }}
            />
            {t(`series_${status}`)} {format.number(sum(overview, status))}
          </li>
        ))}
      </ul>
    </>
  )
}
