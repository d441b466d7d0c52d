/** The dialog that creates a payment link. */
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { amountOf, readNumber } from '../../../language/numbers.ts'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { ChoiceCards } from '../../../ui/forms/choice-cards.tsx'
import { AmountField } from '../../../ui/forms/amount-field.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { paymentsKey } from '../queries.ts'
import { createLink, type NewLink as Wanted, type PaymentLink } from './link-queries.ts'
import { linkTexts } from './link-texts.ts'

export interface NewLinkProps {
  onClose(): void
  onDone(link: PaymentLink): void
}

export function NewLink(props: NewLinkProps) {
  const t = useTexts(linkTexts)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title={t('new_link')}
      about={t('about')}
    >
      <LinkForm {...props} />
    </Dialog>
  )
}

interface Draft {
  description: string
  price: string
  vat: string
  amount: 'fixed' | 'free'
  uses: 'once' | 'many'
  /** The last day, such as 2026-12-31; empty for no end. */
  until: string
}

const blank: Draft = {
  description: '',
  price: '',
  vat: '21',
  amount: 'fixed',
  uses: 'once',
  until: '',
}

/** Null while something is missing or wrong. */
function readDraft({ description, price, vat, amount, uses, until }: Draft): Wanted | null {
  const amount_eur = amount === 'fixed' ? amountOf(price) : null
  const vat_percent = readNumber(vat)
  if (description.trim() === '' || !isPercent(vat_percent)) return null
  if (amount_eur !== null && !(amount_eur > 0)) return null
  if (!isAhead(until)) return null
  const reusable = uses === 'many'
  const expires_at = until === '' ? null : endOf(until).toISOString()
  return { description: description.trim(), amount_eur, vat_percent, reusable, expires_at }
}

/** The end of a day in the time zone of the browser. */
const endOf = (day: string): Date => new Date(`${day}T23:59:59`)

/** Not for a mistyped year such as 12026, which is no date. */
const isAhead = (day: string): boolean => day === '' || endOf(day).getTime() > Date.now()

const isPercent = (value: number): boolean => value >= 0 && value <= 100

function LinkForm({ onClose, onDone }: NewLinkProps) {
  const t = useTexts(linkTexts)
  const scope = useProjectScope()
  const [draft, setDraft] = useState(blank)
  const [isTried, setIsTried] = useState(false)
  const act = useAct({
    run: (link: Wanted) => createLink(scope, link),
    refresh: [paymentsKey(scope)],
    onDone,
  })
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        const link = readDraft(draft)
        if (link !== null) act.mutate(link)
      }}
    >
      <Texts draft={draft} set={set} isTried={isTried} />
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

interface TextsProps {
  draft: Draft
  set(changes: Partial<Draft>): void
  isTried: boolean
}

function Texts({ draft, set, isTried }: TextsProps) {
  const t = useTexts(linkTexts)
  const choiceOf = <Value extends 'fixed' | 'free' | 'once' | 'many'>(value: Value) => ({
    value,
    title: t(value),
    about: t(`${value}_about`),
  })
  const faultIf = (is_wrong: boolean, fault: string) => (isTried && is_wrong ? fault : undefined)
  return (
    <>
      <Field
        label={t('description')}
        fault={faultIf(draft.description.trim() === '', t('description_fault'))}
      >
        <Input
          autoComplete="off"
          maxLength={200}
          value={draft.description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </Field>
      <ChoiceCards
        legend={t('choice')}
        value={draft.amount}
        onChange={(amount) => set({ amount })}
        choices={[choiceOf('fixed'), choiceOf('free')]}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        {draft.amount === 'fixed' && (
          <AmountField
            label={t('price')}
            fault={faultIf(!(amountOf(draft.price) > 0), t('amount_fault'))}
            value={draft.price}
            onValue={(price) => set({ price })}
          />
        )}
        <Field label={t('vat')} fault={faultIf(!isPercent(readNumber(draft.vat)), t('vat_fault'))}>
          <Input
            autoComplete="off"
            inputMode="decimal"
            value={draft.vat}
            onChange={({ target }) => set({ vat: target.value })}
          />
        </Field>
      </div>
      <ChoiceCards
        legend={t('uses')}
        value={draft.uses}
        onChange={(uses) => set({ uses })}
        choices={[choiceOf('once'), choiceOf('many')]}
      />
      <Field label={t('expires')} optional fault={faultIf(!isAhead(draft.until), t('until_fault'))}>
        <Input
          type="date"
          max="9999-12-31"
          value={draft.until}
          onChange={({ target }) => set({ until: target.value })}
        />
      </Field>
    </>
  )
}
