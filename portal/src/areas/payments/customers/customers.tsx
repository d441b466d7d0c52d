/** The customers with what they paid, newest order first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../../api/list-table.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import type { Column } from '../../../ui/display/table.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { customersQuery, type Customer, type CustomerKey } from './customer-queries.ts'
import { useCustomerTexts } from './customer-texts.ts'

export interface CustomersProps {
  onOpen(customer: CustomerKey): void
}

export function Customers({ onOpen }: CustomersProps) {
  const t = useCustomerTexts()
  const [q, setQ] = useState('')
  const query = useInfiniteQuery(customersQuery(useProjectScope(), q))
  const empty =
    q === ''
      ? { title: t('empty'), about: t('empty_about'), sentence: t('sentence') }
      : { title: t('nothing_found'), about: t('nothing_found_about') }
  return (
    <Card title={t('customers')} about={t('about')} flush>
      <div className="grid px-5 pt-2 pb-4 sm:max-w-80">
        <SearchField label={t('search')} onSearch={setQ} />
      </div>
      <ListTable
        query={query}
        label={t('customers')}
        more={t('more')}
        columns={useColumns(onOpen)}
        keyOf={({ email, test }) => `${test} ${email}`}
        icon={<Users aria-hidden="true" />}
        empty={empty}
        onOpen={onOpen}
      />
    </Card>
  )
}

function useColumns(onOpen: (row: Customer) => void): Column<Customer>[] {
  const t = useCustomerTexts()
  const format = useFormat()
  const scope = useProjectScope()
  return [
    {
      id: 'customer',
      title: t('customer'),
      cell: (row) => (
        <button
          type="button"
          onClick={() => onOpen(row)}
          className="text-left font-medium wrap-anywhere hover:text-accent"
        >
          <bdi>{row.name ?? row.email}</bdi>
          {row.name !== null && (
            <span className="block text-sm font-normal text-muted">{row.email}</span>
          )}
        </button>
      ),
    },
    {
      id: 'state',
      title: t('state'),
      from: 'sm',
      cell: ({ running_subscriptions: count, test }) => (
        <span className="flex flex-wrap gap-1.5">
          {count > 0 && <Badge tone="good">{t('subscriber')}</Badge>}
          {test && scope.mode === 'live' && <Badge tone="neutral">{t('test')}</Badge>}
        </span>
      ),
    },
    {
      id: 'orders',
      title: t('orders'),
      from: 'sm',
      align: 'right',
      sortBy: ({ orders }) => orders,
      cell: ({ orders }) => <span className="tabular-nums">{format.number(orders)}</span>,
    },
    {
      id: 'paid',
      title: t('paid'),
      align: 'right',
      sortBy: ({ paid_eur }) => paid_eur,
      cell: ({ paid_eur }) => <span className="tabular-nums">{format.euro(paid_eur)}</span>,
    },
    {
      id: 'last',
      title: t('last_order'),
      from: 'md',
      align: 'right',
      sortBy: ({ last_order_at }) => last_order_at,
      cell: ({ last_order_at }) => <Moment at={last_order_at} />,
    },
  ]
}
