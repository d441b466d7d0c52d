/** The page views of a site: a chart per day, the most viewed pages, and where visitors came from. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Card } from '../../ui/display/card.tsx'
import { Chart } from '../../ui/display/chart.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { visitsQuery, type Site, type VisitDays, type Visits } from './queries.ts'
import { useSiteTexts } from './texts.ts'

const spans = ['7', '30', '90'] as const
const SHOWN_MAX = 8

export function SiteVisits({ site }: { site: Site }) {
  const t = useSiteTexts()
  const [span, setSpan] = useState<VisitDays>('30')
  const query = useQuery({
    ...visitsQuery(useProjectScope(), site.id, span),
    placeholderData: keepPreviousData,
  })
  return (
    <Card
      title={t('visits')}
      about={t('visits_about')}
      aside={
        <div className="w-40">
          <Select
            label={t('span')}
            value={span}
            onChange={setSpan}
            choices={spans.map((value) => ({ value, text: t('days', { count: Number(value) }) }))}
          />
        </div>
      }
    >
      <QueryState query={query} loading={<Skeleton className="h-60" />}>
        {(visits) =>
          visits.views === 0 ? (
            <EmptyState
              icon={<ChartColumn aria-hidden="true" />}
              title={t('no_visits')}
              about={t('no_visits_about')}
            />
          ) : (
            <Views visits={visits} />
          )
        }
      </QueryState>
    </Card>
  )
}

function Views({ visits }: { visits: Visits }) {
  const t = useSiteTexts()
  const format = useFormat()
  const { views, days, pages, referrers } = visits
  return (
    <div className="flex flex-col gap-6">
      <p>
        <span className="text-2xl font-semibold tracking-tight tabular-nums">
          {format.number(views)}
        </span>{' '}
        <span className="text-muted">{t('views', { count: views })}</span>
      </p>
      <Chart
        label={t('visits_chart')}
        bars={days.map((one) => ({ name: format.day(one.day), views: one.views }))}
        series={[{ key: 'views', name: t('visits') }]}
        format={format.number}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <Names
          title={t('top_pages')}
          rows={pages.map(({ path, views: count }) => [path ?? t('other_pages'), count])}
          total={views}
        />
        <Names
          title={t('referrers')}
          empty={t('no_referrers')}
          rows={referrers.map(({ host, views: count }) => [host ?? t('other_hosts'), count])}
          total={views}
        />
      </div>
    </div>
  )
}

interface NamesProps {
  title: string
  empty?: string
  rows: readonly (readonly [name: string, views: number])[]
  total: number
}

/** Names with their views, each over a bar of its share. */
function Names({ title, empty, rows, total }: NamesProps) {
  const format = useFormat()
  return (
    <section className="min-w-0">
      <h3 className="mb-2 font-semibold">{title}</h3>
      {rows.length === 0 && <p className="text-sm text-muted">{empty}</p>}
      <ol className="flex flex-col gap-1 text-sm">
        {rows.slice(0, SHOWN_MAX).map(([name, views]) => (
          <li key={name} className="relative flex gap-3 overflow-hidden rounded-md px-2.5 py-1.5">
            <span
              aria-hidden="true"
              className="absolute inset-y-0 left-0 bg-accent-soft"
              style={{ width: `${Math.min(100, (views / total) * 100)}%` }}
            />
            <span className="relative min-w-0 flex-1 truncate">{name}</span>
            <span className="relative text-muted tabular-nums">{format.number(views)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
