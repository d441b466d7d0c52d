/** The dialog that creates a subscription. A refusal of the server is shown at the field that it is about. */
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { amountOf, readNumber } from '../../../language/numbers.ts'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { AmountField } from '../../../ui/forms/amount-field.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { paymentsKey } from '../queries.ts'
import {
  createSubscription,
  type NewSubscription as Wanted,
  type Subscription,
} from './subscription-queries.ts'
import { subscriptionTexts } from './subscription-texts.ts'

export interface NewSubscriptionProps {
  onClose(): void
  onDone(id: string): void
}

export function NewSubscription(props: NewSubscriptionProps) {
  const t = useTexts(subscriptionTexts)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title={t('new')}
      about={t('new_about')}
    >
      <SubscriptionForm {...props} />
    </Dialog>
  )
}

interface Draft {
  description: string
  price: string
  vat: string
  interval: Subscription['interval']
  /** Empty for no end. */
  times: string
  email: string
  name: string
}

type FieldName = Exclude<keyof Draft, 'interval'>
type Faults = Partial<Record<FieldName, string>>

const blank: Draft = {
  description: '',
  price: '',
  vat: '21',
  interval: 'month',
  times: '',
  email: '',
  name: '',
}
const intervals = ['day', 'week', 'month', 'year'] as const

const fieldOfPath: Readonly<Record<string, FieldName>> = {
  '/description': 'description',
  '/amount_eur': 'price',
  '/vat_percent': 'vat',
  '/times': 'times',
  '/customer/email': 'email',
  '/customer/name': 'name',
}

function readDraft({ description, price, vat, interval, times, email, name }: Draft) {
  return {
    description: description.trim(),
    amount_eur: amountOf(price),
    vat_percent: readNumber(vat),
    interval,
    times: times.trim() === '' ? null : readNumber(times),
    email: email.trim(),
    name: name.trim(),
  }
}

function useFaults(draft: Draft): Faults {
  const t = useTexts(subscriptionTexts)
  const { description, amount_eur, vat_percent, times, email } = readDraft(draft)
  const isCount = times === null || (Number.isInteger(times) && times >= 1 && times <= 1_000)
  return {
    ...(description === '' && { description: t('description_fault') }),
    ...(!(amount_eur > 0) && { price: t('amount_fault') }),
    ...(!(vat_percent >= 0 && vat_percent <= 100) && { vat: t('vat_fault') }),
    ...(!isCount && { times: t('times_fault') }),
    ...(!/^\S+@\S+$/.test(email) && { email: t('email_fault') }),
  }
}

function SubscriptionForm({ onClose, onDone }: NewSubscriptionProps) {
  const t = useTexts(subscriptionTexts)
  const scope = useProjectScope()
  const [draft, setDraft] = useState(blank)
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [isTried, setIsTried] = useState(false)
  const [refused, setRefused] = useState<Faults>({})
  const faults = useFaults(draft)
  const act = useAct({
    run: (wanted: Wanted) => createSubscription(scope, wanted),
    refresh: [paymentsKey(scope)],
    onDone: ({ subscription }) => onDone(subscription.id),
    onFault(problem) {
      const found = problem.faults.flatMap(({ path, message }) => {
        const name = fieldOfPath[path]
        return name === undefined ? [] : [[name, message] as const]
      })
      setRefused(Object.fromEntries(found))
      return found.length > 0
    },
  })
  const set = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes })
    setRefused({})
    // Another subscription, so it is not the answer to an earlier attempt.
    setKey(crypto.randomUUID())
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        if (Object.keys(faults).length === 0) act.mutate({ ...readDraft(draft), key })
      }}
    >
      <Fields draft={draft} set={set} faults={isTried ? { ...refused, ...faults } : {}} />
      <DialogButtons>
        <Button kind="ghost" onClick={onClose}>
          {t('stop')}
        </Button>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t('create')}
        </Button>
      </DialogButtons>
    </form>
  )
}

interface FieldsProps {
  draft: Draft
  faults: Faults
  set(changes: Partial<Draft>): void
}

function Fields({ draft, faults, set }: FieldsProps) {
  const t = useTexts(subscriptionTexts)
  return (
    <>
      <Field label={t('what')} fault={faults.description}>
        <Input
          autoComplete="off"
          maxLength={200}
          value={draft.description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <AmountField
          label={t('price')}
          fault={faults.price}
          value={draft.price}
          onValue={(price) => set({ price })}
        />
        <Field label={t('vat')} fault={faults.vat}>
          <Input
            autoComplete="off"
            inputMode="decimal"
            value={draft.vat}
            onChange={({ target }) => set({ vat: target.value })}
          />
        </Field>
        <Field label={t('interval')}>
          <Select
            value={draft.interval}
            onChange={(interval) => set({ interval })}
            choices={intervals.map((value) => ({ value, text: t(`every_${value}`) }))}
          />
        </Field>
        <Field label={t('times')} optional hint={t('times_hint')} fault={faults.times}>
          <Input
            autoComplete="off"
            inputMode="numeric"
            value={draft.times}
            onChange={({ target }) => set({ times: target.value })}
          />
        </Field>
      </div>
      <Field label={t('email')} hint={t('email_hint')} fault={faults.email}>
        <Input
          type="email"
          autoComplete="off"
          maxLength={254}
          value={draft.email}
          onChange={({ target }) => set({ email: target.value })}
        />
      </Field>
      <Field label={t('name')} optional fault={faults.name}>
        <Input
          autoComplete="off"
          maxLength={200}
          value={draft.name}
          onChange={({ target }) => set({ name: target.value })}
        />
      </Field>
    </>
  )
}
