/** The dialog that creates a collection, empty or with the fields of a template. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { OperationForm } from '../../api/operation-form.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ChoiceCards } from '../../ui/forms/choice-cards.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { collectionsKey, createCollection } from './queries.ts'
import { templates, type Template } from './templates.ts'
import { useDataTexts } from './texts.ts'

export interface CreateCollectionProps {
  open: boolean
  onOpenChange(open: boolean): void
}

export function CreateCollection({ open, onOpenChange }: CreateCollectionProps) {
  const t = useDataTexts()
  return (
    <Dialog open={open} onClose={() => onOpenChange(false)} title={t('create')} wide>
      <CreateForm />
    </Dialog>
  )
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
  const t = useDataTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const [template, setTemplate] = useState<Template>('free')
  return (
    <OperationForm
      operation="collections.create"
      fields={[
        {
          path: 'title',
          label: t('name'),
          hint: t('name_hint'),
          placeholder: t('name_example'),
          required: true,
          check: (text) => (nameOf(text) === '' ? t('fault_name') : undefined),
        },
      ]}
      action={t('create')}
      done={t('created')}
      refresh={[collectionsKey(scope)]}
      run={({ title }: { title: string }) =>
        createCollection(scope, { title, name: nameOf(title), ...templates[template] })
      }
      onDone={({ name }) => void navigate({ to: scope.link(`/data/${name}`) })}
    >
      {() => (
        <ChoiceCards
          legend={t('fields')}
          value={template}
          onChange={setTemplate}
          choices={(['free', 'contacts', 'bookings', 'orders'] as const).map((value) => ({
            value,
            title: t(value),
            about: t(`${value}_about`),
          }))}
        />
      )}
    </OperationForm>
  )
}
