/** Payments by customers: the account, orders, customers, payment links and subscriptions. */
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { OperationDialog } from '../../api/operation-form.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { defineTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Chart } from '../../ui/display/chart.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { Tabs } from '../../ui/display/tabs.tsx'
import { useTab } from '../../ui/display/use-tab.ts'
import { AccountCard } from './account-card.tsx'
import { CustomerDrawer } from './customers/customer-drawer.tsx'
import type { CustomerKey } from './customers/customer-queries.ts'
import { Customers } from './customers/customers.tsx'
import { Links } from './links/links.tsx'
import { OrderDrawer } from './order-drawer.tsx'
import { OrderList } from './order-list.tsx'
import { OrdersFile } from './orders-file.tsx'
import {
  createOrder,
  paymentsKey,
  revenueQuery,
  refusalsQuery,
  type NewOrder as Wanted,
  type OrderRefusal,
} from './queries.ts'
import { SubscriptionDrawer } from './subscriptions/subscription-drawer.tsx'
import { Subscriptions } from './subscriptions/subscriptions.tsx'
import { usePaymentTexts } from './texts.ts'

/** The texts of the card that lists refused orders of visitors. */
const useRefusalTexts = defineTexts('order-refusals', {
  en: {
    title: 'Refused orders',
    about: 'Orders on your websites that were not accepted. Visitors do not see the reason.',
    reason: 'Reason',
    orders: 'Orders',
    last: 'Latest',
    rate_limited_address: 'Too many orders from one internet address in a short time',
    rate_limited_token: 'Too many orders from one website in a short time',
    too_many_open: 'Too many orders that are not paid yet',
    too_many_without_script: 'Too many orders without JavaScript in an hour',
    amount_too_high: 'The amount was above the maximum for an order on a website',
    failed_payments: 'So many payments failed that it looks like a test of stolen cards',
    challenge_failed: 'The protection against bots stopped the order',
    robot: 'A hidden field was filled in, as bots do',
    product_unavailable: 'Sold out, or not for sale',
    account_missing: 'No account is connected for real payments',
  },
  nl: {
    title: 'Geweigerde bestellingen',
    about:
      'Bestellingen op uw websites die niet zijn aangenomen. Bezoekers krijgen de reden niet te zien.',
    reason: 'Reden',
    orders: 'Bestellingen',
    last: 'Laatste',
    rate_limited_address: 'Te veel bestellingen van één internetadres in korte tijd',
    rate_limited_token: 'Te veel bestellingen van één website in korte tijd',
    too_many_open: 'Te veel bestellingen die nog niet zijn betaald',
    too_many_without_script: 'Te veel bestellingen zonder JavaScript in een uur',
    amount_too_high: 'Het bedrag was hoger dan het maximum voor een bestelling op een website',
    failed_payments:
      'Er mislukten zo veel betalingen dat iemand misschien gestolen kaarten uitprobeert',
    challenge_failed: 'De bescherming tegen robots hield de bestelling tegen',
    robot: 'Een verborgen veld was ingevuld, zoals robots doen',
    product_unavailable: 'Uitverkocht, of niet te koop',
    account_missing: 'Er is geen account gekoppeld voor echte betalingen',
  },
})

const parts = ['orders', 'customers', 'links', 'subscriptions'] as const

/** The record whose drawer is open. */
interface Opened {
  order?: string
  customer?: CustomerKey
  subscription?: string
}

export function Page() {
  const t = usePaymentTexts()
  const [part, setPart] = useTab(parts)
  const [opened, setOpened] = useState<Opened>({})
  const close = () => setOpened({})
  const openOrder = (order: string) => setOpened({ order })
  const openCustomer = ({ email, test }: CustomerKey) => setOpened({ customer: { email, test } })
  const openSubscription = (subscription: string) => setOpened({ subscription })
  const bodies = {
    orders: <Orders onOpen={openOrder} />,
    customers: <Customers onOpen={openCustomer} />,
    links: <Links />,
    subscriptions: <Subscriptions onOpen={openSubscription} />,
  }
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      <Tabs
        value={part}
        onChange={setPart}
        label={t('parts')}
        tabs={parts.map((value) => ({ value, title: t(value), body: bodies[value] }))}
      />
      <OrderDrawer id={opened.order ?? null} onClose={close} onCustomer={openCustomer} />
      <CustomerDrawer
        customer={opened.customer ?? null}
        onClose={close}
        onOrder={openOrder}
        onSubscription={openSubscription}
      />
      <SubscriptionDrawer
        id={opened.subscription ?? null}
        onClose={close}
        onOrder={openOrder}
        onCustomer={openCustomer}
      />
    </>
  )
}

function Orders({ onOpen }: { onOpen(id: string): void }) {
  const t = usePaymentTexts()
  const scope = useProjectScope()
  const [creates, setCreates] = useState(false)
  const create = scope.may('member') && (
    <Button kind="primary" onClick={() => setCreates(true)}>
      <Plus aria-hidden="true" />
      {t('new_order')}
    </Button>
  )
  const aside = (
    <span className="flex flex-wrap items-center gap-2">
      <OrdersFile />
      {create}
    </span>
  )
  return (
    <div className="flex flex-col gap-6">
      <AccountCard />
      <RevenueCard />
      <Card title={t('orders')} aside={aside} flush>
        <OrderList action={create} onOpen={onOpen} />
      </Card>
      <RefusalCard />
      {creates && (
        <NewOrder
          onClose={() => setCreates(false)}
          onDone={(id) => {
            setCreates(false)
            onOpen(id)
          }}
        />
      )}
    </div>
  )
}

interface NewOrderProps {
  onClose(): void
  onDone(id: string): void
}

/** The dialog that creates an order of one line, whose page the customer then gets. */
function NewOrder({ onClose, onDone }: NewOrderProps) {
  const t = usePaymentTexts()
  const scope = useProjectScope()
  return (
    <OperationDialog
      operation="orders.create"
      title={t('new_order')}
      about={t(scope.mode === 'test' ? 'new_about_test' : 'new_about')}
      fields={[
        { path: 'items/0/name', label: t('item') },
        { path: 'items/0/unit_price_eur', label: t('price') },
        { path: 'items/0/vat_percent', label: t('vat'), initial: '21' },
      ]}
      action={t('create')}
      refresh={[paymentsKey(scope)]}
      run={(body: Wanted) => createOrder(scope, body)}
      onClose={onClose}
      onDone={({ order }) => onDone(order.id)}
    />
  )
}

/** What customers paid and got back on each of the last days; nothing before the first payment. */
function RevenueCard() {
  const t = usePaymentTexts()
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

/** Orders of visitors that were refused, by day and reason. Shows nothing if there are none. */
function RefusalCard() {
  const t = useRefusalTexts()
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
