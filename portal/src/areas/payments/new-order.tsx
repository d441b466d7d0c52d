/** The dialog that creates an order of one line, whose page the customer then gets. */
import { OperationDialog } from '../../api/operation-form.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { createOrder, paymentsKey, type NewOrder as Wanted } from './queries.ts'
import { paymentTexts } from './texts.ts'

export interface NewOrderProps {
  onClose(): void
  onDone(id: string): void
}

export function NewOrder({ onClose, onDone }: NewOrderProps) {
  const t = useTexts(paymentTexts)
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
