/** One order: its lines, its customer, what happened to it, and its refund. */
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Loaded } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Button, ButtonAnchor } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import type { CustomerKey } from './customers/customer-queries.ts'
import { customerOf } from './order-list.tsx'
import { invoicesQuery, orderQuery, type OrderDetail } from './queries.ts'
import { Refund } from './refund.tsx'
import { usePaymentTexts } from './texts.ts'
import { tones } from './tones.ts'

interface OrderDrawerProps {
  id: string | null
  onClose(): void
  onCustomer(customer: CustomerKey): void
}

export function OrderDrawer({ id, onClose, onCustomer }: OrderDrawerProps) {
  const t = usePaymentTexts()
  const scope = useProjectScope()
  return (
    <RecordDrawer record={id} onClose={onClose} title={() => t('number')}>
      {(id) => (
        <Loaded query={orderQuery(scope, id)}>
          {(order) => <Whole order={order} onCustomer={onCustomer} />}
        </Loaded>
      )}
    </RecordDrawer>
  )
}

type Acts = Pick<OrderDrawerProps, 'onCustomer'>

function Whole({ order, onCustomer }: { order: OrderDetail } & Acts) {
  const t = usePaymentTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const [refunds, setRefunds] = useState(false)
  const { status, number, provider, expires_at, customer } = order
  const { email } = customer
  const can_refund = status === 'paid' || status === 'partially_refunded'
  const contact = [email, customer.phone].filter((one) => one !== null).join(' · ')
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-lg font-semibold">
        {t('order', { number })}
        <Badge tone={tones[status]}>{t(status)}</Badge>
        {order.test && <Badge tone="neutral">{t('test')}</Badge>}
      </p>
      <Facts
        facts={[
          [t('customer'), customerOf(order) ?? t('no_customer')],
          ...(contact === '' ? [] : [['', <span className="break-all">{contact}</span>] as const]),
          [t('provider'), t(provider)],
          ...(status === 'open' ? [[t('expires'), format.moment(expires_at)] as const] : []),
        ]}
      />
      {email !== null && (
        <Button
          size="sm"
          className="self-start"
          onClick={() => onCustomer({ email, test: order.test })}
        >
          {t('show_customer')}
        </Button>
      )}
      {status === 'open' && <PageLink url={order.checkout_url} />}
      <Lines order={order} />
      {can_refund && scope.may('admin') && !refunds && (
        <Button className="self-start" onClick={() => setRefunds(true)}>
          {t('refund')}
        </Button>
      )}
      {refunds && <Refund order={order} onClose={() => setRefunds(false)} />}
      <Refunds order={order} />
      <Invoices order={order} />
      <Timeline order={order} />
    </>
  )
}

function PageLink({ url }: { url: string }) {
  const t = usePaymentTexts()
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonAnchor kind="primary" size="sm" href={url} target="_blank" rel="noreferrer">
        <ExternalLink aria-hidden="true" />
        {t('page')}
      </ButtonAnchor>
      <CopyButton text={url} label={t('copy')} />
    </div>
  )
}

function Lines({ order }: { order: OrderDetail }) {
  const t = usePaymentTexts()
  const format = useFormat()
  const { items, amount_eur, vat_eur, refunded_eur } = order
  const sums: [string, number][] = [
    [t('total'), amount_eur],
    [t('included'), vat_eur],
    ...(refunded_eur > 0 ? ([[t('refunded_so_far'), refunded_eur]] as [string, number][]) : []),
  ]
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('lines')}</h3>
      <ul className="divide-y divide-line border-y border-line">
        {items.map(({ name, quantity, amount_eur: amount }, index) => (
          <li key={`${index} ${name}`} className="flex justify-between gap-4 py-2">
            <span className="min-w-0 wrap-anywhere">
              {quantity} × {name}
            </span>
            <span className="tabular-nums">{format.euro(amount)}</span>
          </li>
        ))}
      </ul>
      <dl className="mt-2 flex flex-col gap-1">
        {sums.map(([name, amount]) => (
          <div key={name} className="flex justify-between gap-4 first:font-semibold">
            <dt>{name}</dt>
            <dd className="tabular-nums">{format.euro(amount)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const refundStates = { pending: 'pending', succeeded: 'refunded', failed: 'failed' } as const

function Refunds({ order: { refunds } }: { order: OrderDetail }) {
  const t = usePaymentTexts()
  const format = useFormat()
  if (refunds.length === 0) return null
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('refunds')}</h3>
      <ul className="flex flex-col gap-1.5">
        {refunds.map(({ id, amount_eur, status, reason }) => (
          <li key={id} className="flex justify-between gap-4">
            <span className="min-w-0 wrap-anywhere">
              {t(refundStates[status])}
              {reason !== null && ` · ${reason}`}
            </span>
            <span className="tabular-nums">{format.euro(amount_eur)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Invoices({ order }: { order: OrderDetail }) {
  const t = usePaymentTexts()
  const format = useFormat()
  const { data = [] } = useQuery(invoicesQuery(useProjectScope(), order.id))
  if (data.length === 0) return null
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('invoices')}</h3>
      <ul className="flex flex-col gap-1.5">
        {data.map(({ id, number, kind, amount_eur, pdf_url }) => (
          <li key={id} className="flex justify-between gap-4">
            <a href={pdf_url} target="_blank" rel="noreferrer" className="text-accent underline">
              {t(kind, { number })}
            </a>
            <span className="tabular-nums">{format.euro(amount_eur)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Timeline({ order }: { order: OrderDetail }) {
  const t = usePaymentTexts()
  const format = useFormat()
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('timeline')}</h3>
      <ol className="flex flex-col gap-1.5" aria-label={t('timeline')}>
        {order.timeline.map(({ event, amount_eur, happened_at }, index) => (
          <li key={`${index} ${event}`} className="flex justify-between gap-4">
            <span>
              {t(`event_${event}`)}
              {amount_eur !== null && ` · ${format.euro(amount_eur)}`}
            </span>
            <span className="text-muted">
              <Moment at={happened_at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
