/** One payment link: its QR code, its page, what was paid, and its switch. */
import { ConfirmedAct } from '../../../api/confirmed-act.tsx'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Badge, type Tone } from '../../../ui/display/badge.tsx'
import { Facts } from '../../../ui/display/facts.tsx'
import { RecordDrawer } from '../../../ui/overlays/drawer.tsx'
import { PayWays } from '../pay-ways.tsx'
import { paymentsKey } from '../queries.ts'
import { switchLink, type PaymentLink } from './link-queries.ts'
import { useLinkTexts } from './link-texts.ts'

export const linkTones: Readonly<Record<PaymentLink['status'], Tone>> = {
  active: 'good',
  paid: 'info',
  expired: 'neutral',
  off: 'neutral',
}

export interface LinkDrawerProps {
  link: PaymentLink | null
  onChange(link: PaymentLink | null): void
}

export function LinkDrawer({ link, onChange }: LinkDrawerProps) {
  const t = useLinkTexts()
  return (
    <RecordDrawer record={link} onClose={() => onChange(null)} title={() => t('links')}>
      {(link) => <Whole link={link} onChange={onChange} />}
    </RecordDrawer>
  )
}

function Whole({ link, onChange }: { link: PaymentLink; onChange(link: PaymentLink): void }) {
  const t = useLinkTexts()
  const format = useFormat()
  const paid = usePaid()
  const scope = useProjectScope()
  const { description, status, amount_eur, expires_at } = link
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-lg font-semibold wrap-anywhere">
        {description}
        <Badge tone={linkTones[status]}>{t(status)}</Badge>
        {link.test && <Badge tone="neutral">{t('test')}</Badge>}
      </p>
      {status === 'active' && (
        <PayWays url={link.url} qr_url={link.qr_url} alt={t('qr')} file="payment-link.svg" />
      )}
      <Facts
        facts={[
          [t('amount'), amount_eur === null ? t('customer_chooses') : format.euro(amount_eur)],
          [t('paid_column'), paid(link)],
          [t('expires'), expires_at === null ? t('no_end') : format.moment(expires_at)],
        ]}
      />
      {status !== 'paid' && scope.may('member') && <Switch link={link} onChange={onChange} />}
    </>
  )
}

function Switch({ link, onChange }: { link: PaymentLink; onChange(link: PaymentLink): void }) {
  const t = useLinkTexts()
  const scope = useProjectScope()
  const request = {
    run: () => switchLink(scope, link.id, !link.active),
    done: t(link.active ? 'turned_off' : 'turned_on'),
    refresh: [paymentsKey(scope)],
    onDone: onChange,
  }
  const act = useAct<void, PaymentLink>(request)
  if (!link.active) {
    return (
      <Button className="self-start" busy={act.isPending} onClick={() => act.mutate()}>
        {t('turn_on')}
      </Button>
    )
  }
  return (
    <ConfirmedAct
      {...request}
      text={t('turn_off')}
      title={t('turn_off_title')}
      about={t('turn_off_about')}
    />
  )
}

/** What was paid by a link, in words. */
export function usePaid(): (link: PaymentLink) => string {
  const t = useLinkTexts()
  const format = useFormat()
  return ({ paid_orders: count, paid_eur }) => {
    const amount = format.euro(paid_eur)
    if (count === 0) return t('paid_none')
    return t('paid_sum', { amount, count })
  }
}
