/** Orders of visitors that were refused, by day and reason. Shows nothing if there are none. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { useTexts } from '../../language/texts.ts'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { refusalsQuery, type OrderRefusal } from './queries.ts'
import { refusalTexts } from './refusal-texts.ts'

export function RefusalCard() {
  const t = useTexts(refusalTexts)
  const format = useFormat()
  const { data: rows = [] } = useQuery(refusalsQuery(useProjectScope()))
  if (rows.length === 0) return null
  const columns: Column<OrderRefusal>[] = [
    { id: 'reason', title: t('reason'), cell: ({ reason }) => t(reason) },
    {
      id: 'orders',
      title: t('orders'),
      align: 'right',
      cell: ({ orders }) => <span className="tabular-nums">{format.number(orders)}</span>,
    },
    {
      id: 'last',
      title: t('last'),
      from: 'sm',
      align: 'right',
      cell: ({ last_at }) => <Moment at={last_at} />,
    },
  ]
  return (
    <Card title={t('title')} about={t('about')} flush>
      <Table label={t('title')} columns={columns} rows={rows} keyOf={({ id }) => id} />
    </Card>
  )
}
