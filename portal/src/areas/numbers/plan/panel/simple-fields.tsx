/** Fields of a step with one value. What does not fit the field is shown as it is, to be corrected. */
import { useId, useState } from 'react'
import { Field } from '../../../../ui/forms/field.tsx'
import { Input, Textarea } from '../../../../ui/forms/input.tsx'
import { PhoneField } from '../../../../ui/forms/phone-field.tsx'
import { usePhoneCountry } from '../../../company/use-phone-country.ts'
import { isList, type Json } from '../model/json.ts'
import { useFieldNames } from '../names.ts'
import { usePlanTexts } from '../texts.ts'
import type { FieldState } from './field-parts.tsx'

/** Longer texts get several lines. */
const LINE_MAX = 500

function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function TextField({ state }: { state: FieldState }) {
  const { label, schema, value, isOptional, fault, change } = state
  const { maxLength = 0, pattern = '', examples = [] } = schema
  const [example] = examples
  const isDate = pattern.startsWith('^[0-9]{4}-')
  if (pattern.startsWith('^\\+')) return <PhoneTextField state={state} />
  const common = {
    autoComplete: 'off',
    value: shown(value),
    placeholder: typeof example === 'string' ? example : undefined,
    onChange: ({ target }: { target: { value: string } }) =>
      change(target.value === '' && isOptional ? undefined : target.value),
  }
  return (
    <Field label={label} optional={isOptional} fault={fault} hint={hintOf(state)}>
      {maxLength > LINE_MAX ? (
        <Textarea {...common} />
      ) : state.name === 'timezone' ? (
        <TimeZone {...common} />
      ) : (
        <Input {...common} type={isDate ? 'date' : 'text'} />
      )}
    </Field>
  )
}

function PhoneTextField({ state }: { state: FieldState }) {
  const { label, value, isOptional, fault, change } = state
  return (
    <PhoneField
      label={label}
      optional={isOptional}
      fault={fault}
      hint={hintOf(state)}
      value={shown(value)}
      onValue={(phone) => change(phone === '' && isOptional ? undefined : phone)}
      country={usePhoneCountry()}
    />
  )
}

/** What the API says about a field whose name alone does not explain it. */
function hintOf({ name, schema, label }: FieldState): string | undefined {
  return label === name ? schema.description : undefined
}

function TimeZone(props: Parameters<typeof Input>[0]) {
  const list = useId()
  return (
    <>
      <Input {...props} list={list} />
      <datalist id={list}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}

export function NumberField({ state }: { state: FieldState }) {
  const t = usePlanTexts()
  const { label, schema, value, isOptional, fault, change } = state
  const { minimum, maximum } = schema
  const usual = schema.default
  return (
    <Field
      label={label}
      optional={isOptional}
      fault={fault}
      hint={usual === undefined ? undefined : t('default_value', { value: shown(usual) })}
    >
      <Input
        type="number"
        min={minimum}
        max={maximum}
        placeholder={shown(usual)}
        className="max-w-32 tabular-nums"
        value={shown(value)}
        onChange={({ target }) => change(target.value === '' ? undefined : Number(target.value))}
      />
    </Field>
  )
}

export function BooleanField({
  state: { label, schema, value, change, fault },
}: {
  state: FieldState
}) {
  const checked = typeof value === 'boolean' ? value : schema.default === true
  return (
    <div>
      <label className="flex items-center gap-2.5 text-sm font-medium">
        <input
          type="checkbox"
          checked={checked}
          onChange={({ target }) => change(target.checked)}
          className="size-4 accent-(--accent)"
        />
        {label}
      </label>
      {fault !== undefined && <p className="mt-1 text-sm text-bad">{fault}</p>}
    </div>
  )
}

export function ChoiceField({ state }: { state: FieldState }) {
  const t = usePlanTexts()
  const fieldName = useFieldNames()
  const { label, name, schema, value, isOptional, fault, change } = state
  const choices = schema.enum ?? []
  const usual = typeof schema.default === 'string' ? fieldName(`${name}.${schema.default}`) : null
  const given = shown(value)
  return (
    <Field label={label} fault={fault} optional={isOptional}>
      <select
        className="control h-9"
        value={given}
        onChange={({ target }) => change(target.value === '' ? undefined : target.value)}
      >
        {(isOptional || given === '') && (
          <option value="">
            {usual === null ? t('default_choice') : t('default_value', { value: usual })}
          </option>
        )}
        {given !== '' && !choices.includes(given) && <option value={given}>{given}</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {fieldName(`${name}.${choice}`)}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** A list of texts, one a line. */
export function LinesField({ state }: { state: FieldState }) {
  const t = usePlanTexts()
  const { label, schema, value, isOptional, fault, change } = state
  const given = isList(value) ? value.map(shown) : []
  // Kept as written, because an empty last line is no item yet.
  const [text, setText] = useState(given.join('\n'))
  const lines = itemsOf(text)
  const written = lines.join('\n') === given.join('\n') ? text : given.join('\n')
  const [example] = schema.items?.examples ?? []
  return (
    <Field label={label} optional={isOptional} fault={fault} hint={t('one_per_line')}>
      <Textarea
        rows={2}
        value={written}
        placeholder={typeof example === 'string' ? example : undefined}
        onChange={({ target }) => {
          setText(target.value)
          const items = itemsOf(target.value)
          change(items.length === 0 && isOptional ? undefined : items)
        }}
      />
    </Field>
  )
}

function itemsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
