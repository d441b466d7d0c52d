/** Charts of waiting, late and failed jobs and deliveries over a day, a week or a month. */
import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Card } from '../../ui/display/card.tsx'
import { Chart } from '../../ui/display/chart.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { workHistoryQuery, type WorkHistory, type WorkRange } from './queries.ts'
import { useOperatorTexts } from './texts.ts'

const figures = ['due', 'oldest_s', 'failed'] as const
type Figure = (typeof figures)[number]

export function WorkHistoryCard() {
  const t = useOperatorTexts()
  const [range, setRange] = useState<WorkRange>('24h')
  const query = useQuery(workHistoryQuery(range))
  return (
    <Card
      title={t('history')}
      about={t('history_about')}
      aside={
        <div className="w-36">
          <Select
            label={t('range')}
            value={range}
            onChange={setRange}
            choices={[
              { value: '24h', text: t('range_24h') },
              { value: '7d', text: t('range_7d') },
              { value: '30d', text: t('range_30d') },
            ]}
          />
        </div>
      }
    >
      <QueryState query={query}>
        {(history) => <Charts history={history} range={range} />}
      </QueryState>
    </Card>
  )
}

function Charts({ history, range }: { history: WorkHistory; range: WorkRange }) {
  const t = useOperatorTexts()
  if (history.data.every(({ samples }) => samples === 0)) {
    return (
      <EmptyState
        icon={<ChartColumn aria-hidden="true" />}
        title={t('no_history')}
        about={t('no_history_about')}
      />
    )
  }
  return (
    <div className="flex flex-col gap-8">
      {figures.map((figure) => (
        <FigureChart key={figure} figure={figure} history={history} range={range} />
      ))}
    </div>
  )
}

interface FigureChartProps {
  figure: Figure
  history: WorkHistory
  range: WorkRange
}

function FigureChart({ figure, history: { data }, range }: FigureChartProps) {
  const t = useOperatorTexts()
  const format = useFormat()
  const write = (value: number) =>
    figure === 'oldest_s' ? writeSeconds(value) : format.number(value)
  const most = (kind: 'jobs' | 'deliveries') => Math.max(...data.map((one) => one[kind][figure]))
  const summary = t('history_most', {
    jobs: write(most('jobs')),
    deliveries: write(most('deliveries')),
  })
  return (
    <section className="min-w-0">
      <h3 className="font-medium">{t(`history_${figure}`)}</h3>
      <p className="mb-2 text-sm text-muted">{summary}</p>
      <Chart
        grouped
        label={`${t(`history_${figure}`)}. ${summary}`}
        bars={data.map(({ at, jobs, deliveries }) => ({
          name: writeTime(at, range, format),
          jobs: jobs[figure],
          deliveries: deliveries[figure],
        }))}
        series={[
          { key: 'jobs', name: t('jobs') },
          { key: 'deliveries', name: t('deliveries') },
        ]}
        format={write}
      />
    </section>
  )
}

function writeTime(at: string, range: WorkRange, format: ReturnType<typeof useFormat>): string {
  const time = new Date(at)
  const clock = [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0'))
  return range === '24h' ? clock.join(':') : `${format.date(at)} ${clock.join(':')}`
}

function writeSeconds(seconds: number): string {
  if (seconds >= 3600) return `${Math.round(seconds / 360) / 10} h`
  return seconds >= 60
    ? `${Math.round(seconds / 6) / 10} min`
    : `${Math.round(seconds * 10) / 10} s`
}
