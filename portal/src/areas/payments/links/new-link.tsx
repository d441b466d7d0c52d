/** The dialog that creates a payment link. */
import { OperationDialog } from '../../../api/operation-form.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { paymentsKey } from '../queries.ts'
import { createLink, type NewLink as Wanted, type PaymentLink } from './link-queries.ts'
import { linkTexts } from './link-texts.ts'

export interface NewLinkProps {
  onClose(): void
  onDone(link: PaymentLink): void
}

export function NewLink({ onClose, onDone }: NewLinkProps) {
  const t = useTexts(linkTexts)
  const scope = useProjectScope()
  const choose = (no: 'fixed' | 'once', yes: 'free' | 'many') => ({
    initial: 'false',
    choices: [
      { value: 'false', text: t(no), about: t(`${no}_about`) },
      { value: 'true', text: t(yes), about: t(`${yes}_about`) },
    ],
  })
  return (
    <OperationDialog
      operation="payment_links.create"
      title={t('new_link')}
      about={t('about')}
      fields={[
        { path: 'description', label: t('description') },
        { path: 'customer_decides', label: t('choice'), ...choose('fixed', 'free') },
        {
          path: 'amount_eur',
          label: t('price'),
          required: true,
          isShown: ({ customer_decides }) => customer_decides === 'false',
        },
        { path: 'vat_percent', label: t('vat'), initial: '21', required: true },
        { path: 'reusable', label: t('uses'), ...choose('once', 'many') },
        { path: 'expires_at', label: t('expires') },
      ]}
      action={t('create')}
      refresh={[paymentsKey(scope)]}
      run={(body: Wanted) => createLink(scope, body)}
      onClose={onClose}
      onDone={onDone}
    />
  )
}
