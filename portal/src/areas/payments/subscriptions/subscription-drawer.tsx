/** One subscription: the link to its first payment, its state, its orders, and canceling it. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { ConfirmedAct } from '../../../api/confirmed-act.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Loaded } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button, ButtonAnchor } from '../../../ui/actions/button.tsx'
import { CopyButton } from '../../../ui/actions/copy-button.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Facts } from '../../../ui/display/facts.tsx'
import { RecordDrawer } from '../../../ui/overlays/drawer.tsx'
import type { CustomerKey } from '../customers/customer-queries.ts'
import { OrderRows } from '../order-rows.tsx'
import { PayWays } from '../pay-ways.tsx'
import { ordersQuery, paymentsKey } from '../queries.ts'
import {
  subscriptionQuery,
  subscriptionTones,
  cancelSubscription,
  type Subscription,
} from './subscription-queries.ts'
import { useSubscriptionTexts } from './subscription-texts.ts'

interface Acts {
  onOrder(id: string): void
  onCustomer(customer: CustomerKey): void
}

export interface SubscriptionDrawerProps extends Acts {
  id: string | null
  onClose(): void
}

export function SubscriptionDrawer({ id, onClose, ...acts }: SubscriptionDrawerProps) {
  const t = useSubscriptionTexts()
  const scope = useProjectScope()
  return (
    <RecordDrawer record={id} onClose={onClose} title={() => t('subscription')}>
      {(id) => (
        <Loaded query={subscriptionQuery(scope, id)}>
          {(subscription) => <Whole subscription={subscription} {...acts} />}
        </Loaded>
      )}
    </RecordDrawer>
  )
}

function Whole({ subscription, onOrder, onCustomer }: { subscription: Subscription } & Acts) {
  const t = useSubscriptionTexts()
  const scope = useProjectScope()
  const { id, status, description, customer, test, ended_at } = subscription
  const { email } = customer
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-lg font-semibold wrap-anywhere">
        {description}
        <Badge tone={subscriptionTones[status]}>{t(status)}</Badge>
        {test && <Badge tone="neutral">{t('test')}</Badge>}
      </p>
      {status === 'pending' && <FirstPayment id={id} />}
      <State subscription={subscription} />
      <div className="flex flex-wrap gap-2">
        {email !== null && (
          <Button size="sm" onClick={() => onCustomer({ email, test })}>
            {t('show_customer')}
          </Button>
        )}
        {ended_at === null && scope.may('member') && <CancelSubscription id={id} />}
      </div>
      {ended_at === null && status !== 'pending' && <CustomerPage url={subscription.manage_url} />}
      <OrderRows filter={{ subscription_id: id }} onOpen={onOrder} />
    </>
  )
}

function State({ subscription }: { subscription: Subscription }) {
  const t = useSubscriptionTexts()
  const format = useFormat()
  const { customer, amount_eur, interval, times, paid_times, next_payment_at } = subscription
  const { created_at, ended_at } = subscription
  const contact = [customer.name, customer.email].filter((one) => one !== null)
  return (
    <Facts
      facts={[
        [
          t('customer'),
          <span className="wrap-anywhere">
            {contact.length === 0 ? t('no_customer') : contact.join(' · ')}
          </span>,
        ],
        [t('amount'), t(interval, { amount: format.euro(amount_eur) })],
        [
          t('paid_periods'),
          times === null
            ? t('paid_so_far', { count: paid_times })
            : t('paid_of', { paid: paid_times, times }),
        ],
        ...(next_payment_at === null ? [] : [[t('next'), format.moment(next_payment_at)] as const]),
        [t('created'), format.moment(created_at)],
        ...(ended_at === null ? [] : [[t('ended'), format.moment(ended_at)] as const]),
      ]}
    />
  )
}

/** What the customer must do: pay the first period. */
function FirstPayment({ id }: { id: string }) {
  const t = useSubscriptionTexts()
  const format = useFormat()
  const scope = useProjectScope()
  // The list of orders below reads the same.
  const { data } = useInfiniteQuery(ordersQuery(scope, { subscription_id: id }))
  const first = data?.pages[0]?.data[0]
  if (first === undefined) return null
  if (first.status !== 'open') return <p>{t('first_on_its_way')}</p>
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold">{t('first_payment')}</h3>
      <p className="text-muted">
        {t('first_payment_about', { until: format.moment(first.expires_at) })}
      </p>
      <PayWays
        url={first.checkout_url}
        qr_url={first.qr_url}
        alt={t('first_payment_qr')}
        file="first-payment.svg"
      />
    </section>
  )
}

function CustomerPage({ url }: { url: string }) {
  const t = useSubscriptionTexts()
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold">{t('customer_page')}</h3>
      <p className="text-muted">{t('customer_page_about')}</p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={url} label={t('copy_customer_page')} />
        <ButtonAnchor size="sm" href={url} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden="true" />
          {t('open_customer_page')}
        </ButtonAnchor>
      </div>
    </section>
  )
}

/** The button that cancels a subscription. */
function CancelSubscription({ id }: { id: string }) {
  const t = useSubscriptionTexts()
  const scope = useProjectScope()
  return (
    <ConfirmedAct
      text={t('cancel')}
      title={t('cancel_title')}
      about={t('cancel_about')}
      run={() => cancelSubscription(scope, id)}
      done={t('canceled_done')}
      refresh={[paymentsKey(scope)]}
    />
  )
}
