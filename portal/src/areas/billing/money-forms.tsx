/** The dialogs of billing: topping up, the monthly cap and automatic top-up. */
import { useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { useFormAct } from '../../api/form-act.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { amountOf, writeNumber } from '../../language/numbers.ts'
import { Button } from '../../ui/actions/button.tsx'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { billingKey, orderTopUp, saveAutoReload, saveCap, type Balance } from './queries.ts'
import { usePaymentNote } from './payment-note.ts'
import { useBillingTexts } from './texts.ts'
import { keepUpgrade } from './upgrade-after-top-up.ts'

export interface FormDialogProps {
  onClose(): void
}

const SUGGESTED_EUR = [10, 25, 50, 100]

/** The range of the API, in euro. */
function isTopUp(amount: number): boolean {
  return amount >= 5 && amount <= 10_000
}

export function TopUpDialog({ onClose }: FormDialogProps) {
  const t = useBillingTexts()
  const scope = useProjectScope()
  const { upgrade } = useSearch({ strict: false })
  const paymentNote = usePaymentNote()
  const form = useForm({ defaultValues: { amount: '25', save_card: false } })
  const { act, fault } = useFormAct({
    run: ({ amount, save_card }: { amount: string; save_card: boolean }) =>
      orderTopUp(scope, { amount_eur: amountOf(amount), save_card }),
    refresh: [billingKey(scope)],
    onDone({ url }) {
      if (url === null) return onClose()
      keepUpgrade(scope.project_id, upgrade)
      location.assign(url)
    },
  })
  const { errors } = form.formState
  const about = [t('top_up_about'), paymentNote].filter((text) => text !== null).join(' ')
  return (
    <Dialog onClose={onClose} title={t('top_up')} about={about}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit((given) => act.mutate(given))(event)}
      >
        <div className="grid grid-cols-4 gap-2">
          {SUGGESTED_EUR.map((amount) => (
            <Button key={amount} onClick={() => form.setValue('amount', String(amount))}>
              € {amount}
            </Button>
          ))}
        </div>
        <Controller
          control={form.control}
          name="amount"
          rules={{ validate: (text) => isTopUp(amountOf(text)) || t('fault_top_up') }}
          render={({ field: { value, onChange } }) => (
            <AmountField
              label={t('amount_eur')}
              value={value}
              onValue={onChange}
              fault={errors.amount?.message ?? fault}
            />
          )}
        />
        <label className="flex items-center gap-2.5">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            {...form.register('save_card')}
          />
          {t('save_card')}
        </label>
        <Buttons busy={act.isPending}>{t('pay')}</Buttons>
      </form>
    </Dialog>
  )
}

function Buttons({ busy, children }: { busy: boolean; children: ReactNode }) {
  return (
    <DialogButtons>
      <Button type="submit" kind="primary" busy={busy}>
        {children}
      </Button>
    </DialogButtons>
  )
}

export function CapDialog(props: FormDialogProps & { cap: number | null }) {
  const { onClose, cap } = props
  const t = useBillingTexts()
  const scope = useProjectScope()
  const [text, setText] = useState(cap === null ? '' : writeNumber(cap))
  const act = useAct({
    run: () => saveCap(scope, text.trim() === '' ? null : amountOf(text)),
    done: t('done_cap'),
    refresh: [billingKey(scope)],
    onDone: onClose,
  })
  const isWrong = text.trim() !== '' && !(amountOf(text) > 0)
  return (
    <Dialog onClose={onClose} title={t('set_cap')}>
      <form
        onSubmit={submit(() => {
          if (!isWrong) act.mutate(undefined)
        })}
      >
        <AmountField
          label={t('cap_label')}
          hint={t('cap_hint')}
          value={text}
          onValue={setText}
          fault={isWrong ? t('fault_amount') : undefined}
        />
        <Buttons busy={act.isPending}>{t('save')}</Buttons>
      </form>
    </Dialog>
  )
}

export function AutoReloadDialog(props: FormDialogProps & { now: Balance['auto_reload'] }) {
  const { onClose, now } = props
  const t = useBillingTexts()
  const scope = useProjectScope()
  const form = useForm({
    defaultValues: {
      threshold: writeNumber(now.threshold_eur),
      amount: writeNumber(now.amount_eur),
      max: String(now.max_per_month),
    },
  })
  const act = useAct({
    run: (enabled: boolean) => {
      const { threshold, amount, max } = form.getValues()
      return saveAutoReload(scope, {
        enabled,
        threshold_eur: amountOf(threshold),
        amount_eur: amountOf(amount),
        max_per_month: Number(max),
      })
    },
    done: t('done_reload'),
    refresh: [billingKey(scope)],
    onDone: onClose,
  })
  const amount = { validate: (text: string) => amountOf(text) > 0 || t('fault_amount') }
  const { errors } = form.formState
  return (
    <Dialog onClose={onClose} title={t('reload')} about={t('reload_about')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit(() => act.mutate(true))(event)}
      >
        {(['threshold', 'amount'] as const).map((name) => (
          <Controller
            key={name}
            control={form.control}
            name={name}
            rules={amount}
            render={({ field: { value, onChange } }) => (
              <AmountField
                label={t(name === 'amount' ? 'reload_amount' : name)}
                value={value}
                onValue={onChange}
                fault={errors[name]?.message}
              />
            )}
          />
        ))}
        <Field label={t('max')}>
          <Input inputMode="numeric" {...form.register('max')} />
        </Field>
        <DialogButtons>
          {now.enabled && (
            <Button disabled={act.isPending} onClick={() => act.mutate(false)}>
              {t('turn_off')}
            </Button>
          )}
          <Button type="submit" kind="primary" busy={act.isPending}>
            {now.enabled ? t('save') : t('turn_on')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
