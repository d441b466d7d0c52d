/** One field of the schema: its name, label, type and rules. */
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { Button } from '../../../ui/actions/button.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { fieldTypes, type FieldFault, type SchemaField } from './schema-fields.ts'
import { useSchemaTexts } from './texts.ts'

export interface FieldRowProps {
  field: SchemaField
  number: number
  isFirst: boolean
  isLast: boolean
  isUnique: boolean
  isIndexed: boolean
  fault: FieldFault | null
  onChange(field: SchemaField): void
  onListed(list: 'unique' | 'indexes', isListed: boolean): void
  onMove(step: -1 | 1): void
  onRemove(): void
}

export function FieldRow(props: FieldRowProps) {
  const { field, number, fault, onChange } = props
  const t = useSchemaTexts()
  const { name, title, type, choices } = field
  return (
    <li className="flex flex-col gap-2.5 border-b border-line px-5 py-3.5 last:border-0">
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-[1fr_1fr_9.5rem_auto]">
        <Input
          aria-label={t('name_of', { number })}
          aria-invalid={fault === null || fault === 'no_choices' ? undefined : true}
          placeholder={t('name')}
          className="font-mono text-sm"
          spellCheck={false}
          value={name}
          onChange={({ target }) => onChange({ ...field, name: target.value })}
        />
        <Input
          aria-label={t('title_of', { name })}
          placeholder={t('title')}
          value={title}
          onChange={({ target }) => onChange({ ...field, title: target.value })}
        />
        <Select
          label={t('type_of', { name })}
          value={type}
          onChange={(next) => onChange({ ...field, type: next })}
          choices={fieldTypes.map((value) => ({
            value,
            text: t(value === 'json' ? 'json_type' : value),
          }))}
        />
        <RowButtons {...props} />
      </div>
      {type === 'choice' && <Choices key={field.key} {...{ name, choices, onChange, field }} />}
      <Rules {...props} />
      {fault !== null && <p className="text-sm text-bad">{t(fault)}</p>}
    </li>
  )
}

function RowButtons({ field: { name }, isFirst, isLast, onMove, onRemove }: FieldRowProps) {
  const t = useSchemaTexts()
  return (
    <span className="flex justify-end">
      <Button
        kind="ghost"
        size="icon"
        aria-label={t('up', { name })}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      >
        <ArrowUp aria-hidden="true" />
      </Button>
      <Button
        kind="ghost"
        size="icon"
        aria-label={t('down', { name })}
        disabled={isLast}
        onClick={() => onMove(1)}
      >
        <ArrowDown aria-hidden="true" />
      </Button>
      <Button kind="ghost" size="icon" aria-label={t('remove', { name })} onClick={onRemove}>
        <X aria-hidden="true" />
      </Button>
    </span>
  )
}

function Rules({ field, isUnique, isIndexed, onChange, onListed }: FieldRowProps) {
  const t = useSchemaTexts()
  const { name, required } = field
  const rules = [
    {
      text: t('required'),
      label: t('required_of', { name }),
      isOn: required,
      toggle: () => onChange({ ...field, required: !required }),
    },
    {
      text: t('unique'),
      label: t('unique_of', { name }),
      isOn: isUnique,
      toggle: () => onListed('unique', !isUnique),
    },
    {
      text: t('indexed'),
      label: t('indexed_of', { name }),
      isOn: isIndexed,
      toggle: () => onListed('indexes', !isIndexed),
    },
  ]
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
      {rules.map(({ text, label, isOn, toggle }) => (
        <label key={text} className="flex items-center gap-2" title={label}>
          <input
            type="checkbox"
            aria-label={label}
            checked={isOn}
            onChange={toggle}
            className="size-4 accent-(--accent)"
          />
          {text}
        </label>
      ))}
    </div>
  )
}

interface ChoicesProps {
  name: string
  choices: readonly string[]
  field: SchemaField
  onChange(field: SchemaField): void
}

/** Uncontrolled, so that a comma at the end stays while the next value is typed. */
function Choices({ name, choices, field, onChange }: ChoicesProps) {
  const t = useSchemaTexts()
  return (
    <Input
      aria-label={t('choices_of', { name })}
      placeholder={t('choices_hint')}
      defaultValue={choices.join(', ')}
      onChange={({ target }) => {
        const values = target.value.split(',').map((one) => one.trim())
        onChange({ ...field, choices: [...new Set(values)].filter((one) => one !== '') })
      }}
    />
  )
}
