/** One customer: what they paid, their subscriptions and their orders. */
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Loaded } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { Facts } from '../../../ui/display/facts.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { RecordDrawer } from '../../../ui/overlays/drawer.tsx'
import { OrderRows } from '../order-rows.tsx'
import { SubscriptionRows } from '../subscriptions/subscription-rows.tsx'
import { customerQuery, type Customer, type CustomerKey } from './customer-queries.ts'
import { useCustomerTexts } from './customer-texts.ts'

interface Acts {
  onOrder(id: string): void
  onSubscription(id: string): void
}

export interface CustomerDrawerProps extends Acts {
  customer: CustomerKey | null
  onClose(): void
}

export function CustomerDrawer({ customer, onClose, ...acts }: CustomerDrawerProps) {
  const t = useCustomerTexts()
  const scope = useProjectScope()
  return (
    <RecordDrawer record={customer} onClose={onClose} title={() => t('customer')}>
      {({ email, test }) => (
        <Loaded query={customerQuery(scope, { email, test })}>
          {(customer) =>
            customer === null ? <p>{t('gone')}</p> : <Whole customer={customer} {...acts} />
          }
        </Loaded>
      )}
    </RecordDrawer>
  )
}

function Whole({ customer, onOrder, onSubscription }: { customer: Customer } & Acts) {
  const t = useCustomerTexts()
  const format = useFormat()
  const { email, name, test, orders, charged_back_eur } = customer
  const filter = { customer_email: email, test }
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-lg font-semibold">
        <bdi className="min-w-0 wrap-anywhere">{name ?? email}</bdi>
        {test && <Badge tone="neutral">{t('test')}</Badge>}
      </p>
      <Facts
        facts={[
          [t('email'), <span className="wrap-anywhere">{email}</span>],
          [t('orders'), t('orders_sum', { orders, paid: customer.paid_orders })],
          [t('paid'), format.euro(customer.paid_eur)],
          [t('refunded'), format.euro(customer.refunded_eur)],
          ...(charged_back_eur > 0
            ? [[t('charged_back'), format.euro(charged_back_eur)] as const]
            : []),
          [t('running'), format.number(customer.running_subscriptions)],
          [t('first_order'), <Moment at={customer.first_order_at} />],
          [t('last_order'), <Moment at={customer.last_order_at} />],
        ]}
      />
      <SubscriptionRows filter={filter} onOpen={onSubscription} />
      <OrderRows filter={filter} onOpen={onOrder} />
    </>
  )
}
