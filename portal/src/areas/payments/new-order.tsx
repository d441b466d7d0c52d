/** The dialog that creates an order of one line, whose page the customer then gets. */
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { createOrder, paymentsKey, readAmount, type NewItem } from './queries.ts'
import { paymentTexts } from './texts.ts'

export interface NewOrderProps {
  onClose(): void
  onDone(id: string): void
}

export function NewOrder({ onClose, onDone }: NewOrderProps) {
  const t = useTexts(paymentTexts)
  const scope = useProjectScope()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('new_order')}
      about={t(scope.mode === 'test' ? 'new_about_test' : 'new_about')}
    >
      <OrderForm onClose={onClose} onDone={onDone} />
    </Dialog>
  )
}

function OrderForm({ onClose, onDone }: NewOrderProps) {
  const t = useTexts(paymentTexts)
  const scope = useProjectScope()
  const [draft, setDraft] = useState({ name: '', price: '', vat: '21' })
  const [isTried, setIsTried] = useState(false)
  const act = useAct({
    run: (item: NewItem) => createOrder(scope, item),
    refresh: [paymentsKey(scope)],
    onDone: ({ order }) => onDone(order.id),
  })
  const price = readAmount(draft.price)
  const vat = readAmount(draft.vat)
  const fields = [
    { name: 'name', label: t('item'), fault: draft.name.trim() === '' && t('name_fault') },
    {
      name: 'price',
      label: t('price'),
      fault: (price === null || price === 0) && t('amount_fault'),
    },
    { name: 'vat', label: t('vat'), fault: (vat === null || vat > 100) && t('amount_fault') },
  ] as const
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        if (price === null || vat === null || fields.some(({ fault }) => fault !== false)) return
        act.mutate({ name: draft.name.trim(), unit_price_eur: price, vat_percent: vat })
      }}
    >
      {fields.map(({ name, label, fault }) => (
        <Field key={name} label={label} fault={isTried && fault !== false ? fault : undefined}>
          <Input
            autoComplete="off"
            maxLength={200}
            inputMode={name === 'name' ? 'text' : 'decimal'}
            value={draft[name]}
            onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
          />
        </Field>
      ))}
      <DialogButtons>
        <Button kind="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t('create')}
        </Button>
      </DialogButtons>
    </form>
  )
}
