/** The use of language models: bars by day and area, and all rows as a table. */
import { useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { cx } from '../../ui/class-names.ts'
import { Card } from '../../ui/display/card.tsx'
import { Chart } from '../../ui/display/chart.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { modelUsageQuery, type ModelUsage, type UsageRow } from './queries.ts'
import { useModelUsageTexts } from './texts.ts'

const periods = ['7', '30', '90'] as const
type Period = (typeof periods)[number]
const measures = ['cost_eur', 'requests'] as const
type Measure = (typeof measures)[number]

/** Shows nothing for a project that used no language model in the longest period. */
export function ModelUsageCard() {
  const t = useModelUsageTexts()
  const scope = useProjectScope()
  const [period, setPeriod] = useState<Period>('30')
  const longest = useQuery(modelUsageQuery(scope, Number(periods.at(-1))))
  const query = useQuery(modelUsageQuery(scope, Number(period)))
  if (longest.data?.data.length === 0) return null
  return (
    <Card
      flush
      title={t('title')}
      about={t('about')}
      aside={
        <div className="w-44">
          <Select<Period>
            label={t('period')}
            value={period}
            onChange={setPeriod}
            choices={periods.map((value) => ({ value, text: t('days', { count: value }) }))}
          />
        </div>
      }
    >
      <QueryState query={query} loading={<Skeleton className="m-5 h-60" />}>
        {(usage) => (usage.data.length === 0 ? <Unused /> : <Used usage={usage} />)}
      </QueryState>
    </Card>
  )
}

function Unused() {
  const t = useModelUsageTexts()
  return (
    <EmptyState
      icon={<Sparkles aria-hidden="true" />}
      title={t('empty')}
      about={t('empty_about')}
    />
  )
}

function Used({ usage }: { usage: ModelUsage }) {
  const t = useModelUsageTexts()
  const format = useFormat()
  // If nothing was charged, as for the built-in model, the chart starts with the requests.
  const [measure, setMeasure] = useState<Measure>(usage.cost_eur > 0 ? 'cost_eur' : 'requests')
  return (
    <>
      <div className="px-5 pb-4">
        <div className="mb-3 flex flex-wrap items-center gap-3">
          <p className="flex-1 font-medium">{t('total', { cost: format.cost(usage.cost_eur) })}</p>
          <div role="group" aria-label={t('measure')} className="flex gap-1">
            {measures.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={measure === name}
                onClick={() => setMeasure(name)}
                className={cx(
                  'rounded-md px-2.5 py-1 text-sm font-medium',
                  measure === name ? 'bg-hover text-fg' : 'text-muted hover:text-fg',
                )}
              >
                {t(name === 'cost_eur' ? 'by_cost' : 'by_requests')}
              </button>
            ))}
          </div>
        </div>
        <DayChart usage={usage} measure={measure} />
      </div>
      <details className="border-t border-line">
        <summary className="cursor-pointer px-5 py-3 text-muted hover:text-fg">
          {t('table')}
        </summary>
        <UsageTable rows={usage.data} />
      </details>
    </>
  )
}

function DayChart({ usage, measure }: { usage: ModelUsage; measure: Measure }) {
  const t = useModelUsageTexts()
  const format = useFormat()
  const { from, to, areas, data } = usage
  const used = areas.filter((area) => data.some((row) => row.area === area))
  const series = used.map((area) => ({ key: area, name: t(`area_${area}`) }))
  const write = measure === 'cost_eur' ? format.cost : format.number
  const sum = (rows: readonly UsageRow[]) => rows.reduce((all, row) => all + row[measure], 0)
  const days = daysBetween(from, to).map((day) => ({
    name: format.day(day),
    rows: data.filter((row) => row.day === day),
  }))
  const said = days
    .filter(({ rows }) => rows.length > 0)
    .map(({ name, rows }) => `${name} ${write(sum(rows))}`)
  const bars = days.map(({ name, rows }) => ({
    name,
    ...Object.fromEntries(used.map((area) => [area, sum(rows.filter((row) => row.area === area))])),
  }))
  return (
    <>
      <Chart
        label={`${t('title')}: ${said.join(', ')}`}
        bars={bars}
        series={series}
        format={write}
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

const DAY_MS = 86_400_000

function daysBetween(from: string, to: string): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const count = Math.round((last - first) / DAY_MS) + 1
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  )
}

function UsageTable({ rows }: { rows: readonly UsageRow[] }) {
  const t = useModelUsageTexts()
  const format = useFormat()
  const columns: Column<UsageRow>[] = [
    { id: 'day', title: t('day'), sortBy: ({ day }) => day, cell: ({ day }) => format.day(day) },
    {
      id: 'area',
      title: t('area'),
      sortBy: ({ area }) => area,
      cell: ({ area, test }) => t(`area_${area}`) + (test ? ` (${t('test')})` : ''),
    },
    { id: 'model', title: t('model'), from: 'md', cell: ({ model }) => model },
    {
      id: 'requests',
      title: t('requests'),
      align: 'right',
      sortBy: ({ requests }) => requests,
      cell: (row) => <Requests row={row} />,
    },
    {
      id: 'input',
      title: t('input'),
      align: 'right',
      from: 'lg',
      sortBy: ({ input_tokens }) => input_tokens,
      cell: ({ input_tokens }) => format.number(input_tokens),
    },
    {
      id: 'output',
      title: t('output'),
      align: 'right',
      from: 'lg',
      sortBy: ({ output_tokens }) => output_tokens,
      cell: ({ output_tokens }) => format.number(output_tokens),
    },
    {
      id: 'cost',
      title: t('cost'),
      align: 'right',
      sortBy: ({ cost_eur }) => cost_eur,
      cell: ({ cost_eur }) => format.cost(cost_eur),
    },
  ]
  return (
    <Table
      label={t('title')}
      columns={columns}
      rows={rows}
      keyOf={({ day, area, model, test }) => `${day} ${area} ${model} ${String(test)}`}
    />
  )
}

function Requests({ row: { requests, estimated_requests } }: { row: UsageRow }) {
  const t = useModelUsageTexts()
  const format = useFormat()
  const isExact = estimated_requests === 0
  return (
    <span
      className="tabular-nums"
      {...(!isExact && { title: t('estimated', { count: estimated_requests }) })}
    >
      {isExact ? '' : '≈ '}
      {format.number(requests)}
    </span>
  )
}
