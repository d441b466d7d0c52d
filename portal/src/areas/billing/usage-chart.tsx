/** A chart of the spending of each month, by source. */
import { ChartColumn } from 'lucide-react'
import { useFormat } from '../../language/format.ts'
import { useTexts } from '../../language/texts.ts'
import { Chart } from '../../ui/display/chart.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import type { Month } from './queries.ts'
import { billingTexts } from './texts.ts'

export function UsageChart({ months }: { months: readonly Month[] }) {
  const t = useTexts(billingTexts)
  const format = useFormat()
  if (!months.some(({ spent_eur }) => spent_eur > 0)) {
    return (
      <EmptyState
        icon={<ChartColumn aria-hidden="true" />}
        title={t('no_usage')}
        about={t('no_usage_about')}
      />
    )
  }
  const sources = [...new Set(months.flatMap(({ spent_on }) => spent_on.map((one) => one.source)))]
  const bars = months.toReversed().map(({ month, spent_on }) => ({
    name: format.month(month),
    ...Object.fromEntries(spent_on.map(({ source, amount_eur }) => [source, amount_eur])),
  }))
  const series = sources.map((source) => ({ key: source, name: sourceName(source) }))
  const total = months.map(({ month, spent_eur }) => `${month} ${format.euro(spent_eur)}`)
  return (
    <>
      <Chart
        label={`${t('usage')}: ${total.join(', ')}`}
        bars={bars}
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

/** Formats `number_month` as `Number month`. */
function sourceName(source: string): string {
  if (source.length <= 3) return source.toUpperCase()
  const words = source.replaceAll(/[_.]/g, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
