/** The dialogs that ask for a project name: to create a project, and to rename one. */
import { useNavigate } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import { OperationDialog } from '../../api/operation-form.tsx'
import type { OwnProject } from '../../api/session.ts'
import { useProjectTexts } from './texts.ts'

export type NamedProject = Pick<OwnProject, 'id' | 'name'>

export function renameProject(project_id: string, name: string) {
  const params = { path: { project_id } }
  return read(api.PATCH('/projects/{project_id}', { params, body: { name: name.trim() } }))
}

/** Creates a project, then opens the steps to its first request. */
export function CreateProject({ onClose }: { onClose(): void }) {
  const t = useProjectTexts()
  const navigate = useNavigate()
  return (
    <OperationDialog
      operation="projects.create"
      title={t('create')}
      about={t('empty_about')}
      fields={[{ path: 'name', label: t('name'), hint: t('name_hint') }]}
      action={t('create')}
      refresh={[['projects']]}
      run={(body: { name: string }) => read(api.POST('/projects', { body }))}
      onClose={onClose}
      onDone={({ id }) => void navigate({ to: `/projects/${id}/start`, search: { mode: 'test' } })}
    />
  )
}

interface RenameProjectProps {
  project: NamedProject
  onClose(): void
}

export function RenameProject({ project, onClose }: RenameProjectProps) {
  const t = useProjectTexts()
  return (
    <OperationDialog
      operation="projects.rename"
      title={t('rename')}
      fields={[{ path: 'name', label: t('name'), hint: t('name_hint'), initial: project.name }]}
      action={t('save')}
      done={t('renamed')}
      refresh={[['projects']]}
      run={({ name }: { name: string }) => renameProject(project.id, name)}
      onClose={onClose}
      onDone={onClose}
    />
  )
}
