/** How the lines of a file are read: as new documents or not, and in which notation. */
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import type { Collection } from '../queries.ts'
import type { Reading } from './import.ts'
import { useTransferTexts } from './texts.ts'

export interface ReadingFormProps {
  row: Collection
  reading: Reading
  onChange(reading: Reading): void
}

export function ReadingForm({ row, reading, onChange }: ReadingFormProps) {
  const t = useTransferTexts()
  const { mode, by, locale } = reading
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('mode')}>
        <Select<string>
          value={mode === 'insert' ? 'insert' : `by ${by}`}
          onChange={(next) =>
            onChange(
              next === 'insert'
                ? { ...reading, mode: 'insert' }
                : { ...reading, mode: 'upsert', by: next.slice('by '.length) },
            )
          }
          choices={[
            { value: 'insert', text: t('insert') },
            ...[...row.unique, 'id'].map((field) => ({
              value: `by ${field}`,
              text: t('upsert', { field }),
            })),
          ]}
        />
      </Field>
      <Field label={t('locale')}>
        <Select
          value={locale}
          onChange={(next) => onChange({ ...reading, locale: next })}
          choices={[
            { value: '', text: t('detect') },
            { value: 'nl-NL', text: t('locale_nl') },
            { value: 'de-DE', text: t('locale_de') },
            { value: 'en-GB', text: t('locale_gb') },
            { value: 'en-US', text: t('locale_us') },
          ]}
        />
      </Field>
    </div>
  )
}
