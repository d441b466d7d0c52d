/** Fields that the forms of incidents share. */
import { useTexts } from '../../../language/texts.ts'
import { CheckList } from '../../../ui/forms/check-list.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input, Textarea } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import type { Component, Impact, IncidentState, IncidentText } from './queries.ts'
import { incidentTexts } from './texts.ts'

const components = ['sites', 'api', 'portal', 'phone', 'ai', 'mail', 'payments'] as const
const impacts = ['none', 'minor', 'major', 'critical'] as const

export interface TextFieldsProps {
  value: IncidentText
  onChange(value: IncidentText): void
}

export function TextFields({ value, onChange }: TextFieldsProps) {
  return (
    <>
      <TitleField title={value.title} onChange={(title) => onChange({ ...value, title })} />
      <MessageField
        message={value.message}
        onChange={(message) => onChange({ ...value, message })}
      />
      <ComponentsField
        values={value.components}
        onChange={(chosen) => onChange({ ...value, components: chosen })}
      />
    </>
  )
}

export interface TitleFieldProps {
  title: string
  onChange(title: string): void
}

export function TitleField({ title, onChange }: TitleFieldProps) {
  const t = useTexts(incidentTexts)
  return (
    <Field label={t('form_title')} hint={t('form_title_hint')}>
      <Input
        required
        maxLength={120}
        value={title}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}

export interface TimeFieldProps {
  name: 'starts_at' | 'ends_at'
  value: string
  onChange(value: string): void
}

export function TimeField({ name, value, onChange }: TimeFieldProps) {
  const t = useTexts(incidentTexts)
  return (
    <Field label={t(name)} hint={t('time_hint')}>
      <Input
        required
        type="datetime-local"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}

export interface MessageFieldProps {
  message: string
  onChange(message: string): void
}

export function MessageField({ message, onChange }: MessageFieldProps) {
  const t = useTexts(incidentTexts)
  return (
    <Field label={t('message')} hint={t('message_hint')}>
      <Textarea
        required
        rows={4}
        maxLength={5000}
        value={message}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}

interface ComponentsFieldProps {
  values: readonly Component[]
  onChange(values: Component[]): void
}

export function ComponentsField({ values, onChange }: ComponentsFieldProps) {
  const t = useTexts(incidentTexts)
  return (
    <CheckList
      legend={t('components')}
      values={values}
      onChange={onChange}
      choices={components.map((value) => ({ value, text: t(value) }))}
    />
  )
}

export function ImpactField({
  impact,
  onChange,
}: {
  impact: Impact
  onChange(next: Impact): void
}) {
  const t = useTexts(incidentTexts)
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-sm font-medium">{t('impact')}</span>
      <Select
        label={t('impact')}
        value={impact}
        onChange={onChange}
        choices={impacts.map((value) => ({ value, text: t(`impact_${value}`) }))}
      />
    </div>
  )
}

export interface StateFieldProps<State extends IncidentState> {
  label: string
  state: State
  states: readonly State[]
  onChange(state: State): void
}

export function StateField<State extends IncidentState>(props: StateFieldProps<State>) {
  const { label, state, states, onChange } = props
  const t = useTexts(incidentTexts)
  const change = (next: string) => {
    const found = states.find((one) => one === next)
    if (found !== undefined) onChange(found)
  }
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-sm font-medium">{label}</span>
      <Select
        label={label}
        value={String(state)}
        onChange={change}
        choices={states.map((value) => ({ value: String(value), text: t(value) }))}
      />
    </div>
  )
}
