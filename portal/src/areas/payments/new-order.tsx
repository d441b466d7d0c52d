/** The dialog that creates an order of one line, whose page the customer then gets. */
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { amountOf, readNumber } from '../../language/numbers.ts'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { createOrder, paymentsKey, type NewItem } from './queries.ts'
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
  const price = amountOf(draft.price)
  const vat = readNumber(draft.vat)
  const fields = [
    { name: 'name', label: t('item'), fault: draft.name.trim() === '' && t('name_fault') },
    {
      name: 'price',
      label: t('price'),
      fault: !(price > 0) && t('amount_fault'),
    },
    { name: 'vat', label: t('vat'), fault: !(vat >= 0 && vat <= 100) && t('vat_fault') },
  ] as const
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        if (fields.some(({ fault }) => fault !== false)) return
        act.mutate({ name: draft.name.trim(), unit_price_eur: price, vat_percent: vat })
      }}
    >
      {fields.map(({ name, label, fault }) => {
        const shown = isTried && fault !== false ? fault : undefined
        const set = (text: string) => setDraft({ ...draft, [name]: text })
        if (name === 'price')
          return (
            <AmountField key={name} label={label} fault={shown} value={draft.price} onValue={set} />
          )
        return (
          <Field key={name} label={label} fault={shown}>
            <Input
              autoComplete="off"
              maxLength={200}
              inputMode={name === 'name' ? 'text' : 'decimal'}
              value={draft[name]}
              onChange={({ target }) => set(target.value)}
            />
          </Field>
        )
      })}
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
