/** The subscriptions of customers, newest first, and a new one. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus, Repeat } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../../api/list-table.tsx'
import { OperationDialog } from '../../../api/operation-form.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import type { Column } from '../../../ui/display/table.tsx'
import { paymentsKey } from '../queries.ts'
import {
  subscriptionsQuery,
  subscriptionTones,
  createSubscription,
  type Subscription,
  type NewSubscription as Wanted,
} from './subscription-queries.ts'
import { useSubscriptionTexts } from './subscription-texts.ts'

const intervals = ['day', 'week', 'month', 'year'] as const

export interface SubscriptionsProps {
  onOpen(id: string): void
}

export function Subscriptions({ onOpen }: SubscriptionsProps) {
  const t = useSubscriptionTexts()
  const scope = useProjectScope()
  const [creates, setCreates] = useState(false)
  const query = useInfiniteQuery(subscriptionsQuery(scope, {}))
  const create = scope.may('member') && (
    <Button kind="primary" onClick={() => setCreates(true)}>
      <Plus aria-hidden="true" />
      {t('new')}
    </Button>
  )
  const empty = { title: t('empty'), about: t('empty_about'), sentence: t('sentence') }
  return (
    <>
      <Card title={t('subscriptions')} about={t('about')} aside={create} flush>
        <ListTable
          query={query}
          label={t('subscriptions')}
          more={t('more')}
          columns={useColumns(onOpen)}
          icon={<Repeat aria-hidden="true" />}
          empty={{ ...empty, action: create }}
          onOpen={({ id }) => onOpen(id)}
        />
      </Card>
      {creates && (
        <NewSubscription
          onClose={() => setCreates(false)}
          onDone={(id) => {
            setCreates(false)
            onOpen(id)
          }}
        />
      )}
    </>
  )
}

function useColumns(onOpen: (id: string) => void): Column<Subscription>[] {
  const t = useSubscriptionTexts()
  const format = useFormat()
  const scope = useProjectScope()
  return [
    {
      id: 'customer',
      title: t('customer'),
      cell: ({ id, customer, description, amount_eur, interval }) => (
        <button
          type="button"
          onClick={() => onOpen(id)}
          className="text-left font-medium wrap-anywhere hover:text-accent md:min-w-44"
        >
          <bdi>{customer.name ?? customer.email ?? t('no_customer')}</bdi>
          <span className="block font-normal text-muted md:hidden">{description}</span>
          <span className="block font-normal text-muted sm:hidden">
            {t(interval, { amount: format.euro(amount_eur) })}
          </span>
        </button>
      ),
    },
    { id: 'description', title: t('description'), from: 'md', cell: (row) => row.description },
    {
      id: 'status',
      title: t('status'),
      cell: ({ status, test }) => (
        <span className="flex flex-wrap gap-1.5">
          <Badge tone={subscriptionTones[status]}>{t(status)}</Badge>
          {test && scope.mode === 'live' && <Badge tone="neutral">{t('test')}</Badge>}
        </span>
      ),
    },
    {
      id: 'amount',
      title: t('amount'),
      from: 'sm',
      align: 'right',
      cell: ({ amount_eur, interval }) => t(interval, { amount: format.euro(amount_eur) }),
    },
    {
      id: 'next',
      title: t('next'),
      from: 'sm',
      align: 'right',
      cell: ({ next_payment_at }) =>
        next_payment_at === null ? '–' : <Moment at={next_payment_at} />,
    },
  ]
}

interface NewSubscriptionProps {
  onClose(): void
  onDone(id: string): void
}

/** The dialog that creates a subscription. */
function NewSubscription({ onClose, onDone }: NewSubscriptionProps) {
  const t = useSubscriptionTexts()
  const scope = useProjectScope()
  return (
    <OperationDialog
      operation="payment_subscriptions.create"
      title={t('new')}
      about={t('new_about')}
      fields={[
        { path: 'description', label: t('what') },
        { path: 'amount_eur', label: t('price') },
        { path: 'vat_percent', label: t('vat'), initial: '21', required: true },
        {
          path: 'interval',
          label: t('interval'),
          initial: 'month',
          choices: intervals.map((value) => ({ value, text: t(`every_${value}`) })),
        },
        { path: 'times', label: t('times'), hint: t('times_hint') },
        { path: 'customer/email', label: t('email'), hint: t('email_hint') },
        { path: 'customer/name', label: t('name') },
      ]}
      action={t('create')}
      refresh={[paymentsKey(scope)]}
      run={(body: Wanted, key) => createSubscription(scope, body, key)}
      onClose={onClose}
      onDone={({ subscription }) => onDone(subscription.id)}
    />
  )
}
