/** The input of one field of a document, chosen by the kind of its values. */
import { useState } from 'react'
import { readNumber, writeNumber } from '../../language/numbers.ts'
import { Field } from '../../ui/forms/field.tsx'
import { Input, Textarea } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import type { DataField } from './fields.ts'
import { useDataTexts } from './texts.ts'

export interface FieldInputProps {
  field: DataField
  value: unknown
  fault: string | undefined
  /** Receives the new value; `undefined` removes the field. */
  onChange(value: unknown): void
}

export function FieldInput({ fault, ...control }: FieldInputProps) {
  const { field } = control
  return (
    <Field label={field.title} optional={!field.required} fault={fault}>
      <Control {...control} />
    </Field>
  )
}

/** The attributes that connect the input to its label and hint. */
type ControlProps = Omit<FieldInputProps, 'fault'> & {
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}

const ABSENT = '@absent'

function Control({ field, value, onChange, ...rest }: ControlProps) {
  const t = useDataTexts()
  if (field.kind === 'boolean' || field.kind === 'choice') {
    const values = field.kind === 'boolean' ? ['true', 'false'] : field.choices
    const texts: Readonly<Record<string, string>> =
      field.kind === 'boolean' ? { true: t('yes'), false: t('no') } : {}
    return (
      <Select
        {...rest}
        value={value === undefined || value === null ? ABSENT : String(value)}
        onChange={(next) => {
          if (next === ABSENT) return onChange(undefined)
          onChange(field.kind === 'boolean' ? next === 'true' : next)
        }}
        choices={[
          { value: ABSENT, text: '–' },
          ...values.map((one) => ({ value: one, text: texts[one] ?? one })),
        ]}
      />
    )
  }
  if (field.kind === 'json') return <JsonInput {...rest} value={value} onChange={onChange} />
  const text = value === undefined || value === null ? '' : String(value)
  if (field.kind === 'long') {
    return (
      <Textarea {...rest} value={text} onChange={({ target }) => onChange(given(target.value))} />
    )
  }
  if (field.kind === 'number') return <NumberInput {...rest} value={value} onChange={onChange} />
  return (
    <Input
      {...rest}
      type={field.kind === 'date' ? 'date' : 'text'}
      value={text}
      onChange={({ target }) => onChange(given(target.value))}
    />
  )
}

function given(text: string): string | undefined {
  return text === '' ? undefined : text
}

type TypedProps = Omit<ControlProps, 'field'>

/**
 * Keeps the typed text, such as `1.`. A text that is not a number is sent, and the server refuses
 * it.
 */
function NumberInput({ value, onChange, ...rest }: TypedProps) {
  const [text, setText] = useState(
    typeof value === 'number' ? writeNumber(value) : String(value ?? ''),
  )
  return (
    <Input
      {...rest}
      inputMode="decimal"
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        if (target.value.trim() === '') return onChange(undefined)
        const number = readNumber(target.value)
        onChange(Number.isNaN(number) ? target.value : number)
      }}
    />
  )
}

/** Keeps a text that is not valid JSON as a text value. */
function JsonInput({ value, onChange, ...rest }: TypedProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value))
  return (
    <Input
      {...rest}
      className="font-mono text-sm"
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        onChange(target.value === '' ? undefined : parseOrText(target.value))
      }}
    />
  )
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
