/** The projects of the person, invitations to others, and creating one. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Building2, ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { invitationsQuery, projectsQuery, type OwnProject } from '../../api/session.ts'
import { defineTexts, useTexts } from '../../language/texts.ts'
import { AccountMenu } from '../../shell/account-menu.tsx'
import { Logo } from '../../shell/logo.tsx'
import { ProjectInitial } from '../../shell/project-switcher.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'

const texts = defineTexts('projects', {
  en: {
    title: 'Projects',
    about: 'One project for each business, with its own data, keys, team and balance.',
    create: 'Create a project',
    name: 'Name of the business',
    name_hint: 'You can change it later.',
    empty: 'Create your first project',
    empty_about: 'It is free, and everything in it is simulated until you go live.',
    invited: 'Invitations',
    invited_to: '{{project}} invites you as {{role}}',
    accept: 'Accept',
    decline: 'Decline',
    owner: 'owner',
    admin: 'admin',
    member: 'member',
    viewer: 'viewer',
  },
  nl: {
    title: 'Projecten',
    about: 'Eén project per bedrijf, met eigen gegevens, sleutels, team en tegoed.',
    create: 'Project maken',
    name: 'Naam van het bedrijf',
    name_hint: 'U kunt hem later wijzigen.',
    empty: 'Maak uw eerste project',
    empty_about: 'Het is gratis, en alles erin is gesimuleerd tot u live gaat.',
    invited: 'Uitnodigingen',
    invited_to: '{{project}} nodigt u uit als {{role}}',
    accept: 'Aannemen',
    decline: 'Weigeren',
    owner: 'eigenaar',
    admin: 'beheerder',
    member: 'lid',
    viewer: 'lezer',
  },
})

export function ProjectsPage() {
  const t = useTexts(texts)
  const [creates, setCreates] = useState(false)
  const query = useQuery(projectsQuery)
  return (
    <div className="min-h-dvh">
      <title>{t('title')}</title>
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
          <QueryState query={query}>{(rows) => <ProjectList rows={rows} />}</QueryState>
        </Card>
      </main>
      <CreateProjectDialog open={creates} onOpenChange={setCreates} />
    </div>
  )
}

function ProjectList({ rows }: { rows: readonly OwnProject[] }) {
  const t = useTexts(texts)
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<Building2 aria-hidden="true" />}
        title={t('empty')}
        about={t('empty_about')}
      />
    )
  }
  return (
    <ul className="divide-y divide-line">
      {rows.map(({ id, name, plan, role }) => (
        <li key={id}>
          <Link
            to={`/projects/${id}`}
            className="flex items-center gap-3.5 px-5 py-4 no-underline transition-colors first:rounded-t-xl hover:bg-hover/60"
          >
            <ProjectInitial name={name} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{name}</span>
              <span className="block text-sm text-muted capitalize">{plan}</span>
            </span>
            <Badge>{t(role)}</Badge>
            <ChevronRight className="size-4 text-faint" aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Invitations() {
  const t = useTexts(texts)
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

function CreateProjectDialog(props: { open: boolean; onOpenChange(open: boolean): void }) {
  const { open, onOpenChange } = props
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const act = useAct({
    run: () => read(api.POST('/projects', { body: { name: name.trim() } })),
    refresh: [['projects']],
    onDone: ({ id }) => void navigate({ to: `/projects/${id}` }),
  })
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('create')} about={t('empty_about')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          act.mutate(undefined)
        }}
      >
        <Field label={t('name')} hint={t('name_hint')}>
          <Input
            autoComplete="organization"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <DialogButtons>
          <Button type="submit" kind="primary" busy={act.isPending} disabled={name.trim() === ''}>
            {t('create')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
