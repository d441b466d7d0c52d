/** The projects of the person, invitations to others, and creating one. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Building2, ChevronRight, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { QueryState } from '../../api/query-state.tsx'
import {
  hasRole,
  invitationsQuery,
  joinPairs,
  projectsQuery,
  type OwnProject,
} from '../../api/session.ts'
import { AccountMenu } from '../../shell/account-menu.tsx'
import { Logo } from '../../shell/logo.tsx'
import { ProjectInitial } from '../../shell/project-switcher.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { DeletedProjects } from './deleted-projects.tsx'
import { CreateProject, RenameProject, type NamedProject } from './name-dialogs.tsx'
import { useProjectTexts } from './texts.ts'

export function ProjectsPage() {
  const t = useProjectTexts()
  const [creates, setCreates] = useState(false)
  const [renamed, setRenamed] = useState<NamedProject | null>(null)
  const query = useQuery(projectsQuery)
  return (
    <div className="min-h-dvh">
      <header className="flex h-14 items-center gap-2.5 border-b border-line px-4 sm:px-8">
        <Logo />
        <span className="text-lg font-semibold tracking-tight">Homeport</span>
        <div className="ml-auto">
          <AccountMenu side="bottom" />
        </div>
      </header>
      <main className="mx-auto max-w-3xl px-4 py-9">
        <PageHeader
          title={t('title')}
          about={t('about')}
          actions={
            <Button kind="primary" onClick={() => setCreates(true)}>
              <Plus aria-hidden="true" />
              {t('create')}
            </Button>
          }
        />
        <Invitations />
        <Card flush className="[&>div]:pt-0">
          <QueryState query={query}>
            {(rows) => (
              <ProjectList
                rows={joinPairs(rows)}
                onCreate={() => setCreates(true)}
                onRename={setRenamed}
              />
            )}
          </QueryState>
        </Card>
        <DeletedProjects />
      </main>
      {creates && <CreateProject onClose={() => setCreates(false)} />}
      {renamed !== null && <RenameProject project={renamed} onClose={() => setRenamed(null)} />}
    </div>
  )
}

interface ProjectListProps {
  rows: readonly OwnProject[]
  onCreate(): void
  onRename(project: NamedProject): void
}

function ProjectList({ rows, onCreate, onRename }: ProjectListProps) {
  const t = useProjectTexts()
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<Building2 aria-hidden="true" />}
        title={t('empty')}
        about={t('empty_about')}
        action={
          <Button kind="primary" onClick={onCreate}>
            <Plus aria-hidden="true" />
            {t('create')}
          </Button>
        }
      />
    )
  }
  return (
    <ul className="divide-y divide-line">
      {rows.map(({ id, name, plan, role, pair_id }) => (
        <li key={id} className="flex items-center pr-2 transition-colors hover:bg-hover/60">
          <Link
            to={`/projects/${id}`}
            className="flex min-w-0 flex-1 items-center gap-3.5 py-4 pr-3 pl-5 no-underline"
          >
            <ProjectInitial name={name} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{name}</span>
              <span className="block text-sm text-muted capitalize">{plan}</span>
            </span>
            {pair_id !== null && <Badge>{t('pair')}</Badge>}
            <Badge>{t(role)}</Badge>
            <ChevronRight className="size-4 text-faint" aria-hidden="true" />
          </Link>
          {hasRole(role, 'admin') && (
            <Button
              kind="ghost"
              size="icon"
              aria-label={t('rename_project', { name })}
              onClick={() => onRename({ id, name })}
            >
              <Pencil aria-hidden="true" />
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Invitations() {
  const t = useProjectTexts()
  const { data = [] } = useQuery(invitationsQuery)
  const refresh = [['invitations'], ['projects']]
  const answer = useAct({
    run: async ({ id, accepts }: { id: string; accepts: boolean }) => {
      const params = { path: { invitation_id: id } }
      if (accepts) await read(api.POST('/invitations/{invitation_id}/accept', { params }))
      else await read(api.POST('/invitations/{invitation_id}/decline', { params }))
    },
    refresh,
  })
  if (data.length === 0) return null
  return (
    <Card flush title={t('invited')} className="mb-6">
      <ul className="divide-y divide-line">
        {data.map(({ id, project_name, role }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 px-5 py-4">
            <p className="min-w-48 flex-1">
              {t('invited_to', { project: project_name, role: t(role) })}
            </p>
            <Button size="sm" onClick={() => answer.mutate({ id, accepts: false })}>
              {t('decline')}
            </Button>
            <Button size="sm" kind="primary" onClick={() => answer.mutate({ id, accepts: true })}>
              {t('accept')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
