/** The declaration of the director and the owners. */
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFieldArray, useForm, type UseFormReturn } from 'react-hook-form'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { readNumber } from '../../language/numbers.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Fault } from '../../ui/forms/fault.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { saveDeclaration, verificationKey } from './queries.ts'
import { Step } from './step.tsx'
import { useVerificationTexts } from './texts.ts'

interface Fields {
  name: string
  birth_date: string
  owners: { name: string; birth_date: string; share: string }[]
  signature: string
}
type FormOf = UseFormReturn<Fields>

const OWNERS_MAX = 20

export interface DeclarationStepProps {
  declared: boolean
  open: boolean
}

export function DeclarationStep({ declared, open }: DeclarationStepProps) {
  const t = useVerificationTexts()
  const scope = useProjectScope()
  const [isEditing, setEditing] = useState(false)
  const mayEdit = open && scope.may('owner')
  return (
    <Step
      title={t('declaration')}
      about={declared ? t('declared') : t('declaration_about')}
      state={declared ? 'done' : 'to_do'}
    >
      {mayEdit && declared && !isEditing && (
        <Button onClick={() => setEditing(true)}>{t('declare_again')}</Button>
      )}
      {mayEdit && (!declared || isEditing) && <DeclarationForm onDone={() => setEditing(false)} />}
    </Step>
  )
}

function DeclarationForm({ onDone }: { onDone(): void }) {
  const t = useVerificationTexts()
  const scope = useProjectScope()
  const [fault, setFault] = useState<string | null>(null)
  const form = useForm<Fields>({
    defaultValues: { name: '', birth_date: '', owners: [], signature: '' },
  })
  const act = useAct({
    run: ({ name, birth_date, owners, signature }: Fields) =>
      saveDeclaration(scope, {
        director: { name, birth_date },
        owners: owners.map(({ share, ...owner }) => ({
          ...owner,
          share_percent: readNumber(share),
        })),
        signature,
      }),
    done: t('signed'),
    refresh: [verificationKey(scope)],
    onDone,
    onFault(problem) {
      setFault(problem.user_message)
      return true
    },
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        setFault(null)
        void form.handleSubmit((fields) => act.mutate(fields))(event)
      }}
    >
      <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
        <Field label={t('director_name')}>
          <Input autoComplete="name" maxLength={200} {...form.register('name')} />
        </Field>
        <Field label={t('birth_date')}>
          <Input type="date" {...form.register('birth_date')} />
        </Field>
      </div>
      <Owners form={form} />
      <Field label={t('signature')} hint={t('signature_hint')}>
        <Input className="font-serif italic" maxLength={200} {...form.register('signature')} />
      </Field>
      <Fault text={fault} />
      <div>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t('sign')}
        </Button>
      </div>
    </form>
  )
}

function Owners({ form }: { form: FormOf }) {
  const t = useVerificationTexts()
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'owners' })
  return (
    <div className="flex flex-col gap-3">
      {fields.map(({ id }, index) => (
        <fieldset key={id} className="grid gap-4 rounded-lg border border-line p-4 sm:grid-cols-2">
          <legend className="px-1 text-sm font-medium">{t('owner', { number: index + 1 })}</legend>
          <Field label={t('owner_name')}>
            <Input maxLength={200} {...form.register(`owners.${index}.name`)} />
          </Field>
          <Field label={t('birth_date')}>
            <Input type="date" {...form.register(`owners.${index}.birth_date`)} />
          </Field>
          <Field label={t('share')}>
            <Input inputMode="decimal" {...form.register(`owners.${index}.share`)} />
          </Field>
          <div className="self-end justify-self-end">
            <Button
              kind="ghost"
              size="icon"
              aria-label={t('remove_owner', { number: index + 1 })}
              onClick={() => remove(index)}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          </div>
        </fieldset>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          disabled={fields.length >= OWNERS_MAX}
          onClick={() => append({ name: '', birth_date: '', share: '' })}
        >
          <Plus aria-hidden="true" /> {t('add_owner')}
        </Button>
        <span className="text-sm text-muted">{t('no_owners')}</span>
      </div>
    </div>
  )
}
