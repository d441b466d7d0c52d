/** A form made from the JSON Schema of an operation's arguments. */
import { useState } from 'react'
import type { ApiProblem } from '../../../api/client.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input, Textarea } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { useAssistantTexts } from '../texts.ts'
import { fieldsOf, readForm, textsOf, type FieldSchema, type ReadFault } from './values.ts'

export interface SchemaFormProps {
  shape: Readonly<Record<string, unknown>>
  values: Readonly<Record<string, unknown>>
  action: string
  busy: boolean
  problem: ApiProblem | null
  onSubmit(values: Record<string, unknown>): void
  onCancel?: () => void
}

export function SchemaForm(props: SchemaFormProps) {
  const { shape, values, action, busy, problem, onSubmit, onCancel } = props
  const t = useAssistantTexts()
  const fields = fieldsOf(shape)
  const [texts, setTexts] = useState(() => textsOf(fields, values))
  const [faults, setFaults] = useState<Readonly<Record<string, ReadFault>>>({})
  const isFirst = ({ name, isRequired }: FieldSchema) => isRequired || name in values
  const first = fields.filter(isFirst)
  const more = fields.filter((field) => !isFirst(field))
  const faultOf = ({ name }: FieldSchema): string | undefined => {
    const own = faults[name]
    if (own !== undefined) return t(own)
    return problem?.faults.find(({ path }) => path.split('/')[1] === name)?.message
  }
  const show = (field: FieldSchema) => (
    <SchemaField
      key={field.name}
      field={field}
      text={texts[field.name] ?? ''}
      fault={faultOf(field)}
      onChange={(text) => setTexts({ ...texts, [field.name]: text })}
    />
  )
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={submit(() => {
        const read = readForm(fields, texts, values)
        setFaults(read.faults)
        if (Object.keys(read.faults).length === 0) onSubmit(read.values)
      })}
    >
      {first.map(show)}
      {more.length > 0 && (
        <details>
          <summary className="cursor-pointer text-sm text-muted hover:text-fg">
            {t('more_fields')}
          </summary>
          <div className="mt-3 flex flex-col gap-3">{more.map(show)}</div>
        </details>
      )}
      {problem !== null && (
        <p role="alert" className="text-sm text-bad">
          {problem.user_message}
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" size="sm" busy={busy}>
          {action}
        </Button>
        {onCancel && (
          <Button size="sm" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}

interface SchemaFieldProps {
  field: FieldSchema
  text: string
  fault: string | undefined
  onChange(text: string): void
}

const HINT_CHARACTERS_MAX = 220

function SchemaField({ field, text, fault, onChange }: SchemaFieldProps) {
  const t = useAssistantTexts()
  const { name, kind, hint, isRequired } = field
  const extra = kind === 'list' ? t('list_hint') : kind === 'json' ? t('json_hint') : ''
  const short = hint.length > HINT_CHARACTERS_MAX ? `${hint.slice(0, HINT_CHARACTERS_MAX)}…` : hint
  return (
    <Field
      label={labelOf(name)}
      hint={`${short} ${extra}`.trim()}
      fault={fault}
      optional={!isRequired}
    >
      <Control field={field} text={text} onChange={onChange} />
    </Field>
  )
}

/** Gets id and descriptions from Field. */
function Control(props: Omit<SchemaFieldProps, 'fault'>) {
  const { field, text, onChange, ...rest } = props
  const t = useAssistantTexts()
  const { kind, choices } = field
  const shared = { ...rest, value: text }
  if (kind === 'choice' || kind === 'flag') {
    const listed = kind === 'flag' ? ['true', 'false'] : choices
    return (
      <select {...shared} className="control" onChange={({ target }) => onChange(target.value)}>
        <option value="">{t('choose')}</option>
        {listed.map((choice) => (
          <option key={choice} value={choice}>
            {kind === 'flag' ? t(choice === 'true' ? 'yes' : 'no') : choice}
          </option>
        ))}
      </select>
    )
  }
  if (kind === 'text' || kind === 'number')
    return (
      <Input
        {...shared}
        autoComplete="off"
        {...(kind === 'number' && { inputMode: 'decimal' })}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  return (
    <Textarea
      {...shared}
      rows={kind === 'json' ? 5 : 3}
      spellCheck={kind === 'long'}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** `opening_hours` as `Opening hours`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
