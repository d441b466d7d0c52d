/** The settings of a collection: who uses its documents, besides the team and its programs. */
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { CheckList } from '../../../ui/forms/check-list.tsx'
import type { DataField } from '../fields.ts'
import { fieldText } from '../filter/suggest.ts'
import { changeCollection, collectionKey, collectionsKey, type Collection } from '../queries.ts'
import { collectionSettingsTexts } from './texts.ts'

const settings = ['webhook_on_insert', 'assistant_facts', 'challenge', 'public_read'] as const
type Setting = (typeof settings)[number]

interface CollectionSettingsProps {
  collection: Collection
  fields: readonly DataField[]
}

export function CollectionSettings({ collection, fields }: CollectionSettingsProps) {
  const t = useTexts(collectionSettingsTexts)
  const scope = useProjectScope()
  const before = settings.filter((name) => isOn(collection, name))
  const [on, setOn] = useState<readonly Setting[]>(before)
  const [readable, setReadable] = useState<readonly string[]>(collection.readable_fields)
  const isPublic = on.includes('public_read')
  const isChanged =
    !isSame(on, before) || (isPublic && !isSame(readable, collection.readable_fields))
  const isMissing = isPublic && readable.length === 0
  const save = useAct({
    run: () =>
      changeCollection(scope, collection.name, {
        webhook_on_insert: on.includes('webhook_on_insert'),
        assistant_facts: on.includes('assistant_facts'),
        form: { challenge: on.includes('challenge') },
        public_read: isPublic,
        readable_fields: [...readable],
      }),
    done: t('saved'),
    refresh: [collectionKey(scope, collection.name), collectionsKey(scope)],
  })
  return (
    <Card title={t('title')} className="max-w-3xl">
      <fieldset disabled={!scope.may('member')} className="flex flex-col gap-5">
        <CheckList
          whole
          legend={t('settings')}
          values={on}
          onChange={setOn}
          choices={settings.map((value) => ({
            value,
            text: t(value),
            hint: t(`${value}_about`),
          }))}
        />
        {isPublic && <ReadableFields fields={fields} values={readable} onChange={setReadable} />}
        {scope.may('member') && (
          <p>
            <Button
              kind="primary"
              busy={save.isPending}
              disabled={!isChanged || isMissing}
              onClick={() => save.mutate(undefined)}
            >
              {t('save')}
            </Button>
          </p>
        )}
      </fieldset>
    </Card>
  )
}

function isOn({ form, ...row }: Collection, name: Setting): boolean {
  return name === 'challenge' ? form.challenge : row[name]
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name))
}

interface ReadableFieldsProps {
  fields: readonly DataField[]
  values: readonly string[]
  onChange(values: string[]): void
}

function ReadableFields({ fields, values, onChange }: ReadableFieldsProps) {
  const t = useTexts(collectionSettingsTexts)
  const known = fields.map(({ name, title }) => ({ value: fieldText(name), text: title }))
  // Nested fields, which only the API can choose.
  const others = values
    .filter((value) => !known.some((one) => one.value === value))
    .map((value) => ({ value, text: value }))
  const choices = [...known, ...others]
  if (choices.length === 0) return <p className="text-sm text-muted">{t('no_fields')}</p>
  return (
    <div>
      <CheckList
        legend={t('readable_fields')}
        values={values}
        onChange={onChange}
        choices={choices}
      />
      {values.length === 0 && (
        <p role="alert" className="mt-1.5 text-sm text-bad">
          {t('fault_fields')}
        </p>
      )}
    </div>
  )
}
