/** What customers paid and got back on each of the last days; nothing before the first payment. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { useTexts } from '../../language/texts.ts'
import { Card } from '../../ui/display/card.tsx'
import { Chart } from '../../ui/display/chart.tsx'
import { revenueQuery } from './queries.ts'
import { paymentTexts } from './texts.ts'

export function RevenueCard() {
  const t = useTexts(paymentTexts)
  const format = useFormat()
  const { data = [] } = useQuery(revenueQuery(useProjectScope()))
  if (data.length === 0) return null
  const bars = data.map(({ day, paid_eur, refunded_eur }) => ({
    name: day.slice('2026-'.length),
    paid_eur,
    refunded_eur,
  }))
  const total = data.map(({ day, paid_eur }) => `${day} ${format.euro(paid_eur)}`).join(', ')
  const series = [
    { key: 'paid_eur', name: t('revenue_paid') },
    { key: 'refunded_eur', name: t('revenue_refunded') },
  ]
  return (
    <Card title={t('revenue')}>
      <Chart
        label={`${t('revenue')}: ${total}`}
        bars={bars}
        series={series}
        grouped
        format={format.euro}
      />
    </Card>
  )
}
