/** Composes a form from the schema, shows it live, and publishes it or writes its HTML. */
import { ArrowDown, ArrowUp, FormInput } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import type { Collection } from '../queries.ts'
import { formFieldsOf, type FormDraft, type FormField } from './form-fields.ts'
import { FormPreview } from './form-preview.tsx'
import { OwnPage } from './own-page.tsx'
import { PublishForm } from './publish-form.tsx'
import { useFormTexts } from './texts.ts'

export function FormBuilder({ collection }: { collection: Collection }) {
  const t = useFormTexts()
  const [draft, setDraft] = useState<FormDraft>(() => ({
    heading: collection.title,
    about: '',
    button: t('button_send'),
    thanks: t('thanks_text'),
    fields: formFieldsOf(collection),
  }))
  if (draft.fields.length === 0) {
    return (
      <Card flush>
        <EmptyState
          icon={<FormInput aria-hidden="true" />}
          title={t('no_fields')}
          about={t('no_fields_about')}
          sentence={t('sentence', { title: collection.title })}
        />
      </Card>
    )
  }
  return (
    <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
      <div className="flex flex-col gap-6">
        <Content draft={draft} onChange={setDraft} />
        <PublishForm collection={collection} draft={draft} />
        <OwnPage collection={collection} draft={draft} />
      </div>
      <div className="lg:sticky lg:top-20">
        <FormPreview draft={draft} />
      </div>
    </div>
  )
}

interface ContentProps {
  draft: FormDraft
  onChange(draft: FormDraft): void
}

function Content({ draft, onChange }: ContentProps) {
  const t = useFormTexts()
  const { fields } = draft
  return (
    <Card title={t('content')} about={t('content_about')}>
      <div className="grid gap-4 sm:grid-cols-2">
        {(['heading', 'button', 'about', 'thanks'] as const).map((name) => (
          <Field key={name} label={t(name)}>
            <Input
              value={draft[name]}
              onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
            />
          </Field>
        ))}
      </div>
      <h3 className="mt-6 mb-2 text-sm font-medium">{t('fields')}</h3>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {fields.map((field, index) => (
          <FieldLine
            key={field.name}
            field={field}
            isFirst={index === 0}
            isLast={index === fields.length - 1}
            onChange={(next) => onChange({ ...draft, fields: fields.with(index, next) })}
            onMove={(step) => onChange({ ...draft, fields: moved(fields, index, step) })}
          />
        ))}
      </ul>
    </Card>
  )
}

function moved(fields: readonly FormField[], index: number, step: -1 | 1): FormField[] {
  const [field, other] = [fields[index], fields[index + step]]
  if (field === undefined || other === undefined) return [...fields]
  return fields.with(index, other).with(index + step, field)
}

interface FieldLineProps {
  field: FormField
  isFirst: boolean
  isLast: boolean
  onChange(field: FormField): void
  onMove(step: -1 | 1): void
}

function FieldLine({ field, isFirst, isLast, onChange, onMove }: FieldLineProps) {
  const t = useFormTexts()
  const { name, label, isFixed, isShown } = field
  return (
    <li className="flex items-center gap-2.5 px-3 py-2">
      <input
        type="checkbox"
        aria-label={t('show', { name })}
        checked={isShown}
        disabled={isFixed}
        onChange={() => onChange({ ...field, isShown: !isShown })}
        className="size-4 shrink-0 accent-(--accent)"
      />
      <Input
        aria-label={t('label_of', { name })}
        value={label}
        disabled={!isShown}
        onChange={({ target }) => onChange({ ...field, label: target.value })}
      />
      {isFixed && (
        <span className="text-xs whitespace-nowrap text-faint max-sm:hidden">{t('fixed')}</span>
      )}
      <span className="flex">
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
      </span>
    </li>
  )
}
