/** All orders, newest first, by status. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { ShoppingBag } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { FilterSelect } from '../../ui/forms/filters.tsx'
import { ordersQuery, type Order, type OrderStatus } from './queries.ts'
import { usePaymentTexts } from './texts.ts'
import { statuses, tones } from './tones.ts'

export interface OrderListProps {
  /** What to do for a first order. */
  action: ReactNode
  onOpen(id: string): void
}

export function OrderList({ action, onOpen }: OrderListProps) {
  const t = usePaymentTexts()
  const [status, setStatus] = useState<OrderStatus>()
  const query = useInfiniteQuery(
    ordersQuery(useProjectScope(), status === undefined ? {} : { status }),
  )
  const columns = useColumns(({ id }) => onOpen(id))
  const empty =
    status === undefined
      ? { title: t('empty'), about: t('empty_about'), sentence: t('sentence'), action }
      : { title: t('nothing_found'), about: t('nothing_found_about') }
  return (
    <>
      <div className="grid px-5 pt-2 pb-4 sm:max-w-64">
        <FilterSelect
          label={t('status')}
          all={t('all_statuses')}
          value={status}
          onChange={setStatus}
          choices={statuses.map((value) => ({ value, text: t(value) }))}
        />
      </div>
      <ListTable
        query={query}
        label={t('orders')}
        more={t('more')}
        columns={columns}
        icon={<ShoppingBag aria-hidden="true" />}
        empty={empty}
        onOpen={({ id }) => onOpen(id)}
      />
    </>
  )
}

function useColumns(onOpen: (row: Order) => void): Column<Order>[] {
  const t = usePaymentTexts()
  const format = useFormat()
  const scope = useProjectScope()
  return [
    {
      id: 'number',
      title: t('number'),
      sortBy: ({ number }) => number,
      cell: (row) => (
        <>
          <button
            type="button"
            onClick={() => onOpen(row)}
            className="font-medium tabular-nums whitespace-nowrap hover:text-accent"
          >
            {t('order', { number: row.number })}
          </button>
          <span className="block text-muted wrap-anywhere md:hidden">{customerOf(row)}</span>
        </>
      ),
    },
    { id: 'customer', title: t('customer'), from: 'md', cell: (row) => customerOf(row) ?? '–' },
    {
      id: 'status',
      title: t('status'),
      sortBy: ({ status }) => status,
      cell: ({ status, test }) => (
        <span className="flex flex-wrap gap-1.5">
          <Badge tone={tones[status]}>{t(status)}</Badge>
          {test && scope.mode === 'live' && <Badge tone="neutral">{t('test')}</Badge>}
        </span>
      ),
    },
    {
      id: 'amount',
      title: t('amount'),
      align: 'right',
      sortBy: ({ amount_eur }) => amount_eur,
      cell: ({ amount_eur }) => <span className="tabular-nums">{format.euro(amount_eur)}</span>,
    },
    {
      id: 'when',
      title: t('when'),
      from: 'sm',
      align: 'right',
      sortBy: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}

export function customerOf({ customer }: Pick<Order, 'customer'>): string | null {
  return customer.name ?? customer.email ?? customer.phone
}
