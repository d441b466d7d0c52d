/** A month: its spending by day, its transactions, and both as files. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FileSpreadsheet, FileText } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { useLanguage } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import {
  daysQuery,
  readMonth,
  transactionsQuery,
  type Month,
  type TransactionFilter,
} from './queries.ts'
import { nameSource } from './source-name.ts'
import { saveCsv } from './statement/csv.ts'
import { useBillingTexts } from './texts.ts'
import { Transactions } from './transactions.tsx'
import { DaysChart } from './usage-chart.tsx'

export interface MonthSectionProps {
  months: readonly Month[]
  /** Whether one of these months has spending. Otherwise there is no chart. */
  hasSpent: boolean
}

export function MonthSection({ months, hasSpent }: MonthSectionProps) {
  const t = useBillingTexts()
  const scope = useProjectScope()
  const now = new Date().toISOString().slice(0, 7)
  const [filter, setFilter] = useState<TransactionFilter>({ month: now, type: '', source: '' })
  const days = useQuery(daysQuery(scope, filter.month))
  const query = useInfiniteQuery(transactionsQuery(scope, filter))
  const known = [...new Set([now, ...months.map(({ month }) => month)])]
  const sources = (days.data ?? []).flatMap(({ spent_on }) => spent_on.map(({ source }) => source))
  const change = (part: Partial<TransactionFilter>) => setFilter((was) => ({ ...was, ...part }))
  const monthSelect = (
    <MonthSelect
      months={known}
      value={filter.month}
      onChange={(month) => setFilter({ month, type: '', source: '' })}
    />
  )
  return (
    <>
      {hasSpent && (
        <Card title={t('days')} aside={monthSelect}>
          <QueryState query={days} loading={<Skeleton className="h-60" />}>
            {(data) => <DaysChart month={filter.month} days={data} />}
          </QueryState>
        </Card>
      )}
      <Card title={t('entries')} flush aside={<Downloads month={filter.month} />}>
        <div className="mb-3 grid gap-3 px-5 sm:grid-cols-[repeat(3,12rem)]">
          {!hasSpent && monthSelect}
          <Select<TransactionFilter['type']>
            label={t('type')}
            value={filter.type}
            onChange={(type) => change({ type })}
            choices={[
              { value: '', text: t('type_all') },
              { value: 'charge', text: t('type_charge') },
              { value: 'top_up', text: t('type_top_up') },
            ]}
          />
          <Select<string>
            label={t('source')}
            value={filter.source}
            onChange={(source) => change({ source })}
            choices={[
              { value: '', text: t('source_all') },
              ...[...new Set(sources)].map((value) => ({ value, text: nameSource(value, t) })),
            ]}
          />
        </div>
        <QueryState query={query}>
          {({ pages }) => (
            <TransactionList
              rows={pages.flatMap(({ data }) => data)}
              isFiltered={filter.type !== '' || filter.source !== ''}
              more={query.hasNextPage ? () => void query.fetchNextPage() : null}
            />
          )}
        </QueryState>
      </Card>
    </>
  )
}

interface TransactionListProps {
  rows: Parameters<typeof Transactions>[0]['rows']
  isFiltered: boolean
  more: (() => void) | null
}

function TransactionList({ rows, isFiltered, more }: TransactionListProps) {
  const t = useBillingTexts()
  if (rows.length === 0 && isFiltered) {
    return <p className="px-5 pb-5 text-muted">{t('none_match')}</p>
  }
  return (
    <>
      <Transactions rows={rows} onEnd={() => more?.()} />
      {more !== null && (
        <div className="border-t border-line p-3 text-center">
          <Button size="sm" kind="ghost" onClick={more}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  )
}

interface MonthSelectProps {
  months: readonly string[]
  value: string
  onChange(month: string): void
}

function MonthSelect({ months, value, onChange }: MonthSelectProps) {
  const t = useBillingTexts()
  const format = useFormat()
  return (
    <div className="w-44">
      <Select<string>
        label={t('month')}
        value={value}
        onChange={onChange}
        choices={months.map((month) => ({ value: month, text: format.monthAndYear(month) }))}
      />
    </div>
  )
}

/** The code that writes PDF is loaded by the click that needs it. */
function Downloads({ month }: { month: string }) {
  const t = useBillingTexts()
  const format = useFormat()
  const language = useLanguage()
  const scope = useProjectScope()
  const name = `${scope.project.name} ${month}`
  const csv = useAct({
    run: async () => saveCsv(name, await readMonth(scope, month)),
  })
  const pdf = useAct({
    run: async () => {
      const [{ savePdf }, rows] = await Promise.all([
        import('./statement/pdf.ts'),
        readMonth(scope, month),
      ])
      await savePdf({ name, project: scope.project.name, month, rows, t, format, language })
    },
  })
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" busy={csv.isPending} onClick={() => csv.mutate(undefined)}>
        <FileSpreadsheet aria-hidden="true" />
        {t('csv')}
      </Button>
      <Button size="sm" busy={pdf.isPending} onClick={() => pdf.mutate(undefined)}>
        <FileText aria-hidden="true" />
        {t('pdf')}
      </Button>
    </div>
  )
}
