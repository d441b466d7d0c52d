/** The form that refunds an order, in part or in whole. */
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { amountOf, writeNumber } from '../../language/numbers.ts'
import { Button } from '../../ui/actions/button.tsx'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { paymentsKey, refundOrder, type OrderDetail } from './queries.ts'
import { usePaymentTexts } from './texts.ts'

export function Refund({ order, onClose }: { order: OrderDetail; onClose(): void }) {
  const t = usePaymentTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const waiting = order.refunds
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { amount_eur }) => sum + amount_eur, 0)
  const left = Math.round((order.amount_eur - order.refunded_eur - waiting) * 100) / 100
  const [text, setText] = useState(writeNumber(left))
  const [reason, setReason] = useState('')
  // The same key for every attempt, so that a retry never refunds twice.
  const [key] = useState(() => crypto.randomUUID())
  const amount = amountOf(text)
  const is_valid = amount > 0 && amount <= left
  const act = useAct({
    run: (amount_eur: number) => refundOrder(scope, { id: order.id, amount_eur, reason, key }),
    done: t('refund_done'),
    refresh: [paymentsKey(scope)],
    onDone: onClose,
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-4 rounded-xl border border-line p-4"
      onSubmit={submit(() => {
        if (is_valid) act.mutate(amount)
      })}
    >
      <p className="text-muted">{t('refund_about')}</p>
      <AmountField
        label={t('refund_amount')}
        hint={t('refund_hint', { amount: format.euro(left) })}
        fault={is_valid ? undefined : t('amount_of', { amount: format.euro(left) })}
        value={text}
        onValue={setText}
      />
      <Field label={t('reason')} hint={t('reason_hint')}>
        <Input
          maxLength={500}
          autoComplete="off"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button kind="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" kind="danger" busy={act.isPending} disabled={!is_valid}>
          {t('refund_send', { amount: format.euro(is_valid ? amount : left) })}
        </Button>
      </div>
    </form>
  )
}
