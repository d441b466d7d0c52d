/** The subscriptions of customers, newest first, and canceling one. */
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Repeat } from 'lucide-react'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { InfiniteList } from '../../../api/infinite-list.tsx'
import { pollEvery } from '../../../api/live.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { useTexts } from '../../../language/texts.ts'
import { ConfirmedButton } from '../../../ui/actions/confirmed-button.tsx'
import { Badge, type Tone } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { Table, type Column } from '../../../ui/display/table.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { paymentsKey } from '../queries.ts'
import { subscriptionTexts } from './subscription-texts.ts'

type Subscription = Schemas['PaymentSubscription']

const PAGE_SIZE = 50
const REFRESH_MS = 15_000

const tones: Readonly<Record<Subscription['status'], Tone>> = {
  pending: 'neutral',
  active: 'good',
  past_due: 'warn',
  canceled: 'neutral',
  completed: 'info',
}

function subscriptionsQuery(scope: Scope) {
  return infiniteQueryOptions({
    queryKey: [...paymentsKey(scope), 'subscriptions'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(pageParam !== '' && { cursor: pageParam }) }
      const params = { ...inProject(scope), query }
      return read(api.GET('/projects/{project_id}/payment-subscriptions', { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

function cancelSubscription(scope: Scope, id: string) {
  const { path, header } = inProject(scope)
  const params = { path: { ...path, id }, header }
  return read(api.POST('/projects/{project_id}/payment-subscriptions/{id}/cancel', { params }))
}

export function Subscriptions() {
  const t = useTexts(subscriptionTexts)
  const query = useInfiniteQuery(subscriptionsQuery(useProjectScope()))
  const empty = (
    <EmptyState
      icon={<Repeat aria-hidden="true" />}
      title={t('empty')}
      about={t('empty_about')}
      sentence={t('sentence')}
    />
  )
  return (
    <Card title={t('subscriptions')} about={t('about')} flush>
      <InfiniteList query={query} more={t('more')} empty={empty}>
        {(rows) => <SubscriptionTable rows={rows} />}
      </InfiniteList>
    </Card>
  )
}

function SubscriptionTable({ rows }: { rows: readonly Subscription[] }) {
  const t = useTexts(subscriptionTexts)
  const format = useFormat()
  const scope = useProjectScope()
  const mayCancel = ({ ended_at }: Subscription) => scope.may('member') && ended_at === null
  const columns: Column<Subscription>[] = [
    {
      id: 'customer',
      title: t('customer'),
      cell: ({ customer, description, amount_eur, interval }) => (
        <span className="wrap-anywhere">
          {customer.name ?? customer.email}
          <span className="block text-muted md:hidden">{description}</span>
          <span className="block text-muted sm:hidden">
            {t(interval, { amount: format.euro(amount_eur) })}
          </span>
        </span>
      ),
    },
    { id: 'description', title: t('description'), from: 'md', cell: (row) => row.description },
    {
      id: 'status',
      title: t('status'),
      cell: (row) => (
        <span className="flex flex-col items-start gap-1">
          <Badge tone={tones[row.status]}>{t(row.status)}</Badge>
          <span className="sm:hidden">{mayCancel(row) && <Cancel row={row} />}</span>
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
    {
      id: 'cancel',
      title: t('cancel'),
      untitled: true,
      from: 'sm',
      align: 'right',
      cell: (row) => mayCancel(row) && <Cancel row={row} />,
    },
  ]
  return <Table label={t('subscriptions')} columns={columns} rows={rows} keyOf={({ id }) => id} />
}

function Cancel({ row }: { row: Subscription }) {
  const t = useTexts(subscriptionTexts)
  const scope = useProjectScope()
  const act = useAct({
    run: () => cancelSubscription(scope, row.id),
    done: t('canceled_done'),
    refresh: [paymentsKey(scope)],
  })
  return (
    <ConfirmedButton
      text={t('cancel')}
      title={t('cancel_title')}
      about={t('cancel_about')}
      busy={act.isPending}
      onConfirm={() => act.mutate(undefined)}
    />
  )
}
