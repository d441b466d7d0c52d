/** Payments by customers: the account, every order, and payment links. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { AccountCard } from './account-card.tsx'
import { Links } from './links/links.tsx'
import { NewOrder } from './new-order.tsx'
import { OrderDrawer } from './order-drawer.tsx'
import { OrderList } from './order-list.tsx'
import { RefusalCard } from './refusal-card.tsx'
import { OrdersFile } from './orders-file.tsx'
import { RevenueCard } from './revenue-card.tsx'
import { Subscriptions } from './subscriptions/subscriptions.tsx'
import { paymentTexts } from './texts.ts'

export function Page() {
  const t = useTexts(paymentTexts)
  const scope = useProjectScope()
  const [creates, setCreates] = useState(false)
  const [open, setOpen] = useState<string | null>(null)
  const [email, setEmail] = useState<string | null>(null)
  const create = scope.may('member') && (
    <Button kind="primary" onClick={() => setCreates(true)}>
      <Plus aria-hidden="true" />
      {t('new_order')}
    </Button>
  )
  return (
    <>
      <title>{t('title')}</title>
      <PageHeader title={t('title')} about={t('about')} actions={create} />
      <div className="flex flex-col gap-6">
        <AccountCard />
        <RevenueCard />
        <Card
          title={email === null ? t('orders') : t('orders_of', { email })}
          aside={
            email === null ? (
              <OrdersFile />
            ) : (
              <Button size="sm" onClick={() => setEmail(null)}>
                {t('every_customer')}
              </Button>
            )
          }
          flush
        >
          <OrderList action={create} onOpen={setOpen} email={email} />
        </Card>
        <RefusalCard />
        <Links />
        <Subscriptions />
      </div>
      {creates && (
        <NewOrder
          onClose={() => setCreates(false)}
          onDone={(id) => {
            setCreates(false)
            setOpen(id)
          }}
        />
      )}
      <OrderDrawer
        id={open}
        onClose={() => setOpen(null)}
        onCustomer={(customer) => {
          setOpen(null)
          setEmail(customer)
        }}
      />
    </>
  )
}
