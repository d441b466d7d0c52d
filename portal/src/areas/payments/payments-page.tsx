/** Payments by customers: the account, orders, customers, payment links and subscriptions. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Tabs } from '../../ui/display/tabs.tsx'
import { useTab } from '../../ui/display/use-tab.ts'
import { AccountCard } from './account-card.tsx'
import { CustomerDrawer } from './customers/customer-drawer.tsx'
import type { CustomerKey } from './customers/customer-queries.ts'
import { Customers } from './customers/customers.tsx'
import { Links } from './links/links.tsx'
import { NewOrder } from './new-order.tsx'
import { OrderDrawer } from './order-drawer.tsx'
import { OrderList } from './order-list.tsx'
import { RefusalCard } from './refusal-card.tsx'
import { OrdersFile } from './orders-file.tsx'
import { RevenueCard } from './revenue-card.tsx'
import { SubscriptionDrawer } from './subscriptions/subscription-drawer.tsx'
import { Subscriptions } from './subscriptions/subscriptions.tsx'
import { paymentTexts } from './texts.ts'

const parts = ['orders', 'customers', 'links', 'subscriptions'] as const

/** The record whose drawer is open. */
interface Opened {
  order?: string
  customer?: CustomerKey
  subscription?: string
}

export function Page() {
  const t = useTexts(paymentTexts)
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
  const t = useTexts(paymentTexts)
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
