/** The field of a setting: a choice of sites or collections, or an input. */
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { collectionsQuery } from '../../data/queries.ts'
import { sitesQuery } from '../../sites/queries.ts'
import type { TemplateSetting } from '../queries.ts'
import { useAgentTexts } from '../texts.ts'

interface SettingFieldProps {
  setting: TemplateSetting
  value: string
  fault: string | undefined
  onChange(value: string): void
}

type ChoiceProps = Omit<SettingFieldProps, 'setting'> & { label: string }

export function SettingField({ setting, ...rest }: SettingFieldProps): ReactElement {
  const { kind, title: label } = setting
  if (kind === 'site') return <SiteChoice label={label} {...rest} />
  if (kind === 'collection') return <CollectionChoice label={label} {...rest} />
  const { value, fault, onChange } = rest
  const types = { number: 'number', email: 'email', field: 'text' } as const
  return (
    <Field label={label} fault={fault}>
      <Input
        type={types[kind]}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}

function SiteChoice(props: ChoiceProps) {
  const { data = [] } = useQuery(sitesQuery(useProjectScope()))
  return <Choice {...props} choices={data.map(({ id, slug }) => ({ value: id, text: slug }))} />
}

function CollectionChoice(props: ChoiceProps) {
  const { data = [] } = useQuery(collectionsQuery(useProjectScope()))
  return <Choice {...props} choices={data.map(({ name }) => ({ value: name, text: name }))} />
}

interface Choices {
  choices: { value: string; text: string }[]
}

function Choice({ label, value, fault, choices, onChange }: ChoiceProps & Choices) {
  const t = useAgentTexts()
  return (
    <Field label={label} fault={fault}>
      <Select<string>
        value={value}
        onChange={onChange}
        choices={[...(value === '' ? [{ value: '', text: t('choose') }] : []), ...choices]}
      />
    </Field>
  )
}
