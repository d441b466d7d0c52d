/** The dialogs that ask for a project name: to create a project, and to rename one. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import type { OwnProject } from '../../api/session.ts'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { projectTexts } from './texts.ts'

export type NamedProject = Pick<OwnProject, 'id' | 'name'>

const NAME_MAX = 200

export function renameProject(project_id: string, name: string) {
  const params = { path: { project_id } }
  return read(api.PATCH('/projects/{project_id}', { params, body: { name: name.trim() } }))
}

/** Creates a project, then opens the steps to its first request. */
export function CreateProject({ onClose }: { onClose(): void }) {
  const t = useTexts(projectTexts)
  const navigate = useNavigate()
  const act = useAct({
    run: (name: string) => read(api.POST('/projects', { body: { name: name.trim() } })),
    refresh: [['projects']],
    onDone: ({ id }) => void navigate({ to: `/projects/${id}/start`, search: { mode: 'test' } }),
  })
  return (
    <Dialog open onOpenChange={onClose} title={t('create')} about={t('empty_about')}>
      <NameForm name="" action={t('create')} busy={act.isPending} onSubmit={act.mutate} />
    </Dialog>
  )
}

interface RenameProjectProps {
  project: NamedProject
  onClose(): void
}

export function RenameProject({ project, onClose }: RenameProjectProps) {
  const t = useTexts(projectTexts)
  const act = useAct({
    run: (name: string) => renameProject(project.id, name),
    done: t('renamed'),
    refresh: [['projects']],
    onDone: onClose,
  })
  return (
    <Dialog open onOpenChange={onClose} title={t('rename')}>
      <NameForm name={project.name} action={t('save')} busy={act.isPending} onSubmit={act.mutate} />
    </Dialog>
  )
}

interface NameFormProps {
  name: string
  action: string
  busy: boolean
  onSubmit(name: string): void
}

function NameForm({ name, action, busy, onSubmit }: NameFormProps) {
  const t = useTexts(projectTexts)
  const [text, setText] = useState(name)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onSubmit(text)
      }}
    >
      <Field label={t('name')} hint={t('name_hint')}>
        <Input
          autoComplete="organization"
          maxLength={NAME_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <DialogButtons>
        <Button type="submit" kind="primary" busy={busy} disabled={text.trim() === ''}>
          {action}
        </Button>
      </DialogButtons>
    </form>
  )
}
