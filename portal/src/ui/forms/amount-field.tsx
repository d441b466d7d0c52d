/** The field for an amount of money, everywhere. */
import type { ReactNode } from 'react'
import { useFormat } from '../../language/format.ts'
import { readAmount, readNumber } from '../../language/numbers.ts'
import { useUiTexts } from '../texts.ts'
import { Field } from './field.tsx'
import { MoneyInput } from './input.tsx'

export interface AmountFieldProps {
  label: string
  /** The typed text, which `readAmount` reads. */
  value: string
  onValue(text: string): void
  hint?: ReactNode
  /** What is wrong with the amount; an ambiguous text is explained by the field itself. */
  fault?: string | undefined
}

/** Says how it reads the amount before it is saved, and refuses an ambiguous one. */
export function AmountField({ label, value, onValue, hint, fault }: AmountFieldProps) {
  const t = useUiTexts()
  const format = useFormat()
  const read = readAmount(value)
  const digits = readNumber(value.replaceAll(/[.,]/g, ''))
  const ambiguous = t('amount_ambiguous', {
    less: format.euro(digits / 1000),
    more: format.euro(digits),
  })
  const understood =
    read.fault === null && t('amount_understood', { amount: format.euro(read.value) })
  const notes = [hint, understood].filter(Boolean)
  return (
    <Field
      label={label}
      hint={notes.length === 0 ? undefined : notes.map((note, at) => <span key={at}>{note} </span>)}
      fault={read.fault === 'ambiguous' ? ambiguous : fault}
    >
      <MoneyInput
        autoComplete="off"
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
    </Field>
  )
}
