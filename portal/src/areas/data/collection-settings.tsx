/** The settings of a collection: who uses its documents, besides the team and its programs. */
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { defineTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { CheckList } from '../../ui/forms/check-list.tsx'
import type { DataField } from './fields.ts'
import { fieldText } from './filter/suggest.ts'
import { changeCollection, collectionKey, collectionsKey, type Collection } from './queries.ts'

/** The texts about the settings of a collection. */
const useCollectionSettingsTexts = defineTexts('collection_settings', {
  en: {
    title: 'Who uses the documents',
    settings: 'Settings',
    webhook_on_insert: 'Send an event for each new document',
    webhook_on_insert_about: 'Webhooks and agents for document.created get it.',
    assistant_facts: 'The assistant answers from the documents',
    assistant_facts_about: 'It uses them as facts, such as a menu or a price list.',
    challenge: 'Forms must solve a challenge',
    challenge_about: 'Deters programs that fill in forms. Visitors notice nothing.',
    public_read: 'Websites may read fields of the documents',
    public_read_about: 'Everybody can then read the fields that you choose, of every document.',
    readable_fields: 'Fields that everybody can read',
    no_fields: 'The collection has no fields yet. Add them in the schema first.',
    fault_fields: 'Choose at least one field.',
    save: 'Save',
    saved: 'The settings are saved.',
  },
  nl: {
    title: 'Wie de documenten gebruikt',
    settings: 'Instellingen',
    webhook_on_insert: 'Stuur een gebeurtenis bij elk nieuw document',
    webhook_on_insert_about: 'Webhooks en agents voor document.created krijgen die.',
    assistant_facts: 'De assistent antwoordt uit de documenten',
    assistant_facts_about: 'Hij gebruikt ze als feiten, zoals een menukaart of prijslijst.',
    challenge: 'Formulieren moeten een opgave oplossen',
    challenge_about: 'Houdt programma’s tegen die formulieren invullen. Bezoekers merken niets.',
    public_read: 'Websites mogen velden van de documenten lezen',
    public_read_about: 'Iedereen kan dan de velden lezen die u kiest, van elk document.',
    readable_fields: 'Velden die iedereen kan lezen',
    no_fields: 'De collectie heeft nog geen velden. Voeg ze eerst toe in het schema.',
    fault_fields: 'Kies ten minste één veld.',
    save: 'Opslaan',
    saved: 'De instellingen zijn opgeslagen.',
  },
})

const settings = ['webhook_on_insert', 'assistant_facts', 'challenge', 'public_read'] as const
type Setting = (typeof settings)[number]

interface CollectionSettingsProps {
  collection: Collection
  fields: readonly DataField[]
}

export function CollectionSettings({ collection, fields }: CollectionSettingsProps) {
  const t = useCollectionSettingsTexts()
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
  const t = useCollectionSettingsTexts()
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
