/** The dialog that creates a subscription. */
import { OperationDialog } from '../../../api/operation-form.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { paymentsKey } from '../queries.ts'
import { createSubscription, type NewSubscription as Wanted } from './subscription-queries.ts'
import { subscriptionTexts } from './subscription-texts.ts'

const intervals = ['day', 'week', 'month', 'year'] as const

export interface NewSubscriptionProps {
  onClose(): void
  onDone(id: string): void
}

export function NewSubscription({ onClose, onDone }: NewSubscriptionProps) {
  const t = useTexts(subscriptionTexts)
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
