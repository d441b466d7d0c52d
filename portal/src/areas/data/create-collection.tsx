/** The dialog that creates a collection, empty or with the fields of a template. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { ApiProblem } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { ChoiceCards } from '../../ui/forms/choice-cards.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { collectionsKey, createCollection } from './queries.ts'
import { templates, type Template } from './templates.ts'
import { dataTexts } from './texts.ts'

export interface CreateCollectionProps {
  open: boolean
  onOpenChange(open: boolean): void
}

export function CreateCollection({ open, onOpenChange }: CreateCollectionProps) {
  const t = useTexts(dataTexts)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('create')} wide>
      <CreateForm />
    </Dialog>
  )
}

interface Draft {
  title: string
  template: Template
}

const NAME_MAX = 64

/**
 * Converts a title such as `Klanten & leads` to a name for paths, `klanten-leads`. Empty if the
 * title has no letter or digit.
 */
function nameOf(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_MAX)
    .replaceAll(/^-+|-+$/g, '')
}

function CreateForm() {
  const t = useTexts(dataTexts)
  const scope = useProjectScope()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const form = useForm<Draft>({ defaultValues: { title: '', template: 'free' } })
  const act = useAct({
    run: ({ title, template }: Draft) =>
      createCollection(scope, { title, name: nameOf(title), ...templates[template] }),
    done: t('created'),
    refresh: [collectionsKey(scope)],
    onDone: ({ name }) => void navigate({ to: scope.link(`/data/${name}`) }),
    onFault(fault) {
      setProblem(fault)
      return true
    },
  })
  const fault = form.formState.errors.title?.message
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => void form.handleSubmit((draft) => act.mutate(draft))(event)}
    >
      {problem !== null && <ErrorState {...problem} user_message={problem.user_message} />}
      <Field label={t('name')} hint={t('name_hint')} fault={fault}>
        <Input
          autoComplete="off"
          placeholder={t('name_example')}
          {...form.register('title', {
            validate: (title) => nameOf(title) !== '' || t('fault_name'),
          })}
        />
      </Field>
      <Controller
        control={form.control}
        name="template"
        render={({ field }) => (
          <ChoiceCards
            legend={t('fields')}
            value={field.value}
            onChange={field.onChange}
            choices={[
              { value: 'free', title: t('free'), about: t('free_about') },
              { value: 'contacts', title: t('contacts'), about: t('contacts_about') },
              { value: 'bookings', title: t('bookings'), about: t('bookings_about') },
              { value: 'orders', title: t('orders'), about: t('orders_about') },
            ]}
          />
        )}
      />
      <DialogButtons>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t('create')}
        </Button>
      </DialogButtons>
    </form>
  )
}
