/** Edits which fields of a collection the assistant may look up. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormAct } from '../../../api/form-act.ts'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Field, type FieldProps } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { collectionsQuery, type Collection } from '../../data/queries.ts'
import { saveTools, toolsKey, type LookUp, type Tools } from './queries.ts'
import { useToolTexts } from './texts.ts'

const NAMES_MAX = 1_000

export interface LookUpDialogProps {
  tools: Tools
  /** null for a new one. */
  look_up: LookUp | null
  onClose(): void
}

export function LookUpDialog({ tools, look_up, onClose }: LookUpDialogProps) {
  const t = useToolTexts()
  const scope = useProjectScope()
  const { data: collections = [] } = useQuery(collectionsQuery(scope))
  const [name, setName] = useState(look_up?.collection ?? '')
  const [fields, setFields] = useState(look_up?.fields.join(', ') ?? '')
  const [match, setMatch] = useState(look_up?.match?.join(', ') ?? '')
  const { act, fault, setFault } = useFormAct({
    run: (saved: LookUp) => saveTools(scope, { ...tools, look_ups: withLookUp(tools, saved) }),
    done: t('saved'),
    refresh: [toolsKey(scope)],
    onDone: onClose,
  })
  const known = fieldsOf(collections.find((one) => one.name === name))
  return (
    <Dialog onClose={onClose} title={look_up?.collection ?? t('allow')}>
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={submit(() => {
          const saved = { collection: name, fields: namesIn(fields), match: namesIn(match) }
          if (name === '' || saved.fields.length === 0) return setFault(t('needed'))
          act.mutate(saved)
        })}
      >
        {look_up === null && <CollectionField tools={tools} value={name} onChange={setName} />}
        <NamesField
          label={t('fields')}
          hint={
            known.length > 0 ? t('fields_known', { names: known.join(', ') }) : t('fields_hint')
          }
          fault={fault}
          example="name, price, stock"
          value={fields}
          onChange={(names) => {
            setFields(names)
            setFault(undefined)
          }}
        />
        <NamesField
          label={t('match')}
          hint={t('match_hint')}
          optional
          example="order_number, postcode"
          value={match}
          onChange={setMatch}
        />
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={act.isPending}>
            {t('save')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

interface CollectionFieldProps {
  tools: Tools
  value: string
  onChange(name: string): void
}

function CollectionField({ tools, value, onChange }: CollectionFieldProps) {
  const t = useToolTexts()
  const { data: collections = [] } = useQuery(collectionsQuery(useProjectScope()))
  const taken = new Set(tools.look_ups.map(({ collection }) => collection))
  const free = collections.filter(({ name }) => !taken.has(name))
  return (
    <Field label={t('collection')}>
      <Select
        value={value}
        onChange={onChange}
        choices={[
          { value: '', text: t('choose') },
          ...free.map(({ name }) => ({ value: name, text: name })),
        ]}
      />
    </Field>
  )
}

interface NamesFieldProps extends Omit<FieldProps, 'children'> {
  example: string
  value: string
  onChange(value: string): void
}

function NamesField({ example, value, onChange, ...field }: NamesFieldProps) {
  return (
    <Field {...field}>
      <Input
        autoComplete="off"
        maxLength={NAMES_MAX}
        placeholder={example}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}

function withLookUp({ look_ups }: Tools, saved: LookUp): LookUp[] {
  const isNew = look_ups.every(({ collection }) => collection !== saved.collection)
  if (isNew) return [...look_ups, saved]
  return look_ups.map((one) => (one.collection === saved.collection ? saved : one))
}

function namesIn(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  return [...new Set(names)].filter(Boolean)
}

function fieldsOf(collection: Collection | undefined): string[] {
  return Object.keys(Object(collection?.schema).properties ?? {})
}
