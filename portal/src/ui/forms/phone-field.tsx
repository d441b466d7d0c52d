/** The field for a phone number, everywhere. */
import { useState, type ComponentProps, type ReactNode } from 'react'
import { phoneIn, readPhone } from '../../language/phones.ts'
import { useUiTexts } from '../texts.ts'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

export interface PhoneFieldProps {
  label: string
  /** The number in E.164, or what was typed while it is none. */
  value: string
  onValue(value: string): void
  /** The country (ISO 3166-1) whose notation is read; null: only numbers with `+` are. */
  country: string | null
  hint?: ReactNode
  fault?: string | undefined
  optional?: boolean
  autoComplete?: ComponentProps<'input'>['autoComplete']
}

/** Reads `06 12345678` as a number of the country, and says how it was read. */
export function PhoneField(props: PhoneFieldProps) {
  const { label, value, onValue, country, hint, fault, optional, autoComplete = 'off' } = props
  const t = useUiTexts()
  const [typed, setTyped] = useState(value)
  // The value differs if it was changed elsewhere, such as by a reset of the form.
  const shown = phoneIn(typed, country) === value ? typed : value
  const read = readPhone(shown, country)
  const note =
    read === null
      ? shown.trim() !== '' && t(country === null ? 'phone_begins' : 'phone_unread')
      : read.shown !== shown.trim() && t('phone_understood', { phone: read.shown })
  const notes = [hint, note].filter(Boolean)
  return (
    <Field
      label={label}
      hint={notes.length === 0 ? undefined : notes.map((one, at) => <span key={at}>{one} </span>)}
      fault={fault}
      {...(optional && { optional })}
    >
      <Input
        type="tel"
        autoComplete={autoComplete}
        maxLength={40}
        value={shown}
        onChange={({ target }) => {
          setTyped(target.value)
          onValue(phoneIn(target.value, country))
        }}
      />
    </Field>
  )
}
