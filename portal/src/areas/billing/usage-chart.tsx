/** Charts of the spending of each month or each day of a month, by source. */
import { ChartColumn } from 'lucide-react'
import { useFormat } from '../../language/format.ts'
import { Chart } from '../../ui/display/chart.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import type { Day, Month } from './queries.ts'
import { nameSource } from './source-name.ts'
import { useBillingTexts } from './texts.ts'

export function UsageChart({ months }: { months: readonly Month[] }) {
  const t = useBillingTexts()
  const format = useFormat()
  const bars = months.toReversed().map(({ month, spent_on }) => ({
    name: format.month(month),
    spent_on,
  }))
  return <SpendingChart label={t('usage')} bars={bars} />
}

/** Each day of the month, also those without spending. */
export function DaysChart({ month, days }: { month: string; days: readonly Day[] }) {
  const t = useBillingTexts()
  const byDay = new Map(days.map(({ day, spent_on }) => [day, spent_on]))
  const [year = 0, number = 1] = month.split('-').map(Number)
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate()
  const bars = Array.from({ length }, (_, index) => {
    const day = String(index + 1)
    return { name: day, spent_on: byDay.get(`${month}-${day.padStart(2, '0')}`) ?? [] }
  })
  return <SpendingChart label={t('days')} bars={bars} />
}

interface SpendingChartProps {
  label: string
  bars: readonly { name: string; spent_on: Month['spent_on'] }[]
}

function SpendingChart({ label, bars }: SpendingChartProps) {
  const t = useBillingTexts()
  const format = useFormat()
  const sources = [...new Set(bars.flatMap(({ spent_on }) => spent_on.map((one) => one.source)))]
  if (sources.length === 0) {
    return (
      <EmptyState
        icon={<ChartColumn aria-hidden="true" />}
        title={t('no_usage')}
        about={t('no_usage_about')}
      />
    )
  }
  const series = sources.map((source) => ({ key: source, name: nameSource(source, t) }))
  const total = bars
    .filter(({ spent_on }) => spent_on.length > 0)
    .map(({ name, spent_on }) => {
      return `${name} ${format.euro(spent_on.reduce((sum, one) => sum + one.amount_eur, 0))}`
    })
  return (
    <>
      <Chart
        label={`${label}: ${total.join(', ')}`}
        bars={bars.map(({ name, spent_on }) => ({
          name,
          ...Object.fromEntries(spent_on.map(({ source, amount_eur }) => [source, amount_eur])),
        }))}
        series={series}
        format={format.euro}
      />
      <ul className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
        {series.map(({ key, name }, index) => (
          <li key={key} className="flex items-center gap-2">
            <span
              aria-hidden="true"
              className="size-2.5 rounded-sm"
              style={{ background: `var(--series-${(index % 5) + 1})` }}
            />
            {name}
          </li>
        ))}
      </ul>
    </>
  )
}
