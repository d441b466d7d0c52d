/** The transactions of a month as a table. */
import { ReceiptText } from 'lucide-react'
import { useFormat } from '../../language/format.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import type { Transaction } from './queries.ts'
import { useBillingTexts } from './texts.ts'
import { nameTransaction } from './transaction-name.ts'

export interface TransactionsProps {
  rows: readonly Transaction[]
  onEnd(): void
}

export function Transactions({ rows, onEnd }: TransactionsProps) {
  const t = useBillingTexts()
  const format = useFormat()
  const columns: Column<Transaction>[] = [
    {
      id: 'what',
      title: t('what'),
      cell: ({ description, type, created_at }) => (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{nameTransaction(description, t, format)}</span>
          {type === 'top_up' && <Badge tone="good">{t('top_up')}</Badge>}
          <span className="w-full text-sm text-muted sm:hidden">{format.moment(created_at)}</span>
        </span>
      ),
    },
    {
      id: 'when',
      title: t('when'),
      from: 'sm',
      sortBy: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
    {
      id: 'amount',
      title: t('amount'),
      align: 'right',
      sortBy: ({ amount_eur }) => amount_eur,
      cell: ({ amount_eur }) => (
        <span className={`font-medium tabular-nums ${amount_eur > 0 ? 'text-good' : ''}`}>
          {amount_eur > 0 && '+'}
          {format.euro(amount_eur)}
        </span>
      ),
    },
    {
      id: 'after',
      title: t('after'),
      align: 'right',
      from: 'md',
      cell: ({ balance_after_eur }) => (
        <span className="text-muted tabular-nums">{format.euro(balance_after_eur)}</span>
      ),
    },
  ]
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<ReceiptText aria-hidden="true" />}
        title={t('no_entries')}
        about={t('no_entries_about')}
      />
    )
  }
  return (
    <Table
      label={t('entries')}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      onEnd={onEnd}
    />
  )
}
